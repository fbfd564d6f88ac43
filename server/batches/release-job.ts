// The job that releases documents of a batch: each becomes one file of its client, once, whatever happens to the process.
import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { Refusal } from '#contract/errors.ts';
import { mayReleaseAccepted } from '#contract/policy/batches.ts';
import { may, type Proof } from '#contract/policy.ts';
import type { Config } from '../config.ts';
import { ingest } from '../files/ingest.ts';
import { readFirmSettings } from '../people/access/firm-settings.ts';
import type { Principal } from '../people/access/principal.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import type { BlobStore, StagedBlob, StoredBlob } from '../platform/blobs/blob-store.ts';
import type { Database } from '../platform/db/database.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import type { Schema } from '../platform/db/schema.ts';
import { jobKind } from '../platform/jobs/kinds.ts';
import { documentName, isWholeFile, type NamedDocument } from './document-name.ts';
import { settleBatch, TO_CHECK } from './document-rows.ts';
import { assertThereStill } from './files-there.ts';
import { INCOMPLETE } from './lost-documents.ts';
import { gatherBytes } from './reading/gather-bytes.ts';
import { CannotSplit, PieceDiffers, splitPdf } from './splitting/split-pdf.ts';

export interface ReleaseStores {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly now: () => number;
  readonly config: Config;
}

interface Releasing extends StoredBlob, NamedDocument {
  readonly id: number;
  readonly fileId: number;
  readonly clientId: number | null;
  readonly reportTypeId: number | null;
  readonly replacesFileId: number | null;
  readonly acceptedById: number | null;
  readonly correctsFileId: number | null;
}

/** Somebody released, recalled or changed the document meanwhile, or stopped its release: this one leaves nothing behind. */
class DecidedElsewhere extends Error {
  override readonly name = 'DecidedElsewhere';
}

/** Whoever ordered the release may not release the document by now: it stays accepted, for somebody else. */
class NotTheirs extends Error {
  override readonly name = 'NotTheirs';
}

/** Ordered with this key, one person's release of a batch is one job at a time. */
export const releaseKey = (batchId: number, userId: number) => `release-${batchId}-${userId}`;

/** How often a release is begun before it counts as failed. */
const ATTEMPTS = 10;

/** After so many it is somebody else's turn: thousands take minutes. Opening a print file again for the rest takes a second or two. */
export const DOCUMENTS_OF_A_TURN = 50;

export function releaseBatchJob(stores: ReleaseStores) {
  const { database, now } = stores;
  return jobKind({
    title: 'Release documents of a batch',
    acts: 'person',
    payload: z.strictObject({ batchId: z.int(), userId: z.int() }),
    attempts: ATTEMPTS,
    retryAfterMs: 5_000,
    atOnce: 1,
    inTurn: true,
    piecesOfATurn: DOCUMENTS_OF_A_TURN,
    async run({ payload: { batchId, userId }, attempt, principal, signal, progress, pieceKept, finish }) {
      for (let isOver = false; !isOver; ) {
        const waiting = await releasingOf(database, batchId, userId);
        let done = 0;
        let isAsOrdered = true;
        for (const ofFile of Map.groupBy(waiting, ({ fileId }) => fileId).values()) {
          // Stopped, or changed by somebody: what is left is asked for anew before more pages are made of it.
          if (!isAsOrdered) break;
          try {
            for await (const piece of contentsOf(ofFile, stores, signal)) {
              progress(done, waiting.length);
              done += 1;
              isAsOrdered = await release({ principal, userId }, piece, stores);
              if (!isAsOrdered) break;
              await pieceKept();
            }
          } catch (error) {
            const refused = refusedOf(ofFile, error);
            if (refused === undefined) {
              // Nobody could decide about them any more.
              if (attempt >= ATTEMPTS && !signal.aborted) await handBackLeft(database, batchId, userId);
              throw error;
            }
            // The others of this file come with the next round.
            await handBack(database, userId, refused.documents, { ...TO_CHECK, fault: refused.fault });
          }
        }
        // Whatever became of the rights of whoever ordered it: what is released is noted.
        isOver = await database.transaction(async (tx) => {
          await database.serialize(tx, `batch-${batchId}`);
          // More may have been accepted and released while these were.
          if (await isReleasing(tx, batchId, userId)) return false;
          if ((await settleBatch(tx, batchId)) === 'released') {
            await tx.updateTable('batches').set({ released_at: now() }).where('id', '=', batchId).execute();
          }
          await finish(tx);
          return true;
        });
      }
    },
  });
}

