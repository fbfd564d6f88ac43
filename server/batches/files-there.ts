// What is there already of documents of a batch: files in reach of the same client, type and period, and files of the same bytes.
import { sql } from 'kysely';
import { refuseFields } from '#contract/errors.ts';
import { NOT_TO_CORRECT, NOT_TO_REPLACE } from '#contract/files.ts';
import { periodKey } from '#contract/period.ts';
import { findFile } from '../files/find.ts';
import { isHeldFile } from '../files/trash/holds.ts';
import type { ReadScope } from '../people/access/scope.ts';
import { isListedId, isListedKey, listText } from '../platform/db/id-list.ts';
import { param } from '../platform/db/statement.ts';
import { isWholeFile, type NamedDocument } from './document-name.ts';
import type { EnteredDocument } from './document-rows.ts';
import type { ProposedDocument } from './recognition/proposal.ts';

interface Place {
  readonly clientId: number | null;
  readonly reportTypeId: number | null;
  readonly period: string | null;
}

/** The file that is spoken of where a document would go; `only` where there is no other. */
export interface FileThere {
  readonly fileId: number;
  readonly name: string;
  readonly only: boolean;
  /** It is not replaced. */
  readonly onHold: boolean;
}

const placeKey = ({ clientId, reportTypeId, period }: Place) => `${clientId} ${reportTypeId} ${period}`;
const isKnown = ({ clientId, reportTypeId, period }: Place) =>
  clientId !== null && reportTypeId !== null && period !== null;

/**
 * What is there at each of these places: of the files in one, the chosen one where it is there, or the newest. Null where there is
 * none, and for a place that is not known whole. However many files a place has, two of them are looked at.
 */
export async function filesThere(
  scope: ReadScope,
  places: readonly Place[],
  chosen: readonly number[] = [],
): Promise<(place: Place, chosenId?: number | null) => FileThere | null> {
  const known = places.filter(isKnown);
  if (known.length === 0) return () => null;
  const byPlace = await newestAt(scope, known);
  const named = await scope
    .files()
    .select([
      'files.id as fileId',
      'files.original_name as name',
      'files.client_id as clientId',
      'files.report_type_id as reportTypeId',
      'files.period as period',
      sql<number>`case when ${isHeldFile('files')} then 1 else 0 end`.as('held'),
    ])
    .where(isListedId('files.id', listText([...new Set([...chosen, ...[...byPlace.values()].flat()])])))
    .execute();
  const byId = new Map(named.map((file) => [file.fileId, file]));
  return (place, chosenId = null) => {
    const there = isKnown(place) ? byPlace.get(placeKey(place)) : undefined;
    if (there === undefined) return null;
    const mine = chosenId === null ? undefined : byId.get(chosenId);
    const file = mine !== undefined && placeKey(mine) === placeKey(place) ? mine : byId.get(Math.max(...there));
    if (file === undefined) return null;
    return { fileId: file.fileId, name: file.name, only: there.length === 1, onHold: file.held === 1 };
  };
}

/** The ids of the newest file and the one before at each of these places that has any. */
async function newestAt(scope: ReadScope, places: readonly Place[]): Promise<ReadonlyMap<string, readonly number[]>> {
  const sought = places.map((place) => {
    const { clientId: client, reportTypeId: type, period } = place;
    return [placeKey(place), { client, type, period, key: periodKey(period ?? '') }] as const;
  });
  const rows = await scope.prepared<{ place: string; ids: string | null }>(
    'batches.there',
    (sources) => {
      const { from, where } = sources.filesAlong('files_client_period');
      // The type as the index has it too: files of others are passed over there.
      const newest = sql`select file.id as id from ${from} where ${where} and file.client_id = place.client_id
        and file.period_key = place.period_key and file.access_key = place.type_id
        and file.report_type_id = place.type_id and file.period = place.period
        order by file.id desc limit 2`;
      return sources.query(sql<{ place: string; ids: string | null }>`select place.name as "place",
        (select string_agg(cast(two.id as text), ',') from (${newest}) as two) as "ids"
        from (select listed.key as name, cast(listed.value ->> 'client' as bigint) as client_id,
          cast(listed.value ->> 'type' as bigint) as type_id, listed.value ->> 'period' as period,
          listed.value ->> 'key' as period_key from json_each(${param('places')}) as listed) as place`);
    },
    { places: JSON.stringify(Object.fromEntries(sought)) },
  );
  return new Map(
    rows.flatMap(({ place, ids }) => (ids === null ? [] : [[place, ids.split(',').map(Number)] as const])),
  );
}

/**
 * Refuses what is to be replaced or corrected by a document, and is not filed any more where the document goes: somebody may have filed it
 * elsewhere, or for another period, since a reviewer said so.
 */
export async function assertThereStill(
  scope: ReadScope,
  document: Place & { readonly replacesFileId: number | null; readonly correctsFileId: number | null },
): Promise<void> {
  const isElsewhere = async (id: number | null) => {
    if (id === null) return false;
    const file = await findFile(scope, id);
    return file === null || placeKey(file) !== placeKey(document);
  };
  if (await isElsewhere(document.replacesFileId)) throw refuseFields({ replaces: NOT_TO_REPLACE });
  if (await isElsewhere(document.correctsFileId)) throw refuseFields({ corrects: NOT_TO_CORRECT });
}

