// Who of its client's people sees a file, and when one of them last opened it.
import { type SqlBool, sql } from 'kysely';
import type { FileReaders } from '#contract/files.ts';
import type { ReadScope } from '../people/access/scope.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import { param } from '../platform/db/statement.ts';
import { instantOrNull } from '../platform/instant.ts';

interface ReadersRecord {
  readonly fileId: number;
  readonly people: number;
  readonly openedAt: number | null;
}

/**
 * Those of the files that are reports within reach, or company documents there that no Client user sent: of those the mark New says whether
 * staff have seen them. People are counted once for each client and report type among the files. A report without a type is in the list of no
 * Client user, a document in that of each of its client.
 */
export async function findReaders(scope: ReadScope, ids: readonly number[]): Promise<FileReaders[]> {
  const records = await scope.prepared<ReadersRecord>(
    'files.readers',
    (sources) => {
      const asked = sources
        .files()
        .select(['files.id', 'files.client_id', 'files.access_key', 'files.opened_by_client_at'])
        .where(isListedId('files.id', param('ids')))
        .where(sql<SqlBool>`(files.access_key >= 0 or files.sent_by_client = 0)`);
      return sources.query(sql<ReadersRecord>`with asked as materialized ${asked},
        readers as (select place.client_id as client_id, place.access_key as access_key, count(*) as n
          from (select distinct client_id, access_key from asked where access_key <> 0) as place
          cross join user_clients listed cross join users person cross join roles held
          where listed.client_id = place.client_id and person.id = listed.user_id and held.id = person.role_id
            and held.system_key = 'client' and (place.access_key < 0 or exists (select 1 from user_report_types typed
              where typed.user_id = person.id and typed.report_type_id = place.access_key))
          group by place.client_id, place.access_key)
        select asked.id as "fileId", coalesce(readers.n, 0) as "people", asked.opened_by_client_at as "openedAt"
        from asked left join readers on readers.client_id = asked.client_id and readers.access_key = asked.access_key
        order by asked.id`);
    },
    { ids: listText(ids) },
  );
  return records.map(({ fileId, people, openedAt }) => ({
    fileId,
    people: Number(people),
    openedAt: instantOrNull(openedAt),
  }));
}
