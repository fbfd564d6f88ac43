// Earlier versions of a file: what took whose place, read by whoever reaches the newest. What goes and comes back is in `server/files/trash/`.
import { type Expression, type SqlBool, sql } from 'kysely';
import { replacedDetails, replacesDetails } from '#contract/activity-words.ts';
import { refuse, refuseFields } from '#contract/errors.ts';
import { type FileVersion, type FileVersions, OPENERS_NAMED_MAX, VERSIONS_SHOWN_MAX } from '#contract/file-versions.ts';
import {
  type FileRow,
  NOT_TO_REPLACE,
  REPLACES_ELSEWHERE,
  REPLACES_ITSELF,
  type RefileInput,
} from '#contract/files.ts';
import { may, type Proof } from '#contract/policy.ts';
import { isOpeningByClient, openedAt } from '../audit/file-opens.ts';
import { record } from '../audit/record.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import type { Sources } from '../people/access/sources.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import { rowCount } from '../platform/db/list.ts';
import { findFile, type StoredFile } from './find.ts';
import { standsAt } from './place.ts';
import { deletionBy } from './trash/entries.ts';
import { lockRow } from './trash/kept-rows.ts';
import { keepAsVersion } from './trash/trashed-files.ts';

/** A column of the row that a version was; `kept` is the row of `trashed_rows` that has it. A text compares as in its table. */
export function keptColumn<T>(engine: DatabaseKind, name: string) {
  const value = sql`${engine === 'postgres' ? sql`kept.content::json` : sql`kept.content`} ->> ${sql.lit(name)}`;
  return {
    text: engine === 'postgres' ? sql<T>`((${value}) collate "C")` : sql<T>`(${value})`,
    number: sql<T>`cast(${value} as bigint)`,
  };
}

/** Earlier versions as staff see them, each with the row that it was. */
const withRows = (scope: Pick<Sources, 'versions'>) =>
  scope
    .versions()
    .innerJoin('trashed_rows as kept', (join) =>
      join.onRef('kept.trash_id', '=', 'version.id').on('kept.table_name', '=', 'files'),
    );

/** Those of one file, the row `file` of the query around it; `kept` has their columns. */
export const withRowsOfFile = (sources: Pick<Sources, 'versions'>) =>
  withRows(sources).where(sql<SqlBool>`files.id = file.id`);

/** An earlier version to be served: to staff who reach the newest. */
export interface StoredVersion extends StoredFile {
  readonly newestId: number;
}

