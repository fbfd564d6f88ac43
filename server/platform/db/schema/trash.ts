// The tables of the trash: what was deleted, and the rows that went with it.
import type { Generated } from 'kysely';
import type { TrashKind } from '#contract/trash-kinds.ts';
import type { Fixed } from './columns.ts';

/** A deleted file or client; what belonged to it is in `trashed_rows`. Without references: what it names may be gone. */
interface TrashTable {
  id: Generated<number>;
  /** A `version` is not deleted: another file took its place, and it is kept with that one. */
  kind: Fixed<TrashKind | 'version'>;
  /** The id that it had and gets back. */
  item_id: Fixed<number>;
  name: Fixed<string>;
  name_key: Fixed<string>;
  /** Name and client as they are searched, one a line. */
  search_text: Fixed<string>;
  /** A client's own id, too. */
  client_id: Fixed<number>;
  client_name: Fixed<string>;
  /** 1 for a file that went with its client and comes back with it, and for a version, which is no entry of the list either. */
  with_client: Fixed<0 | 1>;
  /** As in `files`, and so are the next three; null for a client. */
  access_key: Fixed<number | null>;
  uploaded_by_id: Fixed<number | null>;
  sha256: Fixed<string | null>;
  storage_key: Fixed<string | null>;
  /** What went with a client; null for a file. */
  files: Fixed<number | null>;
  users: Fixed<number | null>;
  deleted_at: Fixed<number>;
  deleted_by_id: Fixed<number>;
  deleted_by_name: Fixed<string>;
  /** From then on nobody restores it, and it is purged. */
  gone_at: Fixed<number>;
  /** Of a version: the file that is the newest of them all, the one that took its place, and why. `deleted_at` is when. */
  version_of: Generated<number | null>;
  replaced_by_id: Generated<number | null>;
  replaced_because: Generated<string | null>;
}

/** The rows that a deletion took, each as a JSON object by the names of its columns. */
interface TrashedRowTable {
  id: Generated<number>;
  trash_id: Fixed<number>;
  table_name: Fixed<string>;
  content: Fixed<string>;
}

export interface TablesOfTrash {
  trash: TrashTable;
  trashed_rows: TrashedRowTable;
}
