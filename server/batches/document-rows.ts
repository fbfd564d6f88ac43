// The documents of a batch as rows: what speaks for a proposal is one JSON text, read only where it is shown.
import type { Kysely } from 'kysely';
import type { BatchState, DocumentState, UnreadableReason } from '#contract/batch-words.ts';
import type { ClientCandidate, Signal } from '#contract/batches.ts';
import type { ReasonKind } from '#contract/recognition-words.ts';
import { slicesOf } from '../platform/db/list.ts';
import type { Schema } from '../platform/db/schema.ts';
import type { ProposedDocument } from './recognition/proposal.ts';

type Tx = Kysely<Schema>;

/** What a row keeps of a proposal, besides its columns. Clients go by id: their names are read within the reader's reach. */
export interface StoredProposal {
  readonly clients: Omit<ClientCandidate, 'clientName'>[];
  readonly typeSignals: Signal[];
  readonly periodSignals: Signal[];
  readonly reasons: ReasonKind[];
  /** What was proposed, whatever a person has chosen since. */
  readonly clientId: number | null;
  readonly reportTypeId: number | null;
  readonly heading: string | null;
  readonly printedName: string | null;
}

export const NO_PROPOSAL: StoredProposal = {
  clients: [],
  typeSignals: [],
  periodSignals: [],
  reasons: [],
  clientId: null,
  reportTypeId: null,
  heading: null,
  printedName: null,
};

/** Those stored by earlier versions say less. */
export const readProposal = (text: string): StoredProposal => ({ ...NO_PROPOSAL, ...JSON.parse(text) });

/** The proposal of the pages that follow a split: what its first page and its company say is of the pages before. */
export const proposalAfterSplit = (text: string): string =>
  JSON.stringify({ ...readProposal(text), heading: null, printedName: null } satisfies StoredProposal);

/** With the file there already that it is proposed to correct. */
export interface EnteredDocument extends ProposedDocument {
  readonly correctsFileId: number | null;
}

/** Enters what was proposed, in place of anything proposed before. */
export async function enterProposals(tx: Tx, batchId: number, proposed: readonly EnteredDocument[]): Promise<void> {
  await tx.deleteFrom('batch_documents').where('batch_id', '=', batchId).execute();
  await insertProposals(tx, batchId, proposed);
}

/** What a row keeps of its last recall. */
export const TAKEN_BACK = ['released_file_id', 'recall_reason', 'recalled_by_name', 'recalled_at'] as const;

/**
 * Enters what was proposed of one file, in place of what was there of it; nothing of any other file. Where that was recalled, it stays
 * told as after a split: of each document why, and of the first which file it was.
 */
export async function enterFileProposals(
  tx: Tx,
  { batchId, fileId }: { readonly batchId: number; readonly fileId: number },
  proposed: readonly EnteredDocument[],
): Promise<void> {
  const before = await tx
    .deleteFrom('batch_documents')
    .where('batch_file_id', '=', fileId)
    .returning(TAKEN_BACK)
    .execute();
  await insertProposals(tx, batchId, proposed);
  const recalled = before.find(({ released_file_id }) => released_file_id !== null);
  if (recalled === undefined) return;
  const { released_file_id, ...recall } = recalled;
  const ofFile = await tx
    .updateTable('batch_documents')
    // What was taken back once is not accepted unasked with others that are ready.
    .set({ ...recall, state: 'toCheck' })
    .where('batch_file_id', '=', fileId)
    .returning(['id', 'from_page'])
    .execute();
  const [first] = ofFile.sort((one, other) => one.from_page - other.from_page);
  if (first === undefined) return;
  await tx.updateTable('batch_documents').set({ released_file_id }).where('id', '=', first.id).execute();
}

async function insertProposals(tx: Tx, batchId: number, proposed: readonly EnteredDocument[]): Promise<void> {
  for (const some of slicesOf(proposed)) {
    await tx
      .insertInto('batch_documents')
      .values(some.map((document) => rowOf(batchId, document)))
      .execute();
  }
}

function rowOf(batchId: number, document: EnteredDocument) {
  const proposal = {
    clientId: document.clientId,
    reportTypeId: document.reportTypeId,
    heading: document.heading,
    printedName: document.printedName,
    clients: document.clients,
    typeSignals: document.typeSignals,
    periodSignals: document.periodSignals,
    reasons: document.reasons.map(({ kind }) => kind),
  };
  return {
    batch_id: batchId,
    batch_file_id: document.fileKey,
    from_page: document.fromPage,
    to_page: document.toPage,
    state: document.state,
    client_id: document.clientId,
    report_type_id: document.reportTypeId,
    period: document.period,
    form: document.form,
    correction: document.correction ? (1 as const) : (0 as const),
    corrects_file_id: document.correctsFileId,
    proposal: JSON.stringify(proposal),
    version: 1,
  };
}

/** Notes what reading came to. */
export async function enterReading(
  tx: Tx,
  fileId: number,
  { pages, unreadable }: { readonly pages: readonly unknown[]; readonly unreadable: UnreadableReason | null },
): Promise<void> {
  await tx
    .updateTable('batch_files')
    .set({
      state: unreadable === null ? 'read' : 'unreadable',
      unreadable,
      pages: pages.length === 0 ? null : pages.length,
    })
    .where('id', '=', fileId)
    .execute();
}

/** What is wrong with a document is put right by a reviewer, who decides anew. */
export const TO_CHECK = {
  state: 'toCheck',
  accepted_by_id: null,
  replaces_file_id: null,
  corrects_file_id: null,
} as const;

/** Sets the state of a batch by what its documents are: as long as one waits for a decision, it is in review. */
export async function settleBatch(tx: Tx, batchId: number): Promise<BatchState> {
  const rows = await tx
    .selectFrom('batch_documents')
    .select('state')
    .distinct()
    .where('batch_id', '=', batchId)
    .execute();
  const states = new Set<DocumentState>(rows.map(({ state }) => state));
  const state = stateBy(states);
  await tx.updateTable('batches').set({ state }).where('id', '=', batchId).execute();
  return state;
}

function stateBy(documents: ReadonlySet<DocumentState>): BatchState {
  const waits = (['toCheck', 'ready', 'accepted', 'releasing'] as const).some((state) => documents.has(state));
  if (waits) return 'review';
  return (['released', 'recalled', 'dropped'] as const).find((state) => documents.has(state)) ?? 'review';
}
