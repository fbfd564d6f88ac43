// How a list of files is read: by a walk along an index until the page is full, or by gathering the few that match and sorting them.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { mayAttempt } from '#contract/policy.ts';
import type { FileIndex } from '../../people/access/file-reach.ts';
import { DOCUMENT, nothing, type RowSource } from '../../people/access/reach.ts';
import { narrowed, type ReadPlan } from '../../people/access/read-plan.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import { COUNTED_AT_MOST } from '../../platform/db/list.ts';
import type { WordMatch } from '../../platform/db/word-match.ts';
import { heldFileIds } from '../trash/holds.ts';
import { countFilesAtMost, countInCounters, filesEver } from './counts.ts';
import { type Narrowing, onePlaceOf } from './narrowing.ts';
import { newFileIds } from './news.ts';
import { filesWithWords } from './word-search.ts';

/** What the files of a list stand by, and then by their ids. */
const columns = {
  uploadedAt: 'uploaded_at',
  originalName: 'name_key',
  size: 'size_bytes',
  period: 'period_key',
} as const;
type Column = keyof typeof columns;

export interface ReadOrder {
  readonly column: Column;
  readonly direction: 'asc' | 'desc';
}

/** The column of `file` that an order stands by. */
export const placeOf = (column: Column) => sql.ref(`file.${columns[column]}`);

export interface Plan extends ReadPlan {
  /** Where the total comes from: the counters, what was gathered, an earlier count, or counting up to a limit. */
  readonly counts: 'counters' | 'found' | 'known' | 'at most';
}

/** A file gathered costs about as much as two passed over on a walk. */
const GATHERED_COST = 2;
/** So many files in reach are looked at rather than found by their words. */
const LOOKED_AT_MAX = 20_000;

/** The index that holds the list in this order, its narrowings first as far as there is one. */
export function indexFor(column: Column, { names, values }: Narrowing): FileIndex {
  const [ofClient, ofKey] = [names.has('clientId'), names.has('accessKey')];
  switch (column) {
    case 'uploadedAt':
      if (ofClient) return ofKey ? 'files_client_key_newest' : 'files_client_newest';
      if (names.has('withoutPeriod')) return 'files_without_period';
      if (names.has('unopened') && !ofKey) return 'files_unopened';
      if (names.has('documentType')) return 'files_document_type_newest';
      return ofKey ? 'files_key_newest' : 'files_newest';
    case 'originalName':
      if (ofClient) return 'files_client_name';
      if (ofKey) return 'files_key_name';
      return names.has('reports') ? 'files_kind_name' : 'files_name';
    case 'period':
      return ofClient ? 'files_client_period' : 'files_period';
    case 'size':
      return names.has('reports') || values['accessKey'] === DOCUMENT ? 'files_kind_size' : 'files_size';
  }
}

/** Whether everything the list is narrowed by stands at the beginning of that index. */
function isLedBy(index: FileIndex, { names, match }: Narrowing): boolean {
  const led: Partial<Record<FileIndex, readonly string[]>> = {
    files_key_newest: ['accessKey'],
    files_document_type_newest: ['accessKey', 'documentType'],
    files_kind_name: ['reports'],
    files_key_name: ['accessKey'],
    files_kind_size: ['reports'],
    files_without_period: ['withoutPeriod'],
    files_unopened: ['unopened', 'reports'],
  };
  return (
    match === null && [...names].every((name) => led[index]?.includes(name) || name === 'from' || name === 'before')
  );
}

/** The files of the list along one index. */
export function along(index: FileIndex, narrowing: Narrowing) {
  return (sources: Sources): RowSource => {
    const source = narrowed(sources.filesAlong(index, onePlaceOf(narrowing)), narrowing.on('file'));
    if (!index.startsWith('files_kind')) return source;
    const kind = narrowing.names.has('reports') ? 'report' : 'company_document';
    return narrowed(source, sql<SqlBool>`file.file_type = ${sql.lit(kind)}`);
  };
}

const ofOwnClients = (narrowing: Narrowing) => (sources: Sources) => sources.filesOfOwnClients(narrowing.on('file'));

/** The files of the list by date: as many as there are and hardly more, whatever order is wanted. */
export function wholeList(scope: ReadScope, narrowing: Narrowing): Pick<Plan, 'name' | 'source'> {
  if (scope.viewer.reach === 'lists' && !narrowing.names.has('clientId')) {
    return { name: 'own clients', source: ofOwnClients(narrowing) };
  }
  const { names } = narrowing;
  const byDate = names.has('periodFrom') && !names.has('clientId') ? 'files_period' : indexFor('uploadedAt', narrowing);
  // Of a firm with hardly any reports, those without the documents; days and words have narrowed more than that.
  const index = byDate === 'files_newest' && narrowing.counted ? 'files_key_newest' : byDate;
  return { name: index, source: along(index, narrowing) };
}

