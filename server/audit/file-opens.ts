// Who has opened which file: what is new to whom, and whether a file was opened by its client. Judged and kept here alone.
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isClientUser } from '#contract/policy/actor.ts';
import { DOCUMENT } from '../people/access/reach.ts';
import type { Viewer } from '../people/access/viewer.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import { idWithEachId, isListedId, listText } from '../platform/db/id-list.ts';
import type { Schema } from '../platform/db/schema.ts';
import { param, transactionStatement } from '../platform/db/statement.ts';

/** For whom a person opens files: one of the client's people, or staff of the firm. */
export type Opener = 'client' | 'staff';

/** Null in a look: it is the access of whoever looks, and the file stays new to the person. */
export const openerOf = (viewer: Pick<Viewer, 'roleKey' | 'look'>): Opener | null =>
  viewer.look !== null ? null : isClientUser(viewer) ? 'client' : 'staff';

interface Opened {
  readonly fileIds: readonly number[];
  readonly userId: number;
  readonly opener: Opener | null;
  /** Now, in ms since the epoch. */
  readonly at: number;
}

const at = sql`cast(${param('at')} as bigint)`;
const isOpened = isListedId('files.id', param('ids'));
/** Of a file that is found by its id: as plain columns they would lead both engines through all that clients ever sent, at each download. */
const isSentByClient = sql<SqlBool>`files.sent_by_client + 0 = 1 and files.access_key + 0 = ${sql.lit(DOCUMENT)}`;

const statement = (text: RawBuilder<unknown>) =>
  transactionStatement<unknown>((db) => ({ compile: () => text.compile(db) }));

const once = sql`on conflict (file_id, user_id) do nothing`;
const noteOpen: Readonly<Record<Opener, ReturnType<typeof statement>>> = {
  client: statement(sql`insert into file_opens (user_id, file_id, at)
    select opened.*, ${at} from (${idWithEachId(param('userId'), param('ids'))}) as opened where true ${once}`),
  // To staff nothing else is ever new.
  staff: statement(sql`insert into file_opens (user_id, file_id, at)
    select cast(${param('userId')} as bigint), files.id, ${at} from files where ${isOpened} and ${isSentByClient} ${once}`),
};

const noteOpenedByClient = statement(sql`update files set opened_by_client_at = ${at}
  where ${isOpened} and files.uploaded_by_id is distinct from cast(${param('userId')} as bigint)`);

/** Files that are held are opened, in the transaction of the access: not new to the person any more, and opened by the client where one of its people does. */
export async function noteOpened(tx: Kysely<Schema>, { fileIds, userId, opener, at: atMs }: Opened): Promise<void> {
  if (opener === null) return;
  const values = { ids: listText(fileIds), userId, at: atMs };
  await noteOpen[opener](tx, values);
  if (opener === 'client') await noteOpenedByClient(tx, values);
}

const heldStatements = (engine: DatabaseKind) => {
  const held = (lock: string) =>
    transactionStatement<{ id: number }>((db) => ({
      compile: () =>
        sql`select files.id as id from files where ${isOpened} order by files.id ${engine === 'postgres' ? sql.raw(lock) : sql``}`.compile(
          db,
        ),
    }));
  return { wait: held('for no key update'), skip: held('for no key update skip locked') };
};
const heldBy = { sqlite: heldStatements('sqlite'), postgres: heldStatements('postgres') };

/**
 * Which of the files are there, each held until the transaction ends: whoever deletes one waits, and finds that it was opened. Those that
 * somebody else changes meanwhile are waited for, or left out by `skip`.
 */
export async function holdOpened(
  { db, engine }: { readonly db: Kysely<Schema>; readonly engine: DatabaseKind },
  fileIds: readonly number[],
  others: 'wait' | 'skip',
): Promise<ReadonlySet<number>> {
  const rows = await heldBy[engine][others](db, { ids: listText(fileIds) });
  return new Set(rows.map(({ id }) => id));
}

/** An entry of the log that is an access: an announced one that never came is none, and what left in a prepared ZIP was never announced. */
const isAccess = sql<SqlBool>`(entry.action in ('view', 'download')
  and (entry.announced_at is null or entry.served_at is not null))`;

/** Whether anybody but its uploader has opened the file of the row `files`, staff too, as the log has it. */
export const isOpenedByOthers = sql<SqlBool>`exists (select 1 from activity entry where entry.file_id = files.id
  and ${isAccess} and entry.user_id is distinct from files.uploaded_by_id)`;

/** When the access of the row `entry` was, in ms since 1970. */
export const openedAt = sql<number>`coalesce(entry.served_at, entry.at)`;

/** When people of the client in `clientId` last opened the file of the row `file`, as the log has it. */
export const lastOpenedByClient = (file: string, clientId: number) => sql<number | null>`(select max(${openedAt})
  from activity entry join users person on person.id = entry.user_id join roles held on held.id = person.role_id
  where entry.file_id = ${sql.ref(`${file}.id`)} and entry.client_id = ${clientId} and ${isAccess}
    and held.system_key = 'client' and person.id is distinct from ${sql.ref(`${file}.uploaded_by_id`)})`;

/**
 * Whether the row `entry` of the log is an opening by one of the clients' people, other than the uploader; `person` and `held` are who that
 * is and their role, where there still is one. Nothing says what somebody was whose account is gone: they count as far as one of the
 * client's people opened the file at that time or later, which `openedByClientAt` says.
 */
export const isOpeningByClient = (uploader: string, openedByClientAt: RawBuilder<number | null>) => sql<SqlBool>`(
  ${isAccess} and entry.user_id is distinct from ${sql.ref(uploader)}
  and (held.system_key = 'client' or (person.id is null and ${openedAt} <= ${openedByClientAt})))`;
