// The documents of a batch: listed with what speaks for them, decided by a person, split, joined, recalled.

import { type Kysely, sql } from 'kysely';
import { recalledDetails } from '#contract/activity-words.ts';
import { DOCUMENTS_LISTED_MAX, type DocumentState, isOpenDocument, isReviewed } from '#contract/batch-words.ts';
import type {
  DocumentAccess,
  DocumentDecision,
  DocumentRow,
  DocumentSplit,
  DocumentsQuery,
  RecallResult,
} from '#contract/batches.ts';
import { refuse, refuseFields } from '#contract/errors.ts';
import { NOT_TO_CORRECT, NOT_TO_REPLACE } from '#contract/files.ts';
import type { Proof } from '#contract/policy.ts';
import type { Config } from '../config.ts';
import { findFiles } from '../files/find.ts';
import { deleteLocked } from '../files/lifecycle.ts';
import { putBackReplacedBy } from '../files/put-back.ts';
import { lockRows } from '../files/trash/kept-rows.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import type { Now } from '../platform/clock.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import { inTurns, type Page, pageValues, rowCount } from '../platform/db/list.ts';
import type { Schema } from '../platform/db/schema.ts';
import { batchDocuments, isReachedDocument, isTold, recallOf } from './batch-documents.repo.ts';
import { holdBatch } from './batches.repo.ts';
import { documentName } from './document-name.ts';
import { NO_PROPOSAL, proposalAfterSplit, readProposal, settleBatch } from './document-rows.ts';
import { filesOfSameBytes, filesThere } from './files-there.ts';
import { remember, rememberableOf } from './remember.ts';

type Allowed = Proof<'batches.use'>;

const described = (scope: ReadScope, batchId: number) =>
  batchDocuments(scope, batchId).select([
    sql<number>`case when ${isReachedDocument(scope, 'document')} then 0 else 1 end`.as('closed'),
    'document.id as id',
    'original.id as fileId',
    'original.name as fileName',
    'original.pages as filePages',
    'original.sha256 as sha256',
    'document.from_page as fromPage',
    'document.to_page as toPage',
    'document.state as state',
    'client.id as clientId',
    'client.name as clientName',
    'type.id as reportTypeId',
    'type.name as reportTypeName',
    'document.period as period',
    'document.form as form',
    'document.correction as correction',
    'document.proposal as proposal',
    'document.fault as fault',
    'document.released_file_id as releasedFileId',
    'document.replaces_file_id as replacesFileId',
    'document.corrects_file_id as correctsFileId',
    'document.reviewed_by_name as reviewedByName',
    'document.accepted_by_id as acceptedById',
    'document.recall_reason as recallReason',
    'document.recalled_by_name as recalledByName',
    'document.recalled_at as recalledAt',
    'document.version as version',
  ]);

type Described = Awaited<ReturnType<ReturnType<typeof described>['execute']>>[number];

/** One page of the documents of a batch in reach, in the order of files and pages. */
export async function listDocuments(
  scope: ReadScope,
  batchId: number,
  query: DocumentsQuery = {},
): Promise<Page<DocumentRow>> {
  const { limit, offset } = pageValues(query, DOCUMENTS_LISTED_MAX);
  const rows = await described(scope, batchId).limit(limit).offset(offset).execute();
  const { total } = await scope
    .batches()
    .innerJoin('batch_documents as document', 'document.batch_id', 'batches.id')
    .where('batches.id', '=', batchId)
    .where(isTold(scope, 'document'))
    .select(rowCount.as('total'))
    .executeTakeFirstOrThrow();
  return { rows: await presented(scope, rows), total };
}

/** Those of `ids` that are in reach themselves. */
async function findDocuments(scope: ReadScope, batchId: number, ids: readonly number[]): Promise<DocumentRow[]> {
  const rows = await described(scope, batchId)
    .where(isListedId('document.id', listText(ids)))
    .where(isReachedDocument(scope, 'document'))
    .execute();
  return presented(scope, rows);
}

