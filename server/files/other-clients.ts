// What files ask of the guard against other clients' documents, and the note that a file is to be judged once it is filed.
import type { Kysely } from 'kysely';
import type { Actor } from '#contract/policy/actor.ts';
import { seesFederalIds } from '#contract/policy/reach.ts';
import { PICTURE_TYPES } from '../batches/reading/image-head.ts';
import { TIFF } from '../batches/reading/tiff-pages.ts';
import { isWorkbook } from '../batches/reading/xlsx-file.ts';
import type { ReadScope } from '../people/access/scope.ts';
import type { StoredBlob } from '../platform/blobs/blob-store.ts';
import type { Schema } from '../platform/db/schema.ts';

const READ_TYPES: ReadonlySet<string> = new Set(['application/pdf', 'text/plain', 'text/csv']);
/** Larger files are not read: one is in memory whole. */
const READ_BYTES_MAX = 20 * 1024 * 1024;

/** A file that is to be filed under a client. */
export interface GuardedFile {
  readonly blob: StoredBlob;
  readonly contentType: string;
  readonly name: string;
  readonly clientId: number;
  /** Told why a document was not read that could have been. */
  readonly onFault: (error: unknown) => void;
}

/** Refuses what names another client than the chosen one (`server/batches/wrong-client/guard.ts`). */
export interface OtherClientGuard {
  /** Answers whether the file is to be judged afterwards. */
  check(read: ReadScope, file: GuardedFile): Promise<boolean>;
  /** The same of a new name. */
  checkName(read: ReadScope, file: Pick<GuardedFile, 'clientId' | 'name' | 'onFault'>): Promise<boolean>;
  judgeNameLater(tx: Kysely<Schema>, fileId: number): Promise<void>;
}

export interface JudgedFile {
  readonly contentType: string;
  readonly name: string;
  readonly sizeBytes: number;
}

/** Whether such a file is read at all. */
export function isJudged(file: JudgedFile): boolean {
  const { contentType, sizeBytes } = file;
  const isRead = READ_TYPES.has(contentType) || isPicture(file) || isWorkbook(file);
  return isRead && sizeBytes > 0 && sizeBytes <= READ_BYTES_MAX;
}

/** Whether nothing but recognition reads it, which takes longer than anybody waits. */
export const isPicture = ({ contentType }: Pick<JudgedFile, 'contentType'>): boolean =>
  PICTURE_TYPES.has(contentType) || contentType === TIFF;

/** Notes that a file is to be judged, in the transaction that makes it or files it elsewhere: whatever ends the server, it is. */
export async function judgeLater(
  tx: Kysely<Schema>,
  file: JudgedFile & { readonly id: number },
  sender: Actor,
): Promise<void> {
  if (!isJudged(file)) return;
  // As the guard would: a mark tells as much as a refusal.
  const by_names_alone = seesFederalIds(sender) ? 0 : 1;
  const person_id = sender.id;
  await tx
    .insertInto('files_to_judge')
    .values({ file_id: file.id, attempts: 0, by_names_alone, person_id })
    .onConflict((conflict) => conflict.column('file_id').doUpdateSet({ attempts: 0, by_names_alone, person_id }))
    .execute();
}
