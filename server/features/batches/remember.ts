// What a reviewer's choice teaches: pages headed so are of this report type, a company called so is this client. The words are those
// that were read from the document, never the request's.
import { otherNameDetails, phrasesDetails } from '#contract/activity-words.ts';
import type { Remembered } from '#contract/batch-words.ts';
import type { DocumentRow } from '#contract/batches.ts';
import { ClientInput } from '#contract/clients.ts';
import { refuse, refuseFields } from '#contract/errors.ts';
import type { ReasonKind } from '#contract/recognition-words.ts';
import { searchForm } from '#contract/search.ts';
import type { ReadScope, WriteScope } from '../../access/scope.ts';
import { changedNow } from '../../access/versions.ts';
import { record } from '../../audit/record.ts';
import type { StoredProposal } from '../../capture/document-rows.ts';
import { phraseKey } from '../../capture/recognition/type-index.ts';
import { addPhrase, readPhrases } from '../../capture/report-type-phrases.ts';
import { isListedId, listText } from '../../db/id-list.ts';
import { otherNameColumns } from '../../names/other-names.ts';

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

const ids = (all: readonly (number | null)[]) => [...new Set(all.flatMap((id) => id ?? []))];

/** What each document's choices would teach: nothing where recognition was sure of the same, or knows the words already. */
export async function rememberableOf(
  scope: ReadScope,
  documents: readonly Recognised[],
): Promise<DocumentRow['rememberable'][]> {
  const typed = documents.filter(
    ({ reportTypeId, proposal }) =>
      reportTypeId !== null &&
      proposal.heading !== null &&
      (reportTypeId !== proposal.reportTypeId || wasDoubted(proposal, TYPE_DOUBTS)),
  );
  const named = documents.filter(
    ({ clientId, proposal }) =>
      clientId !== null &&
      proposal.printedName !== null &&
      (clientId !== proposal.clientId || wasDoubted(proposal, CLIENT_DOUBTS)),
  );
  const [phrases, names] = [
    typed.length === 0
      ? new Map<number, readonly string[]>()
      : await readPhrases(scope, ids(typed.map(({ reportTypeId }) => reportTypeId))),
    await namesOf(scope, ids(named.map(({ clientId }) => clientId))),
  ];
  const [ofTypes, ofClients] = [new Set(typed), new Set(named)];
  // Folded once each, however many documents go there.
  const knownPhrases = new Map([...phrases].map(([id, some]) => [id, new Set(some.map(phraseKey))]));
  const knownNames = new Map([...names].map(([id, some]) => [id, new Set(some.map(searchForm))]));
  return documents.map((document) => {
    const { heading, printedName } = document.proposal;
    const teachesType =
      ofTypes.has(document) && !knownPhrases.get(document.reportTypeId ?? 0)?.has(phraseKey(heading ?? ''));
    const teachesClient =
      ofClients.has(document) && !knownNames.get(document.clientId ?? 0)?.has(searchForm(printedName ?? ''));
    return { type: teachesType ? heading : null, client: teachesClient ? printedName : null };
  });
}

/** The names of clients in reach. */
async function namesOf(
  scope: ReadScope,
  clientIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (clientIds.length === 0) return new Map();
  const rows = await scope
    .clients()
    .select(['clients.id as id', 'clients.name as name', 'clients.other_names as otherNames'])
    .where(isListedId('clients.id', listText(clientIds)))
    .execute();
  return new Map(rows.map(({ id, name, otherNames }) => [id, [name, ...(JSON.parse(otherNames) as string[])]]));
}

const NOTHING_TO_REMEMBER = {
  type: 'This document has no heading to remember, or no report type',
  client: 'This document has no name to remember, or no client',
} as const;

/** Remembers what a document says of its type or client, as both are chosen now. What is known already stays as it is. */
export async function remember(
  scope: WriteScope,
  document: Pick<DocumentRow, 'clientId' | 'reportTypeId' | 'reportTypeName'>,
  { heading, printedName }: StoredProposal,
  what: readonly Remembered[],
  at: number,
): Promise<void> {
  if (what.includes('type')) await rememberType(scope, document, heading, at);
  if (what.includes('client')) await rememberClient(scope, document, printedName, at);
}

async function rememberType(
  scope: WriteScope,
  { reportTypeId, reportTypeName }: Pick<DocumentRow, 'reportTypeId' | 'reportTypeName'>,
  heading: string | null,
  at: number,
): Promise<void> {
  const proof = scope.authorize('report-types.update');
  if (reportTypeId === null || heading === null) throw refuseFields({ remember: NOTHING_TO_REMEMBER.type });
  if (!(await addPhrase(scope, proof, reportTypeId, heading, { at, field: 'remember' }))) return;
  const details = phrasesDetails(reportTypeName ?? '', { added: [heading], removed: [] });
  await record(scope, proof, { action: 'update', details }, at);
}

async function rememberClient(
  scope: WriteScope,
  { clientId }: Pick<DocumentRow, 'clientId'>,
  printedName: string | null,
  at: number,
): Promise<void> {
  const proof = scope.authorize('clients.update');
  if (clientId === null || printedName === null) throw refuseFields({ remember: NOTHING_TO_REMEMBER.client });
  // Of two who change it at once, the second one adds to what the first one saved.
  await scope.serialize('names');
  const row = await scope
    .clients()
    .select([
      'clients.name as name',
      'clients.address as address',
      'clients.phone as phone',
      'clients.email as email',
      'clients.federal_id as federalId',
      'clients.state_id as stateId',
      'clients.other_names as otherNames',
    ])
    .where('clients.id', '=', clientId)
    .executeTakeFirst();
  if (row === undefined) throw refuse('not_found');
  const otherNames = JSON.parse(row.otherNames) as string[];
  if (hasName([row.name, ...otherNames], printedName)) return;
  const { data, error } = ClientInput.shape.otherNames.safeParse([...otherNames, printedName]);
  if (error !== undefined) throw refuseFields({ remember: error.issues[0]?.message ?? '' });
  await scope
    .unscoped(proof)
    .updateTable('clients')
    .set({ ...otherNameColumns({ ...row, otherNames: data }), ...changedNow(scope, at) })
    .where('id', '=', clientId)
    .execute();
  const client = { id: clientId, name: row.name };
  await record(scope, proof, { action: 'update', details: otherNameDetails(row.name, printedName), client }, at);
}
