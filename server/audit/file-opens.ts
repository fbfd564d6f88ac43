// Who has opened which file: what is new to whom, and whether a file was opened by its client. Judged and kept here alone.
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isClientUser } from '#contract/policy/actor.ts';
import { DOCUMENT } from '../people/access/reach.ts';
import type { Viewer } from '../people/access/viewer.ts';
import { idWithEachId, isListedId, listText } from '../platform/db/id-list.ts';
import type { Schema } from '../platform/db/schema.ts';
import { param, transactionStatement } from '../platform/db/statement.ts';

/** For whom a person opens files: one of the client's people, or staff of the firm. */
export type Opener = 'client' | 'staff';

/** Null in a look: it is the access of whoever looks, and the file stays new to the person. */
export const openerOf = (viewer: Pick<Viewer, 'roleKey' | 'look'>): Opener | null =>
  viewer.look !== null ? null : isClientUser(viewer) ? 'client' : 'staff';

/** Files that are held until the transaction ends, and of each whether it is a document that a Client user sent. */
export type HeldFiles = ReadonlyMap<number, { readonly isFromClient: boolean }>;

interface Opened {
  readonly fileIds: readonly number[];
  readonly held: HeldFiles;
  readonly userId: number;
  readonly opener: Opener | null;
  /** Now, in ms since the epoch. */
  readonly at: number;
}

const at = sql`cast(${param('at')} as bigint)`;
const isOpened = isListedId('files.id', param('ids'));

const statement = (text: RawBuilder<unknown>) =>
  transactionStatement<unknown>((db) => ({ compile: () => text.compile(db) }));

const noteOpen = statement(sql`insert into file_opens (user_id, file_id, at)
  select opened.*, ${at} from (${idWithEachId(param('userId'), param('ids'))}) as opened where true
  on conflict (file_id, user_id) do nothing`);

const noteOpenedByClient = statement(sql`update files set opened_by_client_at = ${at}
  where ${isOpened} and files.uploaded_by_id is distinct from cast(${param('userId')} as bigint)`);

/** Files that are held are opened, in the transaction of the access: not new to the person any more, and opened by the client where one of its people does. */
export async function noteOpened(
  tx: Kysely<Schema>,
  { fileIds, held, userId, opener, at: atMs }: Opened,
): Promise<void> {
  if (opener === null) return;
  // To staff nothing else is ever new.
  const noted = opener === 'staff' ? fileIds.filter((id) => held.get(id)?.isFromClient) : fileIds;
  if (noted.length === 0) return;
  const values = { ids: listText(noted), userId, at: atMs };
  await noteOpen(tx, values);
  if (opener === 'client') await noteOpenedByClient(tx, values);
}

interface HeldRecord {
  readonly id: number;
  /** As the engine writes yes and no. */
  readonly isFromClient: SqlBool;
}

const holdFiles = (lock: string) =>
  transactionStatement<HeldRecord>((db, engine) => ({
    compile: () =>
      sql<HeldRecord>`select files.id as id,
          (files.sent_by_client = 1 and files.access_key = ${sql.lit(DOCUMENT)}) as "isFromClient"
        from files where ${isOpened} order by files.id ${sql.raw(engine === 'postgres' ? lock : '')}`.compile(db),
  }));
const holding = { wait: holdFiles('for no key update'), skip: holdFiles('for no key update skip locked') };

/**
 * Those of the files that are there, each held until the transaction ends: whoever deletes one waits, and finds that it was opened. Those that
 * somebody else changes meanwhile are waited for, or left out by `skip`.
 */
export async function holdOpened(
  tx: Kysely<Schema>,
  fileIds: readonly number[],
  others: 'wait' | 'skip',
): Promise<HeldFiles> {
  const rows = await holding[others](tx, { ids: listText(fileIds) });
  return new Map(rows.map(({ id, isFromClient }) => [id, { isFromClient: Boolean(isFromClient) }]));
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
