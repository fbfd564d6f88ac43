// Of which changes a viewer is told: each list by the rule that it is read by.
import { type Expression, type SqlBool, sql } from 'kysely';
import type { ChangeTopic } from '#contract/changes.ts';
import {
  batchReach,
  reachesEveryReportType,
  reachesEveryRole,
  reachesEveryUser,
  seesRequests,
} from '#contract/policy/reach.ts';
import { activityReached } from './activity-reach.ts';
import { everything, fileColumns, fileReached, inClientList, inReportTypeList, nothing, type Reader } from './reach.ts';

/** The row of `changes` is of something that the viewer reaches, as it was then. */
export function changeReached(reader: Reader): Expression<SqlBool> {
  const { engine, viewer, id } = reader;
  const batches = { all: everything, own: sql<SqlBool>`changes.owner_id = ${id}`, none: nothing };
  const reached: Readonly<Record<ChangeTopic, Expression<SqlBool>>> = {
    files:
      viewer.reach === 'all'
        ? everything
        : fileReached(engine, id, { ...fileColumns('changes'), owner: 'changes.owner_id' }),
    activity: activityReached(reader, 'changes'),
    clients: viewer.reach === 'all' ? everything : inClientList(id, 'changes.client_id'),
    users: reachesEveryUser(viewer) ? everything : sql<SqlBool>`changes.user_id = ${id}`,
    roles: reachesEveryRole(viewer)
      ? everything
      : sql<SqlBool>`changes.role_id = (select own.role_id from users own where own.id = ${id})`,
    reportTypes: reachesEveryReportType(viewer) ? everything : inReportTypeList(id, 'changes.report_type_id'),
    batches: batches[batchReach(viewer)],
    requests: requestReached(reader, 'changes'),
  };
  const oneOfThem = Object.entries(reached).map(
    ([topic, rule]) => sql`(changes.topic = ${sql.lit(topic)} and ${rule})`,
  );
  return sql<SqlBool>`(${sql.join(oneOfThem, sql` or `)})`;
}

/** The client of a row of `table` is one whose requests the viewer sees. */
export function requestReached({ viewer, id }: Reader, table: 'requests' | 'changes'): Expression<SqlBool> {
  if (!seesRequests(viewer)) return nothing;
  return viewer.reach === 'all' ? everything : inClientList(id, `${table}.client_id`);
}