/** Those of these files that are in reach: one that was recalled is, once it was restored from the trash. */
export async function filesInLists(scope: ReadScope, ids: readonly number[]): Promise<ReadonlySet<number | null>> {
  if (ids.length === 0) return new Set();
  const rows = await scope
    .files()
    .select('files.id as id')
    .where(isListedId('files.id', listText(ids)))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** What a document is made of. */
interface Content extends Pick<NamedDocument, 'fromPage' | 'toPage' | 'filePages'> {
  readonly clientId: number | null;
  /** Of the file that it came in. */
  readonly sha256: string;
}

/** A file in reach with the bytes of a document; of several the newest, and of its own client before others. */
export interface FileOfSameBytes {
  readonly fileId: number;
  readonly name: string;
  readonly clientId: number;
  /** How that is known: by the bytes of the whole file, or since these pages of the same file were released before. */
  readonly of: 'file' | 'pages';
}

/**
 * Files of the same bytes as these documents. A whole file is known by its SHA-256. Some pages of a file have bytes of their own only
 * once they are released: they are known where the same pages of a file of the same bytes were. Out of reach, nothing is there.
 */
export async function filesOfSameBytes(
  scope: ReadScope,
  documents: readonly Content[],
): Promise<(document: Content) => FileOfSameBytes | null> {
  const [parts, whole] = [documents.filter((document) => !isWholeFile(document)), documents.filter(isWholeFile)];
  const newest = new Map<string, number>();
  const note = (key: string, clientId: number, fileId: number) => {
    newest.set(`${key} ${clientId}`, fileId);
    newest.set(key, Math.max(newest.get(key) ?? 0, fileId));
  };
  for (const { sha256, clientId, fileId } of await filesWithBytes(scope, whole)) note(sha256, clientId, fileId);
  for (const { sha256, fromPage, toPage, clientId, fileId } of await filesOfPages(scope, parts)) {
    note(`${sha256} ${fromPage}-${toPage}`, clientId, fileId);
  }
  const fileOf = (document: Content) => {
    const { sha256, fromPage, toPage, clientId } = document;
    const key = isWholeFile(document) ? sha256 : `${sha256} ${fromPage}-${toPage}`;
    return newest.get(`${key} ${clientId}`) ?? newest.get(key);
  };
  if (newest.size === 0) return () => null;
  const named = await scope
    .files()
    .select(['files.id as fileId', 'files.original_name as name', 'files.client_id as clientId'])
    .where(isListedId('files.id', listText([...new Set(documents.flatMap((document) => fileOf(document) ?? []))])))
    .execute();
  const byId = new Map(named.map((file) => [file.fileId, file]));
  return (document) => {
    const file = byId.get(fileOf(document) ?? 0);
    return file === undefined ? null : { ...file, of: isWholeFile(document) ? 'file' : 'pages' };
  };
}

const bytesOf = (documents: readonly Content[]) => listText([...new Set(documents.map(({ sha256 }) => sha256))]);

/** The newest file of each client with the bytes of one of these. */
async function filesWithBytes(scope: ReadScope, documents: readonly Content[]) {
  if (documents.length === 0) return [];
  return scope
    .files()
    .select(['files.sha256 as sha256', 'files.client_id as clientId', ({ fn }) => fn.max('files.id').as('fileId')])
    .where(isListedKey('files.sha256', bytesOf(documents)))
    .groupBy(['files.sha256', 'files.client_id'])
    .execute();
}

/** The newest file of each client that these pages of the same bytes became, whoever had dropped them. */
async function filesOfPages(scope: ReadScope, documents: readonly Content[]) {
  if (documents.length === 0) return [];
  return (
    scope
      .files()
      .innerJoin('batch_documents as piece', 'piece.released_file_id', 'files.id')
      .innerJoin('batch_files as source', (join) =>
        join.onRef('source.id', '=', 'piece.batch_file_id').onRef('source.batch_id', '=', 'piece.batch_id'),
      )
      .select([
        'source.sha256 as sha256',
        'piece.from_page as fromPage',
        'piece.to_page as toPage',
        'files.client_id as clientId',
        ({ fn }) => fn.max('files.id').as('fileId'),
      ])
      .where(isListedKey('source.sha256', bytesOf(documents)))
      // Of what was recalled there is a file once it was restored from the trash.
      .where('piece.state', 'in', ['released', 'recalled'])
      .where(isListedId('piece.from_page', listText([...new Set(documents.map(({ fromPage }) => fromPage))])))
      .groupBy(['source.sha256', 'piece.from_page', 'piece.to_page', 'files.client_id'])
      .execute()
  );
}

/** Proposals with the file that each corrects: the one there, where it is a correction; of several, a person chooses. */
export async function withCorrected(
  scope: ReadScope,
  proposed: readonly ProposedDocument[],
): Promise<readonly EnteredDocument[]> {
  const thereAt = await filesThere(
    scope,
    proposed.filter(({ correction }) => correction),
  );
  return proposed.map((document) => {
    const there = document.correction ? thereAt(document) : null;
    return { ...document, correctsFileId: there?.only === true ? there.fileId : null };
  });
}
