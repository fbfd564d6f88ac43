// What a reviewer's choice teaches: pages headed so are of this report type, a company called so is this client. The words are those
// that were read from the document, never the request's.
import { type RawBuilder, sql } from 'kysely';
import { otherNameDetails, phrasesDetails } from '#contract/activity-words.ts';
import type { Remembered } from '#contract/batch-words.ts';
import type { DocumentRow } from '#contract/batches.ts';
import { refuseFields } from '#contract/errors.ts';
import { keepsWords } from '#contract/policy/reach.ts';
import type { ReasonKind, SignalKind } from '#contract/recognition-words.ts';
import { searchForm } from '#contract/search.ts';
import { record } from '../audit/record.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import { isListedId, isListedKey, listText } from '../platform/db/id-list.ts';
import { inTurns } from '../platform/db/list.ts';
import { isReachedDocument } from './batch-documents.repo.ts';
import type { StoredProposal } from './document-rows.ts';
import { addOtherName } from './other-names.ts';
import { phraseKey } from './recognition/type-index.ts';
import { addPhrase, readPhrases } from './report-type-phrases.ts';
import { readOwnSuggested } from './suggested-rows.ts';
import { suggest } from './suggested-words.ts';

/** A document with what was proposed for it. */
export interface Recognised {
  readonly clientId: number | null;
  readonly reportTypeId: number | null;
  readonly proposal: StoredProposal;
}

/** What was not sure of a type or of a client, even where it was proposed. */
const TYPE_DOUBTS: ReadonlySet<ReasonKind> = new Set<ReasonKind>(['typeByFileName', 'severalTypes']);
const CLIENT_DOUBTS: ReadonlySet<ReasonKind> = new Set<ReasonKind>(['oneSignal', 'severalClients', 'anotherCompany']);

const wasDoubted = ({ reasons }: StoredProposal, doubts: ReadonlySet<ReasonKind>) =>
  reasons.some((reason) => doubts.has(reason));

const hasName = (names: readonly string[], name: string) => {
  const form = searchForm(name);
  return names.some((other) => searchForm(other) === form);
};

/** Where one of these stands, the client is called as the firm knows it: another company on the page is somebody else. */
const CLIENT_NAMES: ReadonlySet<SignalKind> = new Set<SignalKind>(['legalName', 'otherName', 'cutName']);

const namesItsClient = ({ clientId, proposal }: Recognised) =>
  proposal.clients.some((one) => one.clientId === clientId && one.signals.some(({ kind }) => CLIENT_NAMES.has(kind)));

const printedKey = ({ proposal }: Pick<Recognised, 'proposal'>) => searchForm(proposal.printedName ?? '');

const PROPOSAL = sql.ref('document.proposal');
/** No name is as long. */
const FROM_NAME = sql`substr(${PROPOSAL}, strpos(${PROPOSAL}, '"printedName":"'), 1300)`;
const PRINTED = sql.lit(String.raw`^"printedName":("(?:[^"\\]|\\.)*")`);

/** The printed name in a stored proposal as JSON writes it: the rest of a proposal is long, and a batch has thousands of them. */
const printedIn: Readonly<Record<DatabaseKind, RawBuilder<string | null>>> = {
  sqlite: sql<string | null>`${PROPOSAL} -> 'printedName'`,
  // Not as JSON, of which PostgreSQL refuses some that texts of PDFs make.
  postgres: sql<string | null>`substring(${FROM_NAME} from ${PRINTED})`,
};

const ids = (all: readonly (number | null)[]) => [...new Set(all.flatMap((id) => id ?? []))];

