// What is there already where documents of a batch would go: files in reach of the same client, type and period.
import { periodKey } from '#contract/period.ts';
import type { ReadScope } from '../access/scope.ts';
import { isListedId, isListedKey, listText } from '../db/id-list.ts';
import { rowCount } from '../db/list.ts';
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
}

const placeKey = ({ clientId, reportTypeId, period }: Place) => `${clientId} ${reportTypeId} ${period}`;
const isKnown = ({ clientId, reportTypeId, period }: Place) =>
  clientId !== null && reportTypeId !== null && period !== null;

/**
 * What is there at each of these places: of the files in one, the chosen one where it is there, or the newest. Null where there is
 * none, and for a place that is not known whole. However many files a place has, they are counted once and never listed.
 */
export async function filesThere(
  scope: ReadScope,
  places: readonly Place[],
  chosen: readonly number[] = [],
): Promise<(place: Place, chosenId?: number | null) => FileThere | null> {
  const known = places.filter(isKnown);
  if (known.length === 0) return () => null;
  const counted = await scope
    .files()
    .select([
      'files.client_id as clientId',
      'files.report_type_id as reportTypeId',
      'files.period as period',
      rowCount.as('count'),
      ({ fn }) => fn.max('files.id').as('newest'),
    ])
    .where(isListedId('files.client_id', listText([...new Set(known.flatMap(({ clientId }) => clientId ?? []))])))
    // By the key of the period, which the index has: a client may have thousands of files.
    .where(isListedKey('files.period_key', listText([...new Set(known.map(({ period }) => periodKey(period ?? '')))])))
    .where('files.period', 'is not', null)
    .groupBy(['files.client_id', 'files.report_type_id', 'files.period'])
    .execute();
  const wanted = new Set(known.map(placeKey));
  const byPlace = new Map(counted.flatMap((row) => (wanted.has(placeKey(row)) ? [[placeKey(row), row] as const] : [])));
  const named = await scope
    .files()
    .select([
      'files.id as fileId',
      'files.original_name as name',
      'files.client_id as clientId',
      'files.report_type_id as reportTypeId',
      'files.period as period',
    ])
    .where(
      isListedId('files.id', listText([...new Set([...chosen, ...[...byPlace.values()].map((row) => row.newest)])])),
    )
    .execute();
  const byId = new Map(named.map((file) => [file.fileId, file]));
  return (place, chosenId = null) => {
    const there = isKnown(place) ? byPlace.get(placeKey(place)) : undefined;
    if (there === undefined) return null;
    const mine = chosenId === null ? undefined : byId.get(chosenId);
    const file = mine !== undefined && placeKey(mine) === placeKey(place) ? mine : byId.get(there.newest);
    return file === undefined ? null : { fileId: file.fileId, name: file.name, only: there.count === 1 };
  };
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
