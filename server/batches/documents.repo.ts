// The documents of a batch: listed with what speaks for them, and held while something is said of them.

import { sql } from 'kysely';
import { DOCUMENTS_LISTED_MAX, isOpenDocument, isReviewed } from '#contract/batch-words.ts';
import type { DocumentRow, DocumentsQuery } from '#contract/batches.ts';
import { refuse } from '#contract/errors.ts';
import { seesFederalIds } from '#contract/policy/reach.ts';
import type { Proof } from '#contract/policy.ts';
import { isHeldFile } from '../files/trash/holds.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import { isListedId, isOneOfFew, listText } from '../platform/db/id-list.ts';
import { inTurns, type Page, pageValues, rowCount } from '../platform/db/list.ts';
import { batchDocuments, isReachedDocument, isTold, recallOf } from './batch-documents.repo.ts';
import { filesInReach, holdBatch, isBeingRead } from './batches.repo.ts';
import { documentName } from './document-name.ts';
import { NO_PROPOSAL, readProposal } from './document-rows.ts';
import { filesInLists, filesOfSameBytes, filesThere } from './files-there.ts';
import { rememberableOf } from './remember.ts';

export type Allowed = Proof<'batches.use'>;

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
    sql<number>`case when exists (select 1 from files became where became.id = ${sql.ref('document.released_file_id')}
      and ${isHeldFile('became')}) then 1 else 0 end`.as('held'),
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
    .where(isTold(scope))
    .select(rowCount.as('total'))
    .executeTakeFirstOrThrow();
  return { rows: await presented(scope, batchId, rows), total };
}

/** Those of `ids` that are in reach themselves. */
export async function findDocuments(scope: ReadScope, batchId: number, ids: readonly number[]): Promise<DocumentRow[]> {
  const rows = await described(scope, batchId)
    .where(isOneOfFew(scope.engine, 'document.id', listText(ids)))
    .where(isReachedDocument(scope, 'document'))
    .execute();
  return presented(scope, batchId, rows);
}

async function presented(scope: ReadScope, batchId: number, rows: readonly Described[]): Promise<DocumentRow[]> {
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
  const restored = await filesInLists(
    scope,
    rows.flatMap((row) => (row.recalledAt === null || row.state === 'released' ? [] : (row.releasedFileId ?? []))),
  );
  const rememberable = await rememberableOf(
    scope,
    batchId,
    rows.map(({ state, clientId, reportTypeId }, index) => ({
      clientId,
      reportTypeId,
      // Of what is decided for good nothing is asked.
      proposal: (isOpenDocument(state) ? proposals[index] : undefined) ?? NO_PROPOSAL,
    })),
  );
  const seesIds = seesFederalIds(scope.viewer);
  return inTurns(rows, (row, index) => {
    const {
      proposal: _text,
      filePages: _pages,
      sha256: _bytes,
      closed,
      correction,
      acceptedById,
      held,
      recallReason: _why,
      recalledByName: _who,
      recalledAt: _when,
      ...shown
    } = row;
    const { clients, typeSignals, periodSignals, reasons } = proposals[index] ?? NO_PROPOSAL;
    const isOpen = isOpenDocument(row.state) && closed === 0;
    const same = isOpen ? sameBytes(row) : null;
    return {
      ...shown,
      onHold: held === 1,
      closed: closed === 1,
      correction: correction === 1,
      recall: row.state === 'released' ? null : recallOf(row),
      restored: restored.has(row.releasedFileId),
      acceptedByMe: acceptedById === scope.viewer.id,
      name: documentName(row),
      clients: clients.flatMap((candidate) => {
        const clientName = names.get(candidate.clientId);
        const signals = candidate.signals.filter(({ kind }) => seesIds || kind !== 'federalId');
        return clientName === undefined ? [] : [{ ...candidate, signals, clientName }];
      }),
      typeSignals,
      periodSignals,
      reasons,
      rememberable: rememberable[index] ?? { type: null, client: null },
      alreadyThere: isOpen ? there(row, chosenFile(row)) : null,
      sameBytes: same && {
        fileId: same.fileId,
        name: same.name,
        clientName: names.get(same.clientId) ?? null,
        of: same.of,
      },
      ...(closed === 1 ? UNTOLD : {}),
    };
  });
}

/** Of a closed document: what its pages say, what was said of it, and the files it has to do with. */
const UNTOLD = {
  period: null,
  form: null,
  correction: false,
  clients: [],
  typeSignals: [],
  periodSignals: [],
  reasons: [],
  rememberable: { type: null, client: null },
  replacesFileId: null,
  correctsFileId: null,
  releasedFileId: null,
  onHold: false,
  fault: null,
  recall: null,
  restored: false,
} satisfies Partial<DocumentRow>;

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

/** Refuses what is being read: once it is, other documents are proposed in the place of these. */
async function assertNotBeingRead(scope: ReadScope, fileIds: readonly number[]): Promise<void> {
  const file = await filesInReach(scope)
    .where(isListedId('batch_files.id', listText(fileIds)))
    .where('batch_files.state', '=', 'waiting')
    .where(isBeingRead(sql.ref('batch_files.id')))
    .select('batch_files.id')
    .executeTakeFirst();
  if (file !== undefined) throw refuse('file_being_read');
}

/**
 * The documents of `ids`, which nobody else changes until the transaction ends. Refuses what is not open to decisions, what is being
 * read, and what has another version than the one that was `seen` of it, if any was.
 */
export async function holdDocuments(
  scope: WriteScope,
  batchId: number,
  ids: readonly number[],
  seen: ReadonlyMap<number, number | undefined>,
): Promise<DocumentRow[]> {
  const batch = await holdBatch(scope, batchId);
  if (!isReviewed(batch.state)) throw refuse('batch_not_in_review');
  const documents = await findDocuments(scope, batchId, ids);
  if (documents.length !== new Set(ids).size) throw refuse('not_found');
  if (documents.some(({ state }) => !isOpenDocument(state))) throw refuse('document_not_open');
  if (documents.some(({ id, version }) => (seen.get(id) ?? version) !== version)) throw refuse('gone_meanwhile');
  await assertNotBeingRead(scope, [...new Set(documents.map(({ fileId }) => fileId))]);
  return documents;
}

/** What a change of a document says of who made it. */
export const reviewedBy = ({ viewer }: WriteScope) => ({
  reviewed_by_id: viewer.id,
  reviewed_by_name: viewer.fullName,
});

export const NOT_ACCEPTED = { accepted_by_id: null };