/** What each document's choices would teach: nothing where recognition was sure of the same, or knows the words already. */
export async function rememberableOf(
  scope: ReadScope,
  batchId: number,
  documents: readonly Recognised[],
): Promise<DocumentRow['rememberable'][]> {
  const typed = documents.filter(
    ({ reportTypeId, proposal }) =>
      reportTypeId !== null &&
      proposal.heading !== null &&
      (reportTypeId !== proposal.reportTypeId || wasDoubted(proposal, TYPE_DOUBTS)),
  );
  const named = documents.filter(
    (document) =>
      document.clientId !== null &&
      document.proposal.printedName !== null &&
      (document.clientId !== document.proposal.clientId || wasDoubted(document.proposal, CLIENT_DOUBTS)) &&
      !namesItsClient(document),
  );
  const [phrases, names] = [
    typed.length === 0
      ? new Map<number, readonly string[]>()
      : await readPhrases(scope, ids(typed.map(({ reportTypeId }) => reportTypeId))),
    await namesOf(scope, ids(named.map(({ clientId }) => clientId))),
  ];
  const ofTypes = new Set(typed);
  // Folded once each, however many documents go there.
  const knownPhrases = new Map([...phrases].map(([id, some]) => [id, new Set(some.map(phraseKey))]));
  const knownNames = new Map([...names].map(([id, some]) => [id, new Set(some.map(searchForm))]));
  const suggested = typed.length + named.length === 0 ? [] : await readOwnSuggested(scope);
  for (const { kind, id, key } of suggested) {
    const known = kind === 'type' ? knownPhrases : knownNames;
    known.set(id, (known.get(id) ?? new Set()).add(key));
  }
  const unknown = named.filter((document) => !knownNames.get(document.clientId ?? 0)?.has(printedKey(document)));
  const ofClients = new Set(await nameable(scope, batchId, unknown));
  return documents.map((document) => {
    const { heading, printedName } = document.proposal;
    const teachesType =
      ofTypes.has(document) && !knownPhrases.get(document.reportTypeId ?? 0)?.has(phraseKey(heading ?? ''));
    return { type: teachesType ? heading : null, client: ofClients.has(document) ? printedName : null };
  });
}

/** Those whose printed name can be their client's: a bureau stands on pages of several. The whole batch is asked, so few should come here. */
async function nameable(
  scope: ReadScope,
  batchId: number,
  documents: readonly Recognised[],
): Promise<readonly Recognised[]> {
  if (documents.length === 0) return [];
  const bearers = await clientsByPrintedName(scope, batchId);
  const ofOne = documents.filter((document) => isOnlyOf(document, bearers));
  const recorded = await clientsByRecordedName(scope, new Set(ofOne.map(printedKey)));
  return ofOne.filter((document) => isOnlyOf(document, recorded));
}

/** Clients by a name that is theirs, as it is compared. */
type Bearers = ReadonlyMap<string, ReadonlySet<number>>;

const isOnlyOf = (document: Recognised, bearers: Bearers) =>
  [...(bearers.get(printedKey(document)) ?? [])].every((clientId) => clientId === document.clientId);

function bearersOf(named: readonly { readonly key: string; readonly clientId: number }[]): Bearers {
  const byName = Map.groupBy(named, ({ key }) => key);
  return new Map([...byName].map(([key, some]) => [key, new Set(some.map(({ clientId }) => clientId))]));
}

/** By the names that their documents in the batch print, as far as these are in reach. */
async function clientsByPrintedName(scope: ReadScope, batchId: number): Promise<Bearers> {
  const rows = await scope
    .batches()
    .innerJoin('batch_documents as document', 'document.batch_id', 'batches.id')
    .where('batches.id', '=', batchId)
    .where('document.client_id', 'is not', null)
    .where('document.proposal', 'like', '%"printedName":"%')
    .where(isReachedDocument(scope, 'document'))
    .select(['document.client_id as clientId', printedIn[scope.engine].as('printed')])
    .distinct()
    .execute();
  return bearersOf(
    await inTurns(rows, ({ clientId, printed }) => ({
      clientId: clientId ?? 0,
      key: searchForm(JSON.parse(printed ?? '""') as string),
    })),
  );
}