/** What of a file is not released for a reason that trying again does not change; undefined for any other error. */
function refusedOf(
  documents: readonly ReleasingRow[],
  error: unknown,
): { readonly documents: readonly ReleasingRow[]; readonly fault: string } | undefined {
  if (error instanceof CannotSplit) return { documents, fault: CANNOT_SPLIT };
  if (error instanceof Refusal && error.code === 'integrity') return { documents, fault: ORIGINAL_DAMAGED };
  if (isLasting(error)) return { documents, fault: error.message };
  if (!(error instanceof PieceDiffers)) return undefined;
  const { from, to } = error.range;
  return { documents: documents.filter(({ fromPage, toPage }) => fromPage === from && toPage === to), fault: DIFFERS };
}

async function isReleasing(tx: Kysely<Schema>, batchId: number, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('batch_documents')
    .select('id')
    .where('batch_id', '=', batchId)
    .where('state', '=', 'releasing')
    .where('releasing_by_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function releasingOf(database: Database, batchId: number, userId: number) {
  return database.reader
    .selectFrom('batch_documents as document')
    .innerJoin('batches', 'batches.id', 'document.batch_id')
    .innerJoin('batch_files as file', 'file.id', 'document.batch_file_id')
    .leftJoin('clients', 'clients.id', 'document.client_id')
    .leftJoin('report_types', 'report_types.id', 'document.report_type_id')
    .select([
      'document.id as id',
      'batches.id as batchId',
      'batches.name as batchName',
      'file.id as fileId',
      'file.name as fileName',
      'file.pages as filePages',
      'file.storage_key as storageKey',
      'file.size_bytes as sizeBytes',
      'file.sha256 as sha256',
      'document.from_page as fromPage',
      'document.to_page as toPage',
      'document.client_id as clientId',
      'clients.name as clientName',
      'document.report_type_id as reportTypeId',
      'report_types.name as reportTypeName',
      'document.period as period',
      'document.replaces_file_id as replacesFileId',
      'document.accepted_by_id as acceptedById',
      'document.corrects_file_id as correctsFileId',
    ])
    .where('document.batch_id', '=', batchId)
    .where('document.state', '=', 'releasing')
    .where('document.releasing_by_id', '=', userId)
    .orderBy('file.id')
    .orderBy('document.from_page')
    .orderBy('document.id')
    .execute() satisfies Promise<(Releasing & { batchName: string })[]>;
}

type ReleasingRow = Awaited<ReturnType<typeof releasingOf>>[number];

/** The person who ordered the release, and acts. */
interface Order {
  readonly principal: Principal;
  readonly userId: number;
}

interface Piece {
  readonly document: ReleasingRow;
  readonly staged: StagedBlob;
}

/** The bytes of each document of one file, staged. A PDF is read once, and its pieces are made one after the other. */
async function* contentsOf(
  documents: readonly ReleasingRow[],
  { blobs, config }: ReleaseStores,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const limits = { maxBytes: config.maxUploadBytes, signal };
  for (const document of documents.filter(isWholeFile)) {
    const content = await blobs.read(document);
    const source = Buffer.isBuffer(content) ? Readable.from([content]) : content;
    yield { document, staged: await blobs.stage(source, limits) };
  }
  const parts = documents.filter((document) => !isWholeFile(document));
  const [first] = parts;
  if (first === undefined) return;
  const ranges = parts.map(({ fromPage, toPage }) => ({ from: fromPage, to: toPage }));
  const rest = parts.values();
  const pages = first.filePages ?? undefined;
  for await (const bytes of splitPdf(await gatherBytes(blobs, first), ranges, { pages, signal })) {
    const { value: document } = rest.next();
    if (document === undefined) throw new Error('There are more pieces than documents');
    const content = Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)]);
    yield { document, staged: await blobs.stage(content, limits) };
  }
}

/** A refusal that trying again does not change: the reviewer is told, and decides anew. */
const isLasting = (error: unknown): error is Refusal => error instanceof Refusal && error.status < 500;

const CANNOT_SPLIT =
  'Its pages cannot be taken out of this file. Save the file anew without a password and drop it again.';
const ORIGINAL_DAMAGED = 'The file it came in is not what was dropped any more. Drop it again in another batch.';
const DIFFERS =
  'The pages made do not match what was accepted. Nothing was released; save the file anew and drop it again.';
const CORRECTED_IS_GONE = 'The file to correct is not there any more';

const MAY_NO_MORE = 'Whoever ordered its release may not release it any more. Somebody else releases it.';
const FAILED_TOO_OFTEN = `It was tried ${ATTEMPTS} times and failed each time. Release it again, or ask an Admin to look at Jobs.`;
const ACCEPTED_IT = 'Whoever ordered its release accepted it too, and four eyes are on. Somebody else releases it.';

/** Why whoever ordered the release may not release a document; undefined for any other error. */
function notTheirsBy(error: unknown): string | undefined {
  if (error instanceof NotTheirs) return error.message;
  return error instanceof Refusal && error.code === 'unauthenticated' ? MAY_NO_MORE : undefined;
}

