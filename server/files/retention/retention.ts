// Which files are due: their years are over by the server's day. Nothing is ever disposed of by itself.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { FLOOR_DAY, floorYearOf } from '#contract/retention-words.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import type { DatabaseKind } from '../../platform/db/database.ts';
import { param } from '../../platform/db/statement.ts';
import { isHeldFile } from '../trash/holds.ts';

/** How many years such a file is kept; null for ever. */
const years = sql<number | null>`(case when files.report_type_id is null
  then (select decided.untyped_retention_years from firm_settings decided where decided.id = 1) else report_types.retention_years end)`;

/** The day from which years are counted, YYYY-MM-DD: the end of the period, else the day of the upload (UTC), which `period_key` then is. */
const base = sql`(case when files.period is null then files.period_key
  when length(files.period) = 4 then files.period || '-12-31'
  when substr(files.period, 6, 1) = 'Q' then substr(files.period, 1, 4) || (case substr(files.period, 7, 1)
    when '1' then '-03-31' when '2' then '-06-30' when '3' then '-09-30' else '-12-31' end)
  when length(files.period) = 7 then files.period || (case
    when substr(files.period, 6) = '02' then '-29' when substr(files.period, 6) in ('04', '06', '09', '11') then '-30' else '-31' end)
  else files.period end)`;

const baseYear = sql`cast(substr(${base}, 1, 4) as integer)`;

/** The day on which it is due, YYYY-MM-DD. The last day of a February that has 29, as which every February counts, is followed by 1 March where it has 28. */
function dueOn(engine: DatabaseKind): RawBuilder<string> {
  const later = sql`((${baseYear} + ${years}) || replace(substr(${base}, 5), '-02-29', '-03-01'))`;
  const floor = sql`((${baseYear} + ${sql.lit(floorYearOf(0))}) || ${sql.lit(FLOOR_DAY)})`;
  return engine === 'postgres' ? sql<string>`greatest(${later}, ${floor})` : sql<string>`max(${later}, ${floor})`;
}

/**
 * A text above the `period_key` of whatever is due on `today`: the least years of all are over since its own year, and so is the floor. An
 * index of periods leads to those files, where every file would be asked. Empty, and so above nothing, where all is kept for ever.
 */
export async function aboveDueKeys(scope: ReadScope, today: string): Promise<string> {
  const [row] = await scope.prepared<{ least: number | null }>('retention.least-years', (sources) =>
    sources.query(sql<{ least: number | null }>`select min(kept.years) as least from (
      select typed.retention_years as years from report_types typed
      union all select decided.untyped_retention_years from firm_settings decided where decided.id = 1) as kept`),
  );
  const least = row?.least ?? null;
  return least === null ? '' : String(Number(today.slice(0, 4)) - Math.max(least, floorYearOf(0)) + 1);
}

/** The ids of the files that wait in a disposal. */
export const orderedFileIds = sql`select asked.file_id from disposal_files asked where asked.outcome = 'waiting'`;

/** The due files in reach as of the day in the parameter `today`, with what is shown of them. */
export function dueFiles(sources: Sources) {
  const due = dueOn(sources.engine);
  return sources
    .files()
    .innerJoin('clients', 'clients.id', 'files.client_id')
    .leftJoin('report_types', 'report_types.id', 'files.report_type_id')
    .where(sql<SqlBool>`${years} is not null`)
    .where(sql<SqlBool>`${due} <= ${param('today')}`)
    .select([
      'files.id as id',
      'files.original_name as originalName',
      'files.size_bytes as size',
      'files.sha256 as sha256',
      'files.file_type as fileType',
      'files.client_id as clientId',
      'clients.name as clientName',
      'files.report_type_id as reportTypeId',
      sql<string>`coalesce(report_types.name, files.document_type, '')`.as('typeName'),
      'files.period as period',
      'files.uploaded_at as uploadedAtMs',
      years.as('years'),
      due.as('dueOn'),
      isHeldFile('files').as('onHold'),
      sql<SqlBool>`files.id in (${orderedFileIds})`.as('ordered'),
    ])
    .$narrowType<{ years: number }>();
}
