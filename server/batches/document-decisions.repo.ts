// What a person says of documents: of which client, type and period they are, that they are accepted or dropped.

import type { Kysely } from 'kysely';
import type { DocumentState } from '#contract/batch-words.ts';
import type { DocumentDecision, DocumentRow } from '#contract/batches.ts';
import { refuse, refuseFields } from '#contract/errors.ts';
import { NOT_TO_CORRECT, NOT_TO_REPLACE } from '#contract/files.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import type { Schema } from '../platform/db/schema.ts';
import { readProposal, settleBatch } from './document-rows.ts';
import { type Allowed, findDocuments, holdDocuments, NOT_ACCEPTED, reviewedBy } from './documents.repo.ts';
import { remember } from './remember.ts';

/** Who accepted it is set by accepting alone, and stays while it is accepted. */
function acceptedBy({ viewer }: WriteScope, state: DocumentState, decision: DocumentDecision['decision']) {
  if (decision === 'accepted') return { accepted_by_id: viewer.id };
  return state === 'accepted' ? {} : NOT_ACCEPTED;
}

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
  const seen = new Map(ids.map((id, nth) => [id, versions?.[nth] ?? version]));
  const documents = await holdDocuments(scope, batchId, ids, seen);
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
        ...(place.clientId === undefined ? {} : { client_id: place.clientId, lost_client_id: null }),
        ...(place.reportTypeId === undefined ? {} : { report_type_id: place.reportTypeId, lost_type_id: null }),
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
  if ((await settleBatch(tx, batchId)) === 'released') {
    // Released earlier, with something left that is dropped now.
    await tx
      .updateTable('batches')
      .set({ released_at: at })
      .where('id', '=', batchId)
      .where('released_at', 'is', null)
      .execute();
  }
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
