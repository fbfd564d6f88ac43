// What belongs to a client and goes to the trash with it: one line a table.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ReadScope } from '../../people/access/scope.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { canBeRestored } from './entries.ts';
import { keepRows, type PutBack, putBackRows, type Tx } from './kept-rows.ts';

/** Whose rows: of the client itself, or of the people who are deleted with it. */
interface Owners {
  readonly clientId: number;
  readonly peopleIds: readonly number[];
}

interface Belonging {
  readonly table: keyof Schema;
  /** Which rows, over `kept`. */
  readonly of: (owners: Owners) => RawBuilder<SqlBool>;
  /** Which of them still make sense at the restore, over `back`. */
  readonly stands?: RawBuilder<SqlBool>;
}

const ofClient = ({ clientId }: Owners) => sql<SqlBool>`kept.client_id = ${clientId}`;
const ofPeople = ({ peopleIds }: Owners) => sql<SqlBool>`${isListedId('kept.user_id', listText(peopleIds))}`;
const ofRequests = ({ clientId }: Owners) =>
  sql<SqlBool>`kept.request_id in (select requests.id from requests where requests.client_id = ${clientId})`;
/** Whether the lists of `person` are as they were at the deletion: whatever was saved since is all that the person has. */
const unsavedSince = sql<SqlBool>`coalesce(person.changed_at, 0) < trash.deleted_at`;
const exists = (table: 'users' | 'report_types', column: string) =>
  sql<SqlBool>`exists (select 1 from ${sql.table(table)} as there where there.id = ${sql.ref(`back.${column}`)})`;

/** Each after those it refers to: they go back in this order. Files are apart (`trashed-files.ts`): each has an entry of its own. */
export const BELONGINGS: readonly Belonging[] = [
  { table: 'clients', of: ({ clientId }) => sql<SqlBool>`kept.id = ${clientId}` },
  { table: 'users', of: ({ peopleIds }) => sql<SqlBool>`${isListedId('kept.id', listText(peopleIds))}` },
  {
    table: 'user_clients',
    // Who has all clients has this one again, if they still have all.
    of: (owners) =>
      sql<SqlBool>`${ofClient(owners)} and kept.user_id not in (select id from users where all_clients = 1)`,
    stands: sql<SqlBool>`exists (select 1 from trashed_rows listed join trash on trash.id = listed.trash_id
      join users person on person.id = back.user_id where listed.id = back.kept_id and ${unsavedSince})`,
  },
  { table: 'user_report_types', of: ofPeople, stands: exists('report_types', 'report_type_id') },
  { table: 'expectations', of: ofClient, stands: exists('report_types', 'report_type_id') },
  { table: 'requests', of: ofClient },
  { table: 'request_items', of: ofRequests },
  {
    table: 'request_item_files',
    of: (owners) => sql<SqlBool>`kept.item_id in (select kept.id from request_items kept where ${ofRequests(owners)})`,
  },
  { table: 'totp_secrets', of: ofPeople },
  { table: 'passkeys', of: ofPeople },
  { table: 'recovery_codes', of: ofPeople },
  { table: 'known_networks', of: ofPeople },
  { table: 'preferences', of: ofPeople },
  { table: 'digest_choices', of: ofPeople },
  // Whoever comes back without a password is still invited.
  { table: 'invitations', of: ofPeople },
  {
    table: 'file_opens',
    // Those of the client's own files are with the files.
    of: (owners) =>
      sql<SqlBool>`${ofPeople(owners)} and kept.file_id not in (select id from files where client_id = ${owners.clientId})`,
    stands: sql<SqlBool>`exists (select 1 from files where files.id = back.file_id)`,
  },
];

/** Tables that refer to clients or users and end with them: signed in again, a person makes new ones. */
export const ENDS_WITH_THEM: readonly (keyof Schema)[] = [
  'sessions',
  'sign_ins',
  'passkey_challenges',
  // Whoever comes back asks for another link.
  'password_links',
  // Matched to a client that is gone, a document of a batch is matched anew by a person who reached it (batches/lost-documents.ts).
  'batch_documents',
  // It was never the firm's, and whoever asked for it may ask again.
  'suggestions',
  // A file of another client that names it goes on naming somebody who is gone.
  'file_marks',
  // Triggers keep it.
  'file_counts',
];

/** Copies what belongs to the client into the trash. */
export async function keepBelongings(tx: Tx, trashId: number, owners: Owners): Promise<void> {
  for (const { table, of } of BELONGINGS) {
    await keepRows(tx, table, { where: of(owners), trashId: sql`cast(${trashId} as bigint)` });
  }
}

/** Puts it back, columns of `instead` with other values, and the client into the lists of those who have all clients. */
export async function putBackBelongings(
  tx: Tx,
  trashId: number,
  clientId: number,
  instead: Partial<Record<keyof Schema, PutBack['instead']>>,
): Promise<void> {
  for (const { table, stands } of BELONGINGS) {
    await putBackRows(tx, table, {
      of: sql<SqlBool>`kept.trash_id = ${trashId}`,
      stands,
      instead: instead[table],
      unlessThere: stands !== undefined,
    });
  }
  await sql`insert into user_clients (user_id, client_id)
    select id, cast(${clientId} as bigint) from users where all_clients = 1 on conflict do nothing`.execute(tx.db);
}

/** The clients in the trash, as far as the viewer may restore them, that come back into the list of the user unless it is saved before. */
export function clientsInTrash(scope: ReadScope, userId: number, at: number): Promise<{ id: number; name: string }[]> {
  const content = scope.engine === 'postgres' ? sql`kept.content::json` : sql`kept.content`;
  // What is kept under other names need not be JSON.
  const listedId = sql`case when kept.table_name = 'user_clients' then cast(${content} ->> 'user_id' as bigint) end`;
  return scope
    .trash()
    .select(['trash.item_id as id', 'trash.name as name'])
    .where('trash.kind', '=', 'client')
    .where(canBeRestored(at))
    .where(
      sql<SqlBool>`exists (select 1 from trashed_rows kept join users person on person.id = ${userId}
        where kept.trash_id = trash.id and kept.table_name = 'user_clients' and ${listedId} = person.id and ${unsavedSince})`,
    )
    .orderBy('trash.name_key')
    .execute();
}