async function presented(scope: ReadScope, rows: readonly Described[]): Promise<DocumentRow[]> {
  const proposals = await inTurns(rows, ({ proposal }) => readProposal(proposal));
  const open = rows.filter(({ state, closed }) => isOpenDocument(state) && closed === 0);
  const sameBytes = await filesOfSameBytes(scope, open);
  const names = await clientNames(scope, [
    ...new Set([
      ...proposals.flatMap(({ clients }) => clients.map((c) => c.clientId)),
      ...open.flatMap((row) => sameBytes(row)?.clientId ?? []),
    ]),
  ]);
  const there = await filesThere(
    scope,
    open,
    open.flatMap((row) => chosenFile(row) ?? []),
  );
  const rememberable = await rememberableOf(
    scope,
    rows.map(({ clientId, reportTypeId }, index) => ({
      clientId,
      reportTypeId,
      proposal: proposals[index] ?? NO_PROPOSAL,
    })),
  );
  return inTurns(rows, (row, index) => {
    const { proposal: _text, filePages: _pages, sha256: _bytes, closed, correction, acceptedById, ...facts } = row;
    const { recallReason: _why, recalledByName: _who, recalledAt: _when, ...shown } = facts;
    const { clients, typeSignals, periodSignals, reasons } = proposals[index] ?? NO_PROPOSAL;
    const isOpen = isOpenDocument(row.state) && closed === 0;
    const same = isOpen ? sameBytes(row) : null;
    return {
      ...shown,
      closed: closed === 1,
      correction: correction === 1,
      recall: closed === 1 || row.state === 'released' ? null : recallOf(row),
      acceptedByMe: acceptedById === scope.viewer.id,
      name: documentName(row),
      clients: clients.flatMap((candidate) => {
        const clientName = names.get(candidate.clientId);
        return clientName === undefined ? [] : [{ ...candidate, clientName }];
      }),
      typeSignals,
      periodSignals,
      reasons,
      rememberable: (isOpenDocument(row.state) ? rememberable[index] : undefined) ?? { type: null, client: null },
      alreadyThere: isOpen ? there(row, chosenFile(row)) : null,
      sameBytes: same && {
        fileId: same.fileId,
        name: same.name,
        clientName: names.get(same.clientId) ?? null,
        of: same.of,
      },
    };
  });
}

/** The file there already that it replaces or corrects. */
const chosenFile = ({ replacesFileId, correctsFileId }: Pick<Described, 'replacesFileId' | 'correctsFileId'>) =>
  replacesFileId ?? correctsFileId;