export async function findStoredVersion(scope: ReadScope, id: number): Promise<StoredVersion | null> {
  const column = <T>(name: string) => keptColumn<T>(scope.engine, name);
  const row = await withRows(scope)
    .innerJoin('clients', 'clients.id', 'files.client_id')
    .select([
      'version.item_id as id',
      'version.name as originalName',
      sql<string>`version.storage_key`.as('storageKey'),
      column<number>('size_bytes').number.as('sizeBytes'),
      sql<string>`version.sha256`.as('sha256'),
      column<string>('content_type').text.as('contentType'),
      'clients.id as clientId',
      'clients.name as clientName',
      'files.id as newestId',
    ])
    .where('version.item_id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, sizeBytes: Number(row.sizeBytes) };
}

/** The newest file of which `id` is an earlier version, within reach; null where it is none. */
export async function findNewestOf(scope: ReadScope, id: number): Promise<number | null> {
  const row = await scope.replaced().select('files.id as id').where('version.item_id', '=', id).executeTakeFirst();
  return row?.id ?? null;
}

/** The newest file in the place of each of these, within reach, by the ids of those that are an earlier version. */
export async function findNewestOfEach(
  scope: ReadScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Pick<FileRow, 'clientId' | 'originalName'>>> {
  if (ids.length === 0) return new Map();
  const rows = await scope
    .replaced()
    .select(['version.item_id as id', 'files.client_id as clientId', 'files.original_name as originalName'])
    .where(isListedId('version.item_id', listText(ids)))
    .execute();
  return new Map(rows.map(({ id, ...newest }) => [id, newest]));
}

/** What was sent as a file that is an earlier version by now, and the newest one. */
export interface ReplacedUpload {
  readonly newestId: number;
  readonly sha256: string;
  readonly period: string | null;
  readonly corrects: { readonly id: number } | null;
}

/** The viewer's upload under this key, where another file has taken its place; `among` (over `version`) says which are looked at. */
export async function findReplacedUpload(
  scope: ReadScope,
  idempotencyKey: string,
  among: Expression<SqlBool>,
): Promise<ReplacedUpload | null> {
  const column = <T>(name: string) => keptColumn<T>(scope.engine, name);
  const row = await scope
    .replaced()
    .innerJoin('trashed_rows as kept', (join) =>
      join.onRef('kept.trash_id', '=', 'version.id').on('kept.table_name', '=', 'files'),
    )
    .select([
      'files.id as newestId',
      sql<string>`version.sha256`.as('sha256'),
      column<string | null>('period').text.as('period'),
      column<number | null>('corrects_id').number.as('correctsId'),
    ])
    .where('version.uploaded_by_id', '=', scope.viewer.id)
    .where(column<string | null>('idempotency_key').text, '=', idempotencyKey)
    .where(among)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { correctsId, ...sent } = row;
  return { ...sent, corrects: correctsId === null ? null : { id: Number(correctsId) } };
}

/** Somebody of a client who opened an earlier version. */
interface Opener {
  readonly versionId: number;
  readonly name: string;
  /** Their account, by now. */
  readonly isGone: boolean;
  /** Of somebody of a client out of reach only that there was one is told: a file that was filed with the wrong client had others. */
  readonly isNamed: boolean;
  readonly at: number;
}

/** Who of the clients' people opened which earlier version of a file, the last of them first. */
async function findOpeners(scope: ReadScope, newestId: number): Promise<Opener[]> {
  const openedByClientAt = keptColumn<number | null>(scope.engine, 'opened_by_client_at').number;
  const reached = scope.clients().select('clients.id');
  const rows = await withRows(scope)
    .innerJoin('activity as entry', 'entry.file_id', 'version.item_id')
    .leftJoin('users as person', 'person.id', 'entry.user_id')
    .leftJoin('roles as held', 'held.id', 'person.role_id')
    .where('version.version_of', '=', newestId)
    .where(isOpeningByClient('version.uploaded_by_id', openedByClientAt))
    .groupBy(['version.item_id', 'entry.user_id'])
    .select([
      'version.item_id as versionId',
      sql<string>`max(coalesce(person.full_name, entry.user_name))`.as('name'),
      sql<number>`max(case when person.id is null then 1 else 0 end)`.as('isGone'),
      sql<number>`max(case when entry.client_id in (${reached}) then 1 else 0 end)`.as('isNamed'),
      sql<number>`max(${openedAt})`.as('lastAt'),
    ])
    .orderBy('lastAt', 'desc')
    .execute();
  return rows.map(({ isGone, isNamed, lastAt, ...row }) => ({
    ...row,
    isGone: Number(isGone) === 1,
    isNamed: Number(isNamed) === 1,
    at: Number(lastAt),
  }));
}

const presentOpened = (openers: readonly Opener[]): FileVersion['opened'] => ({
  people: openers.length,
  latest: openers
    .filter(({ isNamed }) => isNamed)
    .slice(0, OPENERS_NAMED_MAX)
    .map(({ name, isGone }) => ({ name, isGone })),
  at: openers[0] === undefined ? null : new Date(openers[0].at).toISOString(),
});

/** The earlier versions of a file, newest first and numbered from the first; null for whom they are not. */
export async function findVersions(scope: ReadScope, file: FileRow): Promise<FileVersions | null> {
  if (!may(scope.viewer, 'files.read-versions')) return null;
  const column = <T>(name: string) => keptColumn<T>(scope.engine, name);
  const rows = await withRows(scope)
    .leftJoin('users as uploader', 'uploader.id', 'version.uploaded_by_id')
    .select([
      'version.item_id as id',
      'version.name as originalName',
      column<number>('size_bytes').number.as('size'),
      column<string>('content_type').text.as('contentType'),
      column<number>('uploaded_at').number.as('uploadedAt'),
      sql<string>`coalesce(uploader.full_name, ${column('uploader_name').text})`.as('uploaderName'),
      'version.uploaded_by_id as uploadedById',
      'version.deleted_at as replacedAt',
      'version.deleted_by_id as replacedById',
      'version.deleted_by_name as replacedByName',
      'version.replaced_because as because',
    ])
    .where('version.version_of', '=', file.id)
    .orderBy('version.deleted_at', 'desc')
    .orderBy('version.id', 'desc')
    .limit(VERSIONS_SHOWN_MAX)
    .execute();
  const total =
    rows.length < VERSIONS_SHOWN_MAX
      ? rows.length
      : Number(
          (
            await scope
              .versions()
              .select(rowCount.as('n'))
              .where('version.version_of', '=', file.id)
              .executeTakeFirstOrThrow()
          ).n,
        );
  const openers = may(scope.viewer, 'files.read-readers')
    ? Map.groupBy(await findOpeners(scope, file.id), ({ versionId }) => versionId)
    : null;
  return {
    total,
    rows: rows.map(({ size, uploadedAt, replacedAt, uploadedById, replacedById, ...row }, nth) => ({
      ...row,
      nth: total - nth,
      size: Number(size),
      uploadedAt: new Date(Number(uploadedAt)).toISOString(),
      replacedAt: new Date(replacedAt).toISOString(),
      opened: openers && presentOpened(openers.get(row.id) ?? []),
      mayPutBack:
        !file.onHold &&
        may(scope.viewer, 'files.restore', {
          fileType: file.fileType,
          uploadedById,
          deletedById: replacedById,
          losesType: false,
        }),
    })),
  };
}

/** Where the newer file is filed: what it takes the place of is there too. */
interface SamePlace extends Pick<FileRow, 'clientId' | 'fileType'> {
  readonly reportTypeId?: number | null | undefined;
  readonly documentType?: string | null | undefined;
}

/**
 * Finds the file that another one at `place` is to take the place of, as far as the viewer may delete it. Refuses one that is missing
 * and one that is out of reach by the same words.
 */
export async function findReplaced(scope: ReadScope, id: number, place: SamePlace, ownId?: number): Promise<FileRow> {
  if (id === ownId) throw refuseFields({ replaces: REPLACES_ITSELF });
  const file = await findFile(scope, id);
  if (file === null) throw refuseFields({ replaces: NOT_TO_REPLACE });
  const isThere =
    file.clientId === place.clientId &&
    file.fileType === place.fileType &&
    file.reportTypeId === (place.reportTypeId ?? null) &&
    file.documentType === (place.documentType ?? null);
  if (!isThere) throw refuseFields({ replaces: REPLACES_ELSEWHERE });
  scope.authorize('files.delete', file);
  return file;
}

/** What takes whose place, and why. */
export interface Replacing {
  readonly earlier: FileRow;
  readonly newer: Pick<FileRow, 'id' | 'originalName'>;
  readonly because: string | undefined;
}

/**
 * Keeps `earlier` as an earlier version of `newer`, which is there: with its entry in the log. Refuses `on_hold`, and on `replaces` where
 * somebody else was faster.
 */
export async function replaceWithin(
  scope: WriteScope,
  proof: Proof<'files.upload' | 'files.refile'>,
  { earlier, newer, because }: Replacing,
  at: number,
): Promise<void> {
  scope.authorize('files.delete', earlier);
  const tx = { db: scope.unscoped(proof), engine: scope.engine };
  const isKept = await keepAsVersion(tx, earlier.id, sql<SqlBool>`${standsAt(earlier)}`, {
    replaced: { byId: newer.id, because: because ?? null },
    deletion: deletionBy(scope, at, { trashDays: 0 }),
  });
  if (!isKept) throw refuseFields({ replaces: NOT_TO_REPLACE });
  const { id, originalName: name, clientId, clientName } = earlier;
  await record(
    scope,
    proof,
    {
      action: 'update',
      details: replacedDetails(name, newer.originalName, because),
      file: { id, name },
      client: { id: clientId, name: clientName },
    },
    at,
  );
}

/**
 * A stored file takes the place of `replaces`, where it is filed itself. Refuses `gone_meanwhile` where somebody else deleted, replaced or
 * moved it.
 */
export async function takePlaceOf(
  scope: WriteScope,
  proof: Proof<'files.refile'>,
  newer: Pick<FileRow, 'id' | 'originalName' | 'clientId' | 'fileType' | 'reportTypeId' | 'documentType'>,
  { replaces, replacedBecause }: Pick<RefileInput, 'replaces' | 'replacedBecause'>,
  at: number,
): Promise<void> {
  if (replaces === undefined) return;
  const { id, originalName: name } = newer;
  await lockRow({ db: scope.unscoped(proof), engine: scope.engine }, 'files', id);
  const there = await findFile(scope, id);
  const isThere =
    there?.clientId === newer.clientId &&
    there.fileType === newer.fileType &&
    there.reportTypeId === newer.reportTypeId;
  if (!isThere) throw refuse('gone_meanwhile');
  const earlier = await findReplaced(scope, replaces, newer, id);
  await replaceWithin(scope, proof, { earlier, newer, because: replacedBecause }, at);
  const details = replacesDetails(name, earlier.originalName);
  const client = { id: earlier.clientId, name: earlier.clientName };
  await record(scope, proof, { action: 'update', details, file: { id, name }, client }, at);
}