const ALONG_UNOPENED: readonly string[] = ['unopened', 'reports', 'accessKey', 'from', 'before'];

/** Whether what nobody has opened is found among all such reports sooner than among those that the list is narrowed to besides. */
async function areFewUnopened(scope: ReadScope, narrowing: Narrowing): Promise<boolean> {
  const { names, match, countedPart } = narrowing;
  if (!names.has('unopened') || match !== null || ![...names].every((name) => ALONG_UNOPENED.includes(name)))
    return false;
  // With access lists, they are looked for among all files in reach.
  const part = scope.viewer.reach === 'lists' ? null : countedPart;
  const name = part === null ? 'files.reach' : `files.total ${part.key} ${Object.values(part.values)}`;
  const others = await scope.estimate(name, () => countInCounters(scope, part));
  return others > LOOKED_AT_MAX;
}

/** The way that passes the fewest files. `take` is how many of the list's first files the page needs. */
export async function choosePlan(scope: ReadScope, narrowing: Narrowing, column: Column, take: number): Promise<Plan> {
  const fewUnopened = await areFewUnopened(scope, narrowing);
  const index = fewUnopened && column === 'uploadedAt' ? 'files_unopened' : indexFor(column, narrowing);
  const whole = fewUnopened
    ? { name: 'files_unopened', source: along('files_unopened', narrowing) }
    : wholeList(scope, narrowing);
  const counts = narrowing.counted ? 'counters' : 'at most';
  const walk: Plan = {
    name: `along ${index}`,
    kind: 'walk',
    source: along(index, narrowing),
    counts,
    countSource: whole.source,
    values: {},
  };
  const gather: Plan = { ...walk, ...whole, kind: 'gather', counts: narrowing.counted ? 'counters' : 'found' };

  const among = (name: string, ids: (sources: Sources) => RawBuilder<unknown>): Plan => {
    const source = (sources: Sources) => narrowed(sources.filesAmong(ids(sources)), narrowing.on('file'));
    return { ...gather, name, source, counts: 'found', countSource: source };
  };
  if (narrowing.names.has('marked')) return among('marked', (sources) => sources.markedFileIds());
  if (narrowing.names.has('onHold')) return among('on hold', () => heldFileIds);
  if (narrowing.names.has('isNew')) return among('new', (sources) => newFileIds(sources, scope.viewer));
  if (narrowing.names.has('unopened') && !mayAttempt(scope.viewer, 'files.read-readers')) {
    const source = (): RowSource => ({ from: sql`files as file`, where: nothing });
    return { ...gather, name: 'none', source, counts: 'found', countSource: source };
  }
  if (narrowing.match !== null) return chooseForWords(scope, narrowing, narrowing.match, { walk, gather });
  if (narrowing.names.has('clientId')) return column === 'size' ? gather : walk;
  if (scope.viewer.reach === 'all' && isLedBy(index, narrowing) && column === 'uploadedAt') return walk;
  if (!narrowing.counted) {
    const total = await countFilesAtMost(scope, narrowing, whole);
    const known: Plan = total > COUNTED_AT_MOST ? walk : gather;
    return { ...known, name: `${known.name} counted`, counts: 'known', values: { total } };
  }
  if (scope.viewer.reach === 'all' && isLedBy(index, narrowing)) return walk;
  const ever = await scope.estimate('files.ever', () => filesEver(scope));
  const listed = await scope.estimate(`files.total ${narrowing.key} ${Object.values(narrowing.values)}`, () =>
    countInCounters(scope, narrowing),
  );
  return GATHERED_COST * listed * listed < take * ever ? gather : walk;
}

/** Words: looked for in all of a small reach, found by names and letters where they are rare, met soon where they are common. */
async function chooseForWords(
  scope: ReadScope,
  narrowing: Narrowing,
  match: WordMatch,
  { walk, gather }: { readonly walk: Plan; readonly gather: Plan },
): Promise<Plan> {
  if (narrowing.names.has('clientId')) return gather;
  if (scope.viewer.reach === 'lists') {
    const reached = await scope.estimate('files.reach', () => countInCounters(scope, null));
    if (reached <= LOOKED_AT_MAX) return gather;
  }
  const found = await filesWithWords(scope, match);
  if (found === null) return walk;
  return {
    ...gather,
    name: found.name,
    source: (sources) => narrowed(found.source(sources), narrowing.on('file', found.on)),
    values: found.values,
  };
}
