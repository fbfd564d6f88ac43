// Reports that nobody of their client's people has opened: by client and report type, and whom to remind of them.
import { type Kysely, type SqlBool, sql } from 'kysely';
import { PAGE_LIMIT_MAX } from '#contract/paging.ts';
import type { ReminderOrder, UnopenedQuery, UnopenedRow } from '#contract/unopened.ts';
import type { RowSource } from '../../people/access/reach.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import { type Page, pageParams, pageValues } from '../../platform/db/list.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { param } from '../../platform/db/statement.ts';
import { instant } from '../../platform/instant.ts';

/** Nobody is reminded of the same report sooner. */
const REMINDED_EVERY_MS = 24 * 60 * 60_000;
/** As many reports at once; the rest by another press. Tests take fewer. */
export const REMINDERS = { atOnce: 5_000 };

/** Reports with a type within reach, as `file`; those without one are in the list of no Client user. */
function unopened(
  sources: Sources,
  { clientId, reportTypeId }: { clientId: boolean; reportTypeId: boolean },
): RowSource {
  const { from, where } = sources.filesAlong('files_unopened');
  const ofClient = clientId ? sql`and file.client_id = ${param('clientId')}` : sql``;
  const ofType = reportTypeId ? sql`and file.access_key = ${param('reportTypeId')}` : sql``;
  return {
    from,
    // The first two in the words of the index.
    where: sql<SqlBool>`${where} and file.opened_by_client_at is null and file.access_key >= 0 and file.access_key > 0 ${ofClient} ${ofType}`,
  };
}

const named = ({ clientId, reportTypeId }: Pick<ReminderOrder, 'clientId' | 'reportTypeId'>) => ({
  clientId: clientId !== undefined,
  reportTypeId: reportTypeId !== undefined,
});

/** The Client users who see reports of the place `place`, which has a client and an access key. */
const readersOfPlace = sql`user_clients listed cross join users person cross join roles held cross join user_report_types typed
  where listed.client_id = place.client_id and person.id = listed.user_id and held.id = person.role_id
    and held.system_key = 'client' and typed.user_id = person.id and typed.report_type_id = place.access_key`;

/** Whether the person `person` has an address, has joined, and has not chosen to hear nothing of reports. */
const hears = sql<SqlBool>`(person.email <> '' and not exists (select 1 from invitations invited where invited.user_id = person.id)
  and not exists (select 1 from digest_choices chosen where chosen.user_id = person.id and chosen.topic = 'reports' and chosen.pace = 'never'))`;

/** The places of whose reports somebody can be told: asked once, and not of each of a million reports. */
const placesHeardOf = sql`select listed.client_id, typed.report_type_id from users person join roles held on held.id = person.role_id
    join user_clients listed on listed.user_id = person.id join user_report_types typed on typed.user_id = person.id
  where held.system_key = 'client' and ${hears}`;

interface UnopenedRecord extends Omit<UnopenedRow, 'since' | 'remindedAt'> {
  readonly since: number;
  readonly remindedAt: number | null;
  readonly total: number;
}

/** By client, then by report type. */
export async function listUnopened(scope: ReadScope, query: UnopenedQuery): Promise<Page<UnopenedRow>> {
  const { clientId, reportTypeId } = query;
  const by = named(query);
  const build = (sources: Sources) => {
    const { from, where } = unopened(sources, by);
    const places = sql`select file.client_id as client_id, file.access_key as access_key, count(*) as n,
        min(file.uploaded_at) as since, max(said.reminded_at) as reminded_at
      from ${from} left join file_reminders said on said.file_id = file.id where ${where}
      group by file.client_id, file.access_key`;
    return sources.query(sql<UnopenedRecord>`select client.id as "clientId", client.name as "clientName", type.id as "reportTypeId",
        type.name as "reportTypeName", place.n as "files", place.since as "since", place.reminded_at as "remindedAt",
        (select count(*) from ${readersOfPlace}) as "people", count(*) over () as "total"
      from (${places}) as place join clients client on client.id = place.client_id join report_types type on type.id = place.access_key
      order by client.search_name, client.id, type.search_name, type.id limit ${pageParams.limit} offset ${pageParams.offset}`);
  };
  const values = {
    ...pageValues(query, PAGE_LIMIT_MAX),
    ...(clientId === undefined ? {} : { clientId }),
    ...(reportTypeId === undefined ? {} : { reportTypeId }),
  };
  const name = `unopened ${by.clientId} ${by.reportTypeId}`;
  // All of them are counted, which may take a while.
  const rows = await scope.prepared<UnopenedRecord>(name, build, values, 'long');
  const [first] = rows;
  if (first === undefined && query.offset) {
    // Beyond the end there are no rows to count by.
    const { total } = await listUnopened(scope, { ...query, limit: 1, offset: 0 });
    return { rows: [], total };
  }
  return {
    rows: rows.map(({ total: _, since, remindedAt, ...row }) => ({
      ...row,
      files: Number(row.files),
      people: Number(row.people),
      since: instant(Number(since)),
      remindedAt: remindedAt === null ? null : instant(Number(remindedAt)),
    })),
    total: Number(first?.total ?? 0),
  };
}