/** By the names that they have in the firm, of those in reach. */
async function clientsByRecordedName(scope: ReadScope, keys: ReadonlySet<string>): Promise<Bearers> {
  if (keys.size === 0) return new Map();
  const rows = await scope
    .clients()
    .select(NAME_COLUMNS)
    // Other names are compared below: a condition for each key would be thousands in one statement.
    .where(({ eb, or }) =>
      or([isListedKey('clients.search_name', listText([...keys])), eb('clients.other_names', '<>', '[]')]),
    )
    .execute();
  const named = await inTurns(rows, (row) =>
    allNames(row).map((name) => ({ key: searchForm(name), clientId: row.id })),
  );
  return bearersOf(named.flat());
}

const NAME_COLUMNS = ['clients.id as id', 'clients.name as name', 'clients.other_names as otherNames'] as const;

const allNames = ({ name, otherNames }: { readonly name: string; readonly otherNames: string }) => [
  name,
  ...(JSON.parse(otherNames) as string[]),
];

/** The names of clients in reach. */
async function namesOf(
  scope: ReadScope,
  clientIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (clientIds.length === 0) return new Map();
  const rows = await scope
    .clients()
    .select(NAME_COLUMNS)
    .where(isListedId('clients.id', listText(clientIds)))
    .execute();
  return new Map(rows.map((row) => [row.id, allNames(row)]));
}

const NOTHING_TO_REMEMBER = {
  type: 'This document has no heading to remember, or no report type',
  client: 'This document has no name to remember, or no client',
} as const;

/**
 * Remembers what a document says of its type or client, as both are chosen now: for the firm where the viewer keeps its words, for the
 * viewer's own batches where not. What is known already stays as it is.
 */
export async function remember(
  scope: WriteScope,
  document: Placed,
  { heading, printedName }: StoredProposal,
  what: readonly Remembered[],
  at: number,
): Promise<void> {
  if (what.includes('type')) await rememberType(scope, document, heading, at);
  if (what.includes('client')) await rememberClient(scope, document, printedName, at);
}

type Placed = Pick<DocumentRow, 'clientId' | 'clientName' | 'reportTypeId' | 'reportTypeName'>;

const FIELD = 'remember';

async function rememberType(
  scope: WriteScope,
  { reportTypeId, reportTypeName }: Placed,
  heading: string | null,
  at: number,
): Promise<void> {
  if (reportTypeId === null || heading === null) throw refuseFields({ [FIELD]: NOTHING_TO_REMEMBER.type });
  const place = { at, field: FIELD };
  const name = reportTypeName ?? '';
  if (!keepsWords(scope.viewer, 'type')) {
    const words = { kind: 'type', id: reportTypeId, name, words: heading } as const;
    return suggest(scope, scope.authorize('batches.use'), words, place);
  }
  const proof = scope.authorize('report-types.update');
  if (!(await addPhrase(scope, proof, reportTypeId, heading, place))) return;
  const details = phrasesDetails(name, { added: [heading], removed: [] });
  await record(scope, proof, { action: 'update', details }, at);
}

async function rememberClient(
  scope: WriteScope,
  { clientId, clientName }: Placed,
  printedName: string | null,
  at: number,
): Promise<void> {
  if (clientId === null || printedName === null) throw refuseFields({ [FIELD]: NOTHING_TO_REMEMBER.client });
  const place = { at, field: FIELD };
  if (!keepsWords(scope.viewer, 'client')) {
    const known = (await namesOf(scope, [clientId])).get(clientId) ?? [];
    if (hasName(known, printedName)) return;
    const words = { kind: 'client', id: clientId, name: clientName ?? '', words: printedName } as const;
    return suggest(scope, scope.authorize('batches.use'), words, place);
  }
  const proof = scope.authorize('clients.update');
  const { name, added } = await addOtherName(scope, proof, clientId, printedName, place);
  if (!added) return;
  const client = { id: clientId, name };
  await record(scope, proof, { action: 'update', details: otherNameDetails(name, printedName), client }, at);
}
