// Which entries of the log a viewer reaches, as lists read them.
import { type Expression, type SqlBool, sql } from 'kysely';
import { activityReach } from '#contract/policy/reach.ts';
import { along, forEachOf, isOneOf, isOneOfInOrder } from '../../platform/db/engine-sql.ts';
import { idsWithWords } from '../../platform/db/text-search.ts';
import { everything, listedClients, ownClients, type Reader, type RowSource } from './reach.ts';

/** The indexes along which the log is read. */
export type ActivityIndex =
  | 'activity_newest'
  | 'activity_action'
  | 'activity_user'
  | 'activity_client'
  | 'activity_file';

/** The same rule over entries and over their counters, where 0 stands for no client. */
export function activityReached(
  { engine, viewer, id }: Reader,
  table: 'activity' | 'activity_counts' | 'entry' | 'changes',
): Expression<SqlBool> {
  const own = sql<SqlBool>`${sql.ref(`${table}.user_id`)} = ${id}`;
  switch (activityReach(viewer)) {
    case 'all':
      return everything;
    case 'own':
      return own;
    case 'own-and-clients': {
      const ofClient =
        viewer.reach === 'all'
          ? sql<SqlBool>`coalesce(${sql.ref(`${table}.client_id`)}, 0) <> 0`
          : (table === 'entry' ? isOneOfInOrder : isOneOf)(engine, `${table}.client_id`, listedClients(id));
      return sql<SqlBool>`(${own} or ${ofClient})`;
    }
  }
}

/** The entries in reach under the name `entry`, read along one index. */
export function activityAlong(reader: Reader, index: ActivityIndex): RowSource {
  return { from: along(reader.engine, 'activity', 'entry', index), where: activityReached(reader, 'entry') };
}

/** The entries that `narrow` leaves, client by client and the viewer's own besides. */
export function activityOfOwn({ engine, id }: Reader, narrow: (row: string) => Expression<SqlBool>): RowSource {
  const { from, where } = forEachOf(engine, ownClients(id), {
    table: 'activity',
    alias: 'of_client',
    index: 'activity_client',
    where: sql<SqlBool>`of_client.client_id = mine.id and ${narrow('of_client')}`,
  });
  const own = sql`${along(engine, 'activity', 'own', 'activity_user')} where own.user_id = ${id}
    and (own.client_id is null or not ${isOneOf(engine, 'own.client_id', listedClients(id))}) and ${narrow('own')}`;
  return {
    from: sql`(select of_client.id as id, of_client.at as at from ${from} where ${where}
      union all select own.id as id, own.at as at from ${own}) as entry`,
    where: everything,
  };
}

/** The entries in reach that hold the letters in the parameter `trigrams`, with those whose letters nobody has written down yet. */
export function activityWithWords(reader: Reader): RowSource {
  const ids = idsWithWords(reader.engine, 'activity');
  const late =
    reader.engine === 'postgres'
      ? sql``
      : sql` union all select late.id from activity late
          where late.id > (select through_id from indexed_words where table_name = 'activity')`;
  return {
    from: sql`(${ids}${late}) as found cross join activity as entry`,
    where: sql<SqlBool>`entry.id = found.id and ${activityReached(reader, 'entry')}`,
  };
}
