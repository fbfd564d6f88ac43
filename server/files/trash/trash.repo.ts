// The list of what can be restored.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { instantRange } from '#contract/days.ts';
import { may } from '#contract/policy.ts';
import type { TrashQuery, TrashRow } from '#contract/trash.ts';
import { DOCUMENT } from '../../people/access/reach.ts';
import { readPage } from '../../people/access/read-page.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import { type Conditions, filtersOf } from '../../platform/db/filters.ts';
import { type Page, rowCount } from '../../platform/db/list.ts';
import { param } from '../../platform/db/statement.ts';
import { canBeRestored, fileTypeOf } from './entries.ts';
import { isHeldEntry, isHeldItself } from './holds.ts';

const columns = [
  'trash.kind as kind',
  'trash.item_id as id',
  'trash.name as name',
  'trash.access_key as accessKey',
  'trash.client_id as clientId',
  'trash.files as files',
  'trash.users as users',
  'trash.deleted_at as deletedAt',
  'trash.deleted_by_name as deletedByName',
  'trash.gone_at as goneAt',
] as const;

/** What a row has otherwise than the database. */
type Apart = 'fileType' | 'clientInTrash' | 'onHold' | 'ownHold' | 'deletedAt' | 'goneAt';

interface TrashRecord extends Omit<TrashRow, Apart> {
  accessKey: number | null;
  deletedAt: number;
  goneAt: number;
  /** As the engine writes yes and no. */
  clientInTrash: number | boolean;
  onHold: number | boolean;
  ownHold: number | boolean;
}

const clientInTrash = sql<
  number | boolean
>`(trash.kind = 'file' and not exists (select 1 from clients where clients.id = trash.client_id))`;

/** Of a file as the client is called now, where that is there: it may have had another name at the deletion. */
const clientName = sql<string>`coalesce(
  (select called.name from clients called where called.id = trash.client_id), trash.client_name)`;

/** Whether the client is called so now. By its name at the deletion it is found too. */
const isCalledNow = (pattern: RawBuilder<unknown>, as: 'form' | 'written') =>
  sql<SqlBool>`exists (select 1 from clients called where called.id = trash.client_id
    and ${sql.ref(as === 'form' ? 'called.search_name' : 'called.name')} like ${pattern} escape '\\')`;

/** What is restored by itself, and is not over. */
const listed = sql<SqlBool>`(trash.with_client = 0 and ${canBeRestored(param<number>('at'))})`;

const conditions = {
  noun: () => sql`(case when trash.kind = 'client' then 'client' when trash.access_key = ${sql.lit(DOCUMENT)} then 'company_document'
    else 'report' end) = ${param('noun')}`,
  deletedById: () => sql`trash.deleted_by_id = ${param('deletedById')}`,
  from: () => sql`trash.deleted_at >= ${param('from')}`,
  before: () => sql`trash.deleted_at < ${param('before')}`,
} as const satisfies Conditions<string>;

/** One page of the trash in reach, and how much of it matches. */
export async function listTrash(scope: ReadScope, query: TrashQuery, at: number): Promise<Page<TrashRow>> {
  const { noun, deletedById } = query;
  const { from, before } = instantRange(query);
  const filters = filtersOf(conditions, [], { noun, deletedById, from, before });
  const { rows, total } = await readPage<TrashRecord, 'name' | 'client' | 'deleted' | 'deletedBy' | 'gone'>(
    scope,
    query,
    {
      name: `trash ${filters.key}`,
      sortColumns: {
        name: 'trash.name_key',
        client: sql`lower(${clientName})`,
        deleted: 'trash.deleted_at',
        deletedBy: sql`lower(trash.deleted_by_name)`,
        gone: 'trash.gone_at',
      },
      sort: query.sort ?? '-deleted',
      idColumn: 'trash.id',
      searched: {
        forms: ['trash.search_text'],
        written: ['trash.name', 'trash.client_name'],
        further: isCalledNow,
      },
      values: { at, ...filters.values },
      rows: (sources, found) =>
        sources
          .trash()
          .where(listed)
          .where(filters.on('trash'))
          .where(found)
          .select(columns)
          .select([
            clientName.as('clientName'),
            clientInTrash.as('clientInTrash'),
            isHeldEntry.as('onHold'),
            isHeldItself.as('ownHold'),
          ]),
      count: (sources, found) =>
        sources.trash().where(listed).where(filters.on('trash')).where(found).select(rowCount.as('total')),
    },
  );
  return { rows: rows.map((row) => present(scope, row)), total };
}

function present({ viewer }: ReadScope, { accessKey, deletedAt, goneAt, ...row }: TrashRecord): TrashRow {
  // A number would tell somebody with access lists of files that were out of reach.
  const counts = viewer.reach === 'all' ? {} : { files: null, users: null };
  return {
    ...row,
    ...counts,
    fileType: row.kind === 'file' ? fileTypeOf(accessKey) : null,
    clientInTrash: Boolean(row.clientInTrash),
    onHold: Boolean(row.onHold),
    ownHold: may(viewer, 'holds.read') ? Boolean(row.ownHold) : null,
    deletedAt: new Date(deletedAt).toISOString(),
    goneAt: new Date(goneAt).toISOString(),
  };
}