/** The right and the batch are asked for as when the release was ordered: either may have gone since. */
async function authorizeRelease(scope: ReadScope, batchId: number): Promise<Proof<'batches.release'>> {
  const batch = await scope.batches().select('batches.id').where('batches.id', '=', batchId).executeTakeFirst();
  if (batch === undefined || !may(scope.viewer, 'batches.release')) throw new NotTheirs(MAY_NO_MORE);
  return scope.authorize('batches.release');
}

/** Why whoever ordered the release may release nothing of the batch any more; undefined where they may. */
async function lostBy(principal: Principal, batchId: number): Promise<string | undefined> {
  try {
    await authorizeRelease(await principal.read(), batchId);
    return undefined;
  } catch (error) {
    const reason = notTheirsBy(error);
    if (reason === undefined) throw error;
    return reason;
  }
}

/**
 * Makes a file of a document; false where it is not to be released any more, or not as it was. What is refused goes back to the reviewer
 * with the reason; what fails is tried again with the job.
 */
async function release(
  { principal, userId }: Order,
  { document, ...piece }: Piece,
  stores: ReleaseStores,
): Promise<boolean> {
  await using staged = piece.staged;
  const { id, batchId, clientId, reportTypeId, period, replacesFileId, correctsFileId, batchName } = document;
  if (clientId === null || reportTypeId === null) {
    await handBack(stores.database, userId, [document], { ...TO_CHECK, fault: INCOMPLETE });
    return true;
  }
  const originalName = documentName(document);
  const fields = {
    clientId,
    fileType: 'report' as const,
    reportTypeId,
    period: period ?? undefined,
    replaces: replacesFileId ?? undefined,
    corrects: correctsFileId ?? undefined,
  };
  const claim = async (scope: WriteScope, { id: fileId }: { readonly id: number }) => {
    const { numUpdatedRows } = await scope
      .unscoped(await authorizeRelease(scope, batchId))
      .updateTable('batch_documents')
      .set(({ eb }) => ({ state: 'released', released_file_id: fileId, fault: null, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('state', '=', 'releasing')
      .where('releasing_by_id', '=', userId)
      // As it was accepted when its pages were made.
      .where('from_page', '=', document.fromPage)
      .where('to_page', '=', document.toPage)
      .where('client_id', '=', clientId)
      .where('report_type_id', '=', reportTypeId)
      .where('period', 'is not distinct from', period)
      .where('replaces_file_id', 'is not distinct from', replacesFileId)
      .where('corrects_file_id', 'is not distinct from', correctsFileId)
      .where('accepted_by_id', 'is not distinct from', document.acceptedById)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new DecidedElsewhere(`Document ${id} is not to be released any more`);
    const { fourEyes } = await readFirmSettings(scope, stores.config);
    if (!mayReleaseAccepted(scope.viewer, document.acceptedById, fourEyes)) throw new NotTheirs(ACCEPTED_IT);
    await assertThereStill(scope, document);
  };
  try {
    await ingest(principal, { staged, originalName, fields, idempotencyKey: undefined, batchName, claim }, stores);
  } catch (error) {
    if (error instanceof DecidedElsewhere) return false;
    const notTheirs = notTheirsBy(error) ?? (isLasting(error) ? await lostBy(principal, batchId) : undefined);
    if (notTheirs !== undefined) {
      await handBack(stores.database, userId, [document], { state: 'accepted', fault: notTheirs });
      return true;
    }
    if (!isLasting(error)) throw error;
    const isGone = error.fields?.['corrects'] !== undefined;
    const fault = isGone ? CORRECTED_IS_GONE : error.message;
    await handBack(stores.database, userId, [document], { ...TO_CHECK, fault });
  }
  return true;
}

/** Gives documents back to the reviewer that were not released yet, and are not somebody else's to release by now. */
async function handBack(
  database: Database,
  userId: number,
  documents: readonly Pick<ReleasingRow, 'id'>[],
  outcome: { readonly state: 'toCheck' | 'accepted'; readonly fault: string },
): Promise<void> {
  const ids = listText(documents.map(({ id }) => id));
  await database.transaction((tx) =>
    tx
      .updateTable('batch_documents')
      .set(({ eb }) => ({ ...outcome, releasing_by_id: null, version: eb('version', '+', 1) }))
      .where(isListedId('batch_documents.id', ids))
      .where('state', '=', 'releasing')
      .where('releasing_by_id', '=', userId)
      .execute(),
  );
}

/** Gives back what is left where the release is given up: it stays accepted, with the reason. */
async function handBackLeft(database: Database, batchId: number, userId: number): Promise<void> {
  const left = await releasingOf(database, batchId, userId);
  await handBack(database, userId, left, { state: 'accepted', fault: FAILED_TOO_OFTEN });
}
