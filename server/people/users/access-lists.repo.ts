// The access lists of people: whether one may hand them on, what their entries are called, and how they are written.

import { type Compilable, sql } from 'kysely';
import type { Proof } from '#contract/policy.ts';
import type { UserUpdate } from '#contract/users.ts';
import { idWithEachId, isListedId, listText } from '../../platform/db/id-list.ts';
import { rowCount } from '../../platform/db/list.ts';
import { param, transactionStatement } from '../../platform/db/statement.ts';
import type { ReadScope, WriteScope } from '../access/scope.ts';
import type { Sources } from '../access/sources.ts';

interface Lists {
  readonly clientIds: readonly number[];
  readonly reportTypeIds: readonly number[];
}

/** The names of those of `ids` that are in reach, by id. */
export async function clientNames(scope: ReadScope, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  return namesById(
    await scope.prepared<Named>(
      'users.client-names',
      (sources) =>
        sources
          .clients()
          .select(['clients.id as id', 'clients.name as name'])
          .where(isListedId('clients.id', param('ids'))),
      { ids: listText(ids) },
    ),
  );
}

/** The same of report types. */
export async function reportTypeNames(scope: ReadScope, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  return namesById(
    await scope.prepared<Named>(
      'users.report-type-names',
      (sources) =>
        sources
          .reachedReportTypes()
          .select(['report_types.id as id', 'report_types.name as name'])
          .where(isListedId('report_types.id', param('ids'))),
      { ids: listText(ids) },
    ),
  );
}

interface Named {
  readonly id: number;
  readonly name: string;
}

const namesById = (rows: readonly Named[]) => new Map(rows.map(({ id, name }) => [id, name]));

/** Of each list, whether every id in it is within the viewer's reach, so that it may be handed on; no id is twice. */
export async function reachesLists(
  scope: ReadScope,
  { clientIds, reportTypeIds }: Lists,
): Promise<Readonly<Record<keyof Lists, boolean>>> {
  return {
    clientIds: await findsEach(scope, clientIds, 'users.clients-reached', (sources) =>
      sources
        .clients()
        .where(isListedId('clients.id', param('ids')))
        .select(rowCount.as('n')),
    ),
    reportTypeIds: await findsEach(scope, reportTypeIds, 'users.report-types-reached', (sources) =>
      sources
        .reachedReportTypes()
        .where(isListedId('report_types.id', param('ids')))
        .select(rowCount.as('n')),
    ),
  };
}

/** Whether `count`, prepared under `name`, finds a row for each of `ids` in its parameter of that name. */
async function findsEach(
  scope: ReadScope,
  ids: readonly number[],
  name: string,
  count: (sources: Sources) => Compilable<{ n: number }>,
): Promise<boolean> {
  if (ids.length === 0) return true;
  const [row] = await scope.prepared<{ n: number }>(name, count, { ids: listText(ids) });
  return row?.n === ids.length;
}

export type UserWrite = Proof<'users.create'> | Proof<'users.update'>;

const clearClients = transactionStatement((db) =>
  db.deleteFrom('user_clients').where('user_id', '=', param<number>('userId')),
);

const clearReportTypes = transactionStatement((db) =>
  db.deleteFrom('user_report_types').where('user_id', '=', param<number>('userId')),
);

const listClientsOf = transactionStatement((db) =>
  db
    .insertInto('user_clients')
    .columns(['user_id', 'client_id'])
    .expression(idWithEachId(param('userId'), param('ids'))),
);

const listReportTypesOf = transactionStatement((db) =>
  db
    .insertInto('user_report_types')
    .columns(['user_id', 'report_type_id'])
    .expression(idWithEachId(param('userId'), param('ids'))),
);

const listEveryClient = transactionStatement((db) =>
  db
    .insertInto('user_clients')
    .columns(['user_id', 'client_id'])
    .expression(sql`select cast(${param('userId')} as bigint), id from clients`),
);

/** Nobody adds a client meanwhile: a change of rights runs alone, so that all clients are really all. */
export async function writeLists(
  scope: WriteScope,
  proof: UserWrite,
  userId: number,
  { clientIds, allClients, reportTypeIds }: Pick<UserUpdate, 'clientIds' | 'allClients' | 'reportTypeIds'>,
): Promise<void> {
  const tx = scope.unscoped<'users.create' | 'users.update'>(proof);
  await clearClients(tx, { userId });
  await clearReportTypes(tx, { userId });
  if (allClients) await listEveryClient(tx, { userId });
  else await listClientsOf(tx, { userId, ids: listText(clientIds) });
  await listReportTypesOf(tx, { userId, ids: listText(reportTypeIds) });
}