async function clientNames(scope: ReadScope, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await scope
    .clients()
    .select(['clients.id as id', 'clients.name as name'])
    .where(isListedId('clients.id', listText(ids)))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The documents of `ids`, which nobody else changes until the transaction ends. Refuses what is not open to decisions. */
async function holdDocuments(scope: WriteScope, batchId: number, ids: readonly number[]): Promise<DocumentRow[]> {
  const batch = await holdBatch(scope, batchId);
  if (!isReviewed(batch.state)) throw refuse('batch_not_in_review');
  const documents = await findDocuments(scope, batchId, ids);
  if (documents.length !== new Set(ids).size) throw refuse('not_found');
  if (documents.some(({ state }) => !isOpenDocument(state))) throw refuse('document_not_open');
  return documents;
}

/** What a change of a document says of who made it. */
const reviewedBy = ({ viewer }: WriteScope) => ({ reviewed_by_id: viewer.id, reviewed_by_name: viewer.fullName });

/** Who accepted it is set by accepting alone, and stays while it is accepted. */
function acceptedBy({ viewer }: WriteScope, state: DocumentState, decision: DocumentDecision['decision']) {
  if (decision === 'accepted') return { accepted_by_id: viewer.id };
  return state === 'accepted' ? {} : NOT_ACCEPTED;
}

const NOT_ACCEPTED = { accepted_by_id: null };

type Place = Pick<DocumentDecision, 'clientId' | 'reportTypeId' | 'period'>;
type Said = Place & Pick<DocumentDecision, 'decision'>;

/** What a document is once `said` is said of it. Refuses to accept one without client or type. */
function stateAfter(document: DocumentRow, said: Said): DocumentState {
  const { clientId = document.clientId, reportTypeId = document.reportTypeId, decision } = said;
  const isComplete = clientId !== null && reportTypeId !== null;
  if (decision === 'accepted' && !isComplete) throw refuse('document_incomplete');
  if (decision !== undefined) return decision === 'open' ? 'toCheck' : decision;
  // What a person changed is no longer what was proposed, nor what somebody else accepted.
  const stays = document.state === 'dropped' || (document.state === 'accepted' && document.acceptedByMe && isComplete);
  return stays ? document.state : 'toCheck';
}

/** Refuses a client or report type out of reach as if it were not there. */
async function assertReached(scope: ReadScope, { clientId, reportTypeId }: Said): Promise<void> {
  if (typeof clientId === 'number') {
    const client = await scope.clients().select('clients.id').where('clients.id', '=', clientId).executeTakeFirst();
    if (client === undefined) throw refuse('not_found');
  }
  if (typeof reportTypeId === 'number') {
    const types = scope.reachedReportTypes().select('report_types.id');
    if ((await types.where('report_types.id', '=', reportTypeId).executeTakeFirst()) === undefined) {
      throw refuse('not_found');
    }
  }
}

type Earlier = Pick<DocumentDecision, 'replacesFileId' | 'correctsFileId'>;

/**
 * What becomes of the file there already: it is replaced, corrected, or neither. To say the one takes back the other, and another
 * place takes back both.
 */
function earlierFileAfter({ replacesFileId, correctsFileId }: Earlier, isMoved: boolean): Earlier {
  return {
    replacesFileId: replacesFileId ?? (isMoved || typeof correctsFileId === 'number' ? null : replacesFileId),
    correctsFileId: correctsFileId ?? (isMoved || typeof replacesFileId === 'number' ? null : correctsFileId),
  };
}

/** Whether something of this is said and is not so already. */
const isOtherwise = (document: DocumentRow, said: Place & Earlier) =>
  Object.entries(said).some(([key, value]) => value !== undefined && value !== document[key as keyof typeof said]);

interface Outcome {
  readonly id: number;
  readonly state: DocumentState;
  readonly isMoved: boolean;
}

/** What a document is once `said` is said of it; nothing where it is so already: what changes nothing has nobody review it. */
function outcomeOf(document: DocumentRow, place: Place, { decision, ...earlier }: Earlier & Said): Outcome | [] {
  const isMoved = isOtherwise(document, place);
  const isChanged = isMoved || isOtherwise(document, earlierFileAfter(earlier, isMoved));
  if (decision === undefined && !isChanged) return [];
  const state = stateAfter(document, { ...place, decision });
  const isAccepted = decision === 'accepted' && !document.acceptedByMe;
  return isChanged || isAccepted || state !== document.state ? { id: document.id, state, isMoved } : [];
}

/** Writes down what a person says of documents; answers them as they are then. */
export async function decide(
  scope: WriteScope,
  proof: Allowed,
  batchId: number,
  {
    ids,
    version,
    versions,
    decision,
    replacesFileId,
    correctsFileId,
    remember: remembered,
    ...place
  }: DocumentDecision,
  at: number,
): Promise<DocumentRow[]> {
  const documents = await holdDocuments(scope, batchId, ids);
  const seen = new Map(ids.map((id, nth) => [id, versions?.[nth] ?? version]));
  if (documents.some((document) => (seen.get(document.id) ?? document.version) !== document.version)) {
    throw refuse('gone_meanwhile');
  }
  await assertReached(scope, place);
  const isThere = (id: number | null | undefined) =>
    typeof id !== 'number' || documents.every((document) => document.alreadyThere?.fileId === id);
  if (!isThere(replacesFileId)) throw refuseFields({ replacesFileId: NOT_TO_REPLACE });
  if (!isThere(correctsFileId)) throw refuseFields({ correctsFileId: NOT_TO_CORRECT });
  const tx = scope.unscoped(proof);
  const changed = documents.flatMap((document) =>
    outcomeOf(document, place, { replacesFileId, correctsFileId, decision }),
  );
  for (const group of Map.groupBy(changed, ({ state, isMoved }) => `${state} ${isMoved}`).values()) {
    const [{ state, isMoved }] = group as [Outcome];
    const earlier = earlierFileAfter({ replacesFileId, correctsFileId }, isMoved);
    await tx
      .updateTable('batch_documents')
      .set(({ eb }) => ({
        state,
        ...(place.clientId === undefined ? {} : { client_id: place.clientId }),
        ...(place.reportTypeId === undefined ? {} : { report_type_id: place.reportTypeId }),
        ...(place.period === undefined ? {} : { period: place.period }),
        ...(earlier.replacesFileId === undefined ? {} : { replaces_file_id: earlier.replacesFileId }),
        ...(earlier.correctsFileId === undefined ? {} : { corrects_file_id: earlier.correctsFileId }),
        fault: null,
        ...reviewedBy(scope),
        ...acceptedBy(scope, state, decision),
        version: eb('version', '+', 1),
      }))
      .where(isListedId('batch_documents.id', listText(group.map(({ id }) => id))))
      .execute();
  }
  await settleBatch(tx, batchId);
  const decided = await findDocuments(scope, batchId, ids);
  const isSaid = typeof replacesFileId === 'number' || correctsFileId !== undefined;
  const moved = new Set(changed.flatMap(({ id, isMoved }) => (isMoved ? id : [])));
  const hasProposed =
    !isSaid &&
    (await proposeCorrections(
      tx,
      decided.filter(({ id }) => moved.has(id)),
    ));
  const [only] = decided;
  if (remembered !== undefined && only !== undefined) {
    const { proposal } = await tx
      .selectFrom('batch_documents')
      .select('proposal')
      .where('id', '=', only.id)
      .executeTakeFirstOrThrow();
    await remember(scope, only, readProposal(proposal), remembered, at);
  }
  return hasProposed || remembered !== undefined ? findDocuments(scope, batchId, ids) : decided;
}

/** At a new place, a correction is proposed to correct the one file there; whether it proposed any. */
async function proposeCorrections(tx: Kysely<Schema>, documents: readonly DocumentRow[]): Promise<boolean> {
  const proposed = documents.filter(
    ({ correction, alreadyThere: there, replacesFileId, correctsFileId }) =>
      correction && there?.only === true && replacesFileId === null && correctsFileId === null,
  );
  for (const { id, alreadyThere: there } of proposed) {
    await tx
      .updateTable('batch_documents')
      .set({ corrects_file_id: there?.fileId ?? null })
      .where('id', '=', id)
      .execute();
  }
  return proposed.length > 0;
}

const NOT_WITHIN = 'The page must be within the document, after its first page';

/** Makes two documents of one: the second keeps what was proposed, and both are to be checked. */
export async function split(
  scope: WriteScope,
  proof: Allowed,
  batchId: number,
  { documentId, page }: DocumentSplit,
): Promise<DocumentRow[]> {
  const [document] = await holdDocuments(scope, batchId, [documentId]);
  if (document === undefined) throw refuse('not_found');
  if (page <= document.fromPage || page > document.toPage) throw refuseFields({ page: NOT_WITHIN });
  const tx = scope.unscoped(proof);
  const whole = await tx
    .selectFrom('batch_documents')
    .selectAll()
    .where('id', '=', documentId)
    .executeTakeFirstOrThrow();
  const reviewed = {
    state: 'toCheck' as const,
    replaces_file_id: null,
    corrects_file_id: null,
    ...reviewedBy(scope),
    ...NOT_ACCEPTED,
  };
  await tx
    .updateTable('batch_documents')
    .set({ ...reviewed, to_page: page - 1, version: whole.version + 1 })
    .where('id', '=', documentId)
    .execute();
  const { id: _id, ...copied } = whole;
  const { id } = await tx
    .insertInto('batch_documents')
    .values({ ...copied, ...reviewed, proposal: proposalAfterSplit(copied.proposal), from_page: page, version: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await settleBatch(tx, batchId);
  return findDocuments(scope, batchId, [documentId, id]);
}

/** Joins a document with the one before it in the same file, which keeps its proposal and is to be checked. */
export async function join(
  scope: WriteScope,
  proof: Allowed,
  batchId: number,
  documentId: number,
): Promise<DocumentRow[]> {
  const [second] = await holdDocuments(scope, batchId, [documentId]);
  if (second === undefined) throw refuse('not_found');
  const before = await findBefore(scope, proof, second);
  if (before === null) throw refuseFields({ documentId: NOTHING_BEFORE });
  await holdDocuments(scope, batchId, [before]);
  const tx = scope.unscoped(proof);
  await tx.deleteFrom('batch_documents').where('id', '=', documentId).execute();
  await tx
    .updateTable('batch_documents')
    .set(({ eb }) => ({
      to_page: second.toPage,
      state: 'toCheck',
      ...reviewedBy(scope),
      ...NOT_ACCEPTED,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', before)
    .execute();
  await settleBatch(tx, batchId);
  return findDocuments(scope, batchId, [before]);
}

/** The document that ends in the same file before this one begins. */
async function findBefore(
  scope: WriteScope,
  proof: Allowed,
  { id, fileId, fromPage }: Pick<DocumentRow, 'id' | 'fileId' | 'fromPage'>,
): Promise<number | null> {
  const row = await scope
    .unscoped(proof)
    .selectFrom('batch_documents')
    .select('id')
    .where('batch_file_id', '=', fileId)
    .where(({ eb, or, and }) =>
      or([eb('from_page', '<', fromPage), and([eb('from_page', '=', fromPage), eb('id', '<', id)])]),
    )
    .orderBy('from_page', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

const NOTHING_BEFORE = 'There is no document before it in this file';

/** A document as far as it is the file that it became. */
export interface ReleasedDocument {
  readonly id: number;
  readonly releasedFileId: number;
}

/** Those in reach that became a file and, where they are named, are among `ids`; those that are released now, or recalled ones too. */
async function releasedOf(
  scope: ReadScope,
  batchId: number,
  { ids, now }: { readonly ids?: readonly number[] | undefined; readonly now: boolean },
): Promise<ReleasedDocument[]> {
  let query = scope
    .batches()
    .innerJoin('batch_documents as document', 'document.batch_id', 'batches.id')
    .where('batches.id', '=', batchId)
    .where('document.released_file_id', 'is not', null)
    .where(isReachedDocument(scope, 'document'))
    .select(['document.id as id', 'document.released_file_id as releasedFileId']);
  if (now) query = query.where('document.state', '=', 'released');
  if (ids !== undefined) query = query.where(isListedId('document.id', listText(ids)));
  const rows = await query.execute();
  return rows.flatMap(({ id, releasedFileId }) => (releasedFileId === null ? [] : [{ id, releasedFileId }]));
}

export interface Recall extends Omit<RecallResult, 'accesses'> {
  /** Who opened what of them is read afterwards: nobody opens them any more, and others need not wait for it. */
  readonly documents: readonly ReleasedDocument[];
}

/** Takes released documents from everybody: their files go to the trash, with the reason in the log. */
export async function recall(
  scope: WriteScope,
  proof: Proof<'batches.recall'>,
  batchId: number,
  { ids, reason }: { readonly ids?: readonly number[] | undefined; readonly reason: string },
  { now, config }: Now & { readonly config: Config },
): Promise<Recall> {
  const batch = await holdBatch(scope, batchId);
  const documents = await releasedOf(scope, batchId, { ids, now: true });
  // Recalled by halves, a document would stay with its client unnoticed.
  if (ids === undefined && documents.length < batch.released) throw refuse('forbidden');
  if (documents.length === 0) throw refuse('nothing_released');
  const tx = scope.unscoped(proof);
  const fileIds = documents.map(({ releasedFileId }) => releasedFileId);
  const still = await lockRows({ db: tx, engine: scope.engine }, 'files', fileIds);
  const inReach = await findFiles(scope, fileIds);
  if (still.some((id) => !inReach.has(id))) throw refuse('forbidden');
  const at = now();
  // What they took the place of is the client's again.
  await putBackReplacedBy(scope, proof, inReach, at);
  await deleteLocked(scope, [...inReach.values()], at, config, ({ originalName }) =>
    recalledDetails(originalName, batch.name, reason),
  );
  await tx
    .updateTable('batch_documents')
    .set(({ eb }) => ({
      state: 'recalled',
      releasing_by_id: null,
      recall_reason: reason,
      recalled_by_name: scope.viewer.fullName,
      recalled_at: at,
      version: eb('version', '+', 1),
    }))
    .where(isListedId('batch_documents.id', listText(documents.map(({ id }) => id))))
    .execute();
  await settleBatch(tx, batchId);
  return { recalled: inReach.size, alreadyGone: documents.length - inReach.size, documents };
}

/** Who opened or downloaded released documents, newest first, as far as the viewer reads the log. */
export async function listAccesses(
  scope: ReadScope,
  batchId: number,
  documents?: readonly ReleasedDocument[],
): Promise<DocumentAccess[]> {
  const released = documents ?? (await releasedOf(scope, batchId, { now: false }));
  if (released.length === 0) return [];
  const documentOf = new Map(released.map(({ id, releasedFileId }) => [releasedFileId, id]));
  const rows = await scope
    .activity()
    .select([
      'activity.action as action',
      'activity.file_id as fileId',
      'activity.file_name as fileName',
      'activity.client_name as clientName',
      'activity.user_name as userName',
      'activity.served_at as servedAt',
      'activity.at as at',
    ])
    .where('activity.action', 'in', ['view', 'download'])
    .where(isListedId('activity.file_id', listText([...documentOf.keys()])))
    .orderBy('activity.at', 'desc')
    .orderBy('activity.id', 'desc')
    .execute();
  return rows.flatMap(({ action, fileId, fileName, servedAt, at, ...row }) => {
    const documentId = documentOf.get(fileId ?? 0);
    // An announcement alone sent nothing.
    if (documentId === undefined || servedAt === null || (action !== 'view' && action !== 'download')) return [];
    return [{ ...row, documentId, fileName: fileName ?? '', action, at: new Date(at).toISOString() }];
  });
}
