// What is there already where documents of a batch would go: files in reach of the same client, type and period.
import { periodKey } from '#contract/period.ts';
import type { ReadScope } from '../access/scope.ts';
import { isListedId, isListedKey, listText } from '../db/id-list.ts';
import type { EnteredDocument } from './document-rows.ts';
import type { ProposedDocument } from './recognition/proposal.ts';

interface Place {
  readonly clientId: number | null;
  readonly reportTypeId: number | null;
  readonly period: string | null;
}

interface FileThere {
  readonly fileId: number;
  readonly name: string;
}

const placeKey = ({ clientId, reportTypeId, period }: Place) => `${clientId} ${reportTypeId} ${period}`;

/** What is there at each of these places, oldest first; places that are not known whole have nothing. */
export async function filesThere(
  scope: ReadScope,
  places: readonly Place[],
): Promise<(place: Place) => readonly FileThere[]> {
  const known = places.filter(
    ({ clientId, reportTypeId, period }) => clientId !== null && reportTypeId !== null && period !== null,
  );
  if (known.length === 0) return () => [];
  const found = await scope
    .files()
    .select([
      'files.id as fileId',
      'files.original_name as name',
      'files.client_id as clientId',
      'files.report_type_id as reportTypeId',
      'files.period as period',
    ])
    .where(isListedId('files.client_id', listText([...new Set(known.flatMap(({ clientId }) => clientId ?? []))])))
    // By the key of the period, which the index has: a client may have thousands of files.
    .where(isListedKey('files.period_key', listText([...new Set(known.map(({ period }) => periodKey(period ?? '')))])))
    .where('files.period', 'is not', null)
    .orderBy('files.id')
    .execute();
  const byPlace = Map.groupBy(found, placeKey);
  return (place) => byPlace.get(placeKey(place))?.map(({ fileId, name }) => ({ fileId, name })) ?? [];
}

/** Proposals with the file that each corrects: the one there, where it is a correction; of several, a person chooses. */
export async function withCorrected(
  scope: ReadScope,
  proposed: readonly ProposedDocument[],
): Promise<readonly EnteredDocument[]> {
  const there = await filesThere(
    scope,
    proposed.filter(({ correction }) => correction),
  );
  return proposed.map((document) => {
    const [only, ...others] = document.correction ? there(document) : [];
    return { ...document, correctsFileId: others.length > 0 ? null : (only?.fileId ?? null) };
  });
}