/** A report to be reminded of. */
export interface UnopenedFile {
  readonly id: number;
  readonly clientId: number;
  readonly clientName: string;
  readonly reportTypeId: number;
}

/** Those that somebody can be told of, and of which nobody was reminded less than a day ago. */
function toRemindOf(sources: Sources, by: ReturnType<typeof named>): RowSource {
  const { from, where } = unopened(sources, by);
  return {
    from,
    where: sql<SqlBool>`${where} and not exists (select 1 from file_reminders said
        where said.file_id = file.id and said.reminded_at > ${param('since')})
      and (file.client_id, file.access_key) in (${placesHeardOf})`,
  };
}

const reminderValues = ({ clientId, reportTypeId }: ReminderOrder, at: number) => ({
  since: at - REMINDED_EVERY_MS,
  ...(clientId === undefined ? {} : { clientId }),
  ...(reportTypeId === undefined ? {} : { reportTypeId }),
});

/** The oldest first, as many as are taken at once. */
export async function findToRemindOf(
  scope: ReadScope,
  order: ReminderOrder,
  at: number,
): Promise<readonly UnopenedFile[]> {
  const by = named(order);
  const build = (sources: Sources) => {
    const { from, where } = toRemindOf(sources, by);
    return sources.query(sql<UnopenedFile>`select file.id as "id", file.client_id as "clientId", client.name as "clientName",
        file.access_key as "reportTypeId"
      from ${from} join clients client on client.id = file.client_id where ${where}
      order by file.uploaded_at, file.id limit ${param('atOnce')}`);
  };
  return scope.prepared<UnopenedFile>(`unopened.remind ${by.clientId} ${by.reportTypeId}`, build, {
    ...reminderValues(order, at),
    atOnce: REMINDERS.atOnce,
  });
}

/** How many there are for another press. */
export async function countToRemindOf(scope: ReadScope, order: ReminderOrder, at: number): Promise<number> {
  const by = named(order);
  const build = (sources: Sources) => {
    const { from, where } = toRemindOf(sources, by);
    return sources.query(sql<{ files: number }>`select count(*) as "files" from ${from} where ${where}`);
  };
  const [row] = await scope.prepared<{ files: number }>(
    `unopened.left ${by.clientId} ${by.reportTypeId}`,
    build,
    reminderValues(order, at),
  );
  return Number(row?.files ?? 0);
}

export interface Reminded {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly clientId: number;
  readonly reportTypeId: number;
}

/** Whom to tell, with each place of the files that they see. */
export async function findPeopleToRemind(
  db: Kysely<Schema>,
  files: readonly Pick<UnopenedFile, 'id'>[],
): Promise<readonly Reminded[]> {
  const places = sql`select distinct files.client_id, files.access_key from files where ${isListedId('files.id', listText(files.map(({ id }) => id)))}`;
  const { rows } = await sql<Reminded>`select person.id as "id", person.full_name as "name", person.email as "address",
      place.client_id as "clientId", place.access_key as "reportTypeId"
    from (${places}) as place cross join ${readersOfPlace} and ${hears}
    order by person.id, place.client_id, place.access_key`.execute(db);
  return rows;
}

export async function noteReminded(tx: Kysely<Schema>, fileIds: readonly number[], at: number): Promise<void> {
  await sql`insert into file_reminders (file_id, reminded_at)
    select files.id, cast(${at} as bigint) from files where ${isListedId('files.id', listText(fileIds))}
    on conflict (file_id) do update set reminded_at = excluded.reminded_at`.execute(tx);
}
