// What a batch's certificate says, read within the reach of whoever asks: documents out of it are counted and not described.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { certificateDetails, recallReasonIn } from '#contract/activity-words.ts';
import type { BatchCertificate, CertifiedDocument } from '#contract/batch-certificate.ts';
import { refuse } from '#contract/errors.ts';
import { batchReach } from '#contract/policy/reach.ts';
import type { Proof } from '#contract/policy.ts';
import { record } from '../../audit/record.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import { isListedId, isOneOfFew, listText } from '../../platform/db/id-list.ts';
import { inTurns } from '../../platform/db/list.ts';
import { instant } from '../../platform/instant.ts';
import { batchDocuments, recallOf, toldDocuments } from '../batch-documents.repo.ts';
import { findBatch } from '../batches.repo.ts';
import { filesInLists } from '../files-there.ts';

/** Documents with the bytes of the file that they became, as these lie in the list of files or in the trash. */
const becameFiles = (scope: ReadScope, batchId: number) =>
  batchDocuments(scope, batchId)
    .leftJoin('files as file', 'file.id', 'document.released_file_id')
    .leftJoin('trash', (join) =>
      join.onRef('trash.item_id', '=', 'document.released_file_id').on('trash.kind', 'in', ['file', 'version']),
    )
    .leftJoin('blobs', (join) =>
      join.on(({ eb, fn }) => eb('blobs.storage_key', '=', fn.coalesce('file.storage_key', 'trash.storage_key'))),
    )
    .select([
      'document.id as id',
      'document.state as state',
      'document.released_file_id as fileId',
      'client.id as reachedClientId',
      'client.name as clientName',
      'document.client_id as clientId',
      'type.id as reachedTypeId',
      'type.name as reportTypeName',
      'document.report_type_id as reportTypeId',
      'document.period as period',
      'original.id as originalId',
      'original.name as originalName',
      'original.size_bytes as originalSize',
      'original.sha256 as originalSha256',
      'original.pages as originalPages',
      'document.from_page as fromPage',
      'document.to_page as toPage',
      'blobs.size_bytes as size',
      'blobs.sha256 as sha256',
      'document.reviewed_by_name as reviewedByName',
      'document.recall_reason as recallReason',
      'document.recalled_by_name as recalledByName',
      'document.recalled_at as recalledAt',
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof becameFiles>['execute']>>[number];

/** A client or type that was deleted meanwhile is named by the log alone, to whoever reaches all of them. */
function isReached(scope: ReadScope, { clientId, reachedClientId, reportTypeId, reachedTypeId }: Row): boolean {
  if (batchReach(scope.viewer) === 'all') return true;
  return clientId !== null && reachedClientId !== null && (reportTypeId === null || reachedTypeId !== null);
}

const ENTRY = [
  'activity.id as id',
  'activity.action as action',
  'activity.file_id as fileId',
  'activity.details as details',
  'activity.file_name as fileName',
  'activity.client_name as clientName',
  'activity.client_id as clientId',
  'activity.user_name as userName',
  'activity.at as at',
] as const;

interface Entry {
  readonly action: string;
  readonly details: string | null;
  readonly fileId: number | null;
  readonly fileName: string | null;
  readonly clientName: string | null;
  readonly clientId: number | null;
  readonly userName: string;
  readonly at: number;
}

/** Entries of the log by the file that they are about. */
type Log = ReadonlyMap<number, readonly Entry[]>;

const byFile = (entries: readonly Entry[]): Log => Map.groupBy(entries, ({ fileId }) => fileId ?? 0);

/** What the log says of files that documents of this batch became: who released and who recalled them, whoever reads the log. */
async function entriesOf(
  scope: ReadScope,
  batchId: number,
  { documents, fileIds }: { readonly documents: string; readonly fileIds: string },
): Promise<Log> {
  const few = (column: string, list: string) => isOneOfFew(scope.engine, column, list);
  const rows = await scope
    .batches()
    .innerJoin('batch_documents as document', 'document.batch_id', 'batches.id')
    .innerJoin('activity', 'activity.file_id', 'document.released_file_id')
    .where('batches.id', '=', batchId)
    .where(few('document.id', documents))
    .where(few('document.released_file_id', fileIds))
    .where(few('activity.file_id', fileIds))
    .where('activity.action', 'in', ['upload', 'delete'])
    .select(ENTRY)
    // Two halves of a document that was recalled and split by an earlier version name the same file.
    .distinct()
    .orderBy('activity.id')
    .execute();
  return byFile(rows);
}

/** What the log says of recalls at these times, which are those of one batch: also of what was released again since, as another file. */
async function recallsAt(scope: ReadScope, batchId: number, times: ReadonlySet<number>): Promise<Log> {
  if (times.size === 0) return new Map();
  const rows = await scope
    .batches()
    .innerJoin('activity', (join) => join.on('activity.action', '=', 'delete'))
    .where('batches.id', '=', batchId)
    .where(isListedId('activity.at', listText([...times])))
    .select(ENTRY)
    .orderBy('activity.id')
    .execute();
  return byFile(rows);
}

/** Reading a document and its log takes some 100 µs: others wait five milliseconds or so. */
const READ_AT_ONCE = 50;

interface Told {
  readonly rows: readonly Row[];
  readonly log: Log;
  /** The files that are in lists: of what was recalled, those that were restored from the trash. */
  readonly listed: ReadonlySet<number | null>;
}

/** The documents that ever became a file, or are pages of one that was recalled; and what the log says of those in reach. */
async function readTold(scope: ReadScope, batchId: number): Promise<Told> {
  const ids = await toldDocuments(scope, batchId)
    .where(({ or, eb }) =>
      or([eb('document.released_file_id', 'is not', null), eb('document.recalled_at', 'is not', null)]),
    )
    .select('document.id as id')
    .execute();
  const rows: Row[] = [];
  const log = new Map<number, readonly Entry[]>();
  const listed = new Set<number | null>();
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    await nextTurn();
    const asked = listText(ids.slice(from, from + READ_AT_ONCE).map(({ id }) => id));
    const some = await becameFiles(scope, batchId)
      .where(isOneOfFew(scope.engine, 'document.id', asked))
      .execute();
    const fileIds = some.flatMap((row) => (isReached(scope, row) ? (row.fileId ?? []) : []));
    const entries = await entriesOf(scope, batchId, { documents: asked, fileIds: listText(fileIds) });
    for (const [fileId, told] of entries) log.set(fileId, told);
    for (const fileId of await filesInLists(scope, fileIds)) listed.add(fileId);
    rows.push(...some);
  }
  return { rows, log, listed };
}

/** Refuses a batch of which nothing was ever released. */
export async function readCertificate(
  scope: ReadScope,
  batchId: number,
  { firmName, at }: { readonly firmName: string; readonly at: number },
): Promise<BatchCertificate> {
  const batch = await findBatch(scope, batchId);
  const { rows, log, listed } = await readTold(scope, batchId);
  const stated = rows.filter(({ state }) => state === 'released' || state === 'recalled');
  if (rows.length === 0) throw refuse('nothing_released');
  const reached = rows.filter((row) => isReached(scope, row));
  const told = await inTurns(reached, (row) => certified(row, log.get(row.fileId ?? 0) ?? [], listed.has(row.fileId)));
  // Found by their time alone, they may be of any document: they are told to whoever reaches all.
  const reachesAll = !batch.shared && reached.length === rows.length;
  const times = new Set(reachesAll ? rows.flatMap(({ recalledAt }) => recalledAt ?? []) : []);
  const withEarlier = new Map([...(await recallsAt(scope, batchId, times)), ...log]);
  const documents = told.filter((document) => document !== undefined);
  return {
    batchId,
    batchName: batch.name,
    firmName,
    ownerName: batch.ownerName,
    madeAt: instant(at),
    madeForName: scope.viewer.fullName,
    leftOut: stated.filter((row) => !isReached(scope, row)).length,
    released: documents.filter(({ state }) => state === 'released').length,
    recalled: documents.filter(({ state }) => state === 'recalled').length,
    counts: countsOf(documents),
    documents,
    originals: originalsOf(stated.filter((row) => isReached(scope, row))),
    recalls: await recallsOf(scope, withEarlier, batch.name),
  };
}

/** Undefined for what was recalled and is under review again: only its recall is told. */
function certified(row: Row, entries: readonly Entry[], isListed: boolean): CertifiedDocument | undefined {
  const { state, fileId } = row;
  if (fileId === null || (state !== 'released' && state !== 'recalled')) return undefined;
  const release = entries.find(({ action }) => action === 'upload');
  const { id, period, originalId, originalName, fromPage, toPage, size, sha256, reportTypeName, reviewedByName } = row;
  return {
    id,
    state,
    fileId,
    // As it was released: what it was called since may be out of the reader's reach.
    fileName: release?.fileName ?? originalName,
    clientName: row.clientName ?? release?.clientName ?? '',
    reportTypeName,
    period,
    originalId,
    originalName,
    fromPage,
    toPage,
    size,
    sha256,
    releasedAt: release === undefined ? null : instant(release.at),
    releasedByName: release?.userName ?? null,
    reviewedByName,
    recall: state === 'recalled' ? recallOf(row) : null,
    restored: state === 'recalled' && isListed,
  };
}

function countsOf(documents: readonly CertifiedDocument[]): BatchCertificate['counts'] {
  const released = documents.filter(({ state }) => state === 'released');
  const groups = Map.groupBy(released, ({ clientName, reportTypeName }) =>
    JSON.stringify([clientName, reportTypeName]),
  );
  const counts = Array.from(groups.values(), (group) => ({
    clientName: group[0]?.clientName ?? '',
    reportTypeName: group[0]?.reportTypeName ?? null,
    documents: group.length,
  }));
  const inOrder = new Intl.Collator('en', { numeric: true });
  return counts.sort(
    (one, other) =>
      inOrder.compare(one.clientName, other.clientName) ||
      inOrder.compare(one.reportTypeName ?? '', other.reportTypeName ?? ''),
  );
}

function originalsOf(rows: readonly Row[]): BatchCertificate['originals'] {
  const originals = new Map(rows.map((row) => [row.originalId, row]));
  return Array.from(
    originals.values(),
    ({ originalId, originalName, originalSize, originalSha256, originalPages }) => ({
      id: originalId,
      name: originalName,
      size: originalSize,
      sha256: originalSha256,
      pages: originalPages,
    }),
  );
}

/** Told of the client that it was taken from, whatever the document was made into since. */
async function recallsOf(scope: ReadScope, log: Log, batchName: string): Promise<BatchCertificate['recalls']> {
  const recalls = [...log].flatMap(([fileId, entries]) =>
    entries.flatMap(({ action, details, clientId, userName, at, ...named }) => {
      const fileName = named.fileName ?? '';
      const clientName = named.clientName ?? '';
      const reason = action === 'delete' ? recallReasonIn(details ?? '', fileName, batchName) : null;
      return reason === null
        ? []
        : [{ clientId, at, told: { fileId, fileName, clientName, byName: userName, reason } }];
    }),
  );
  const isFree = batchReach(scope.viewer) === 'all';
  const reached = isFree
    ? new Set()
    : await reachedOf(
        scope,
        recalls.flatMap(({ clientId }) => clientId ?? []),
      );
  return recalls
    .filter(({ clientId }) => isFree || reached.has(clientId))
    .sort((one, other) => other.at - one.at)
    .map(({ told, at }) => ({ ...told, at: instant(at) }));
}

async function reachedOf(scope: ReadScope, clientIds: readonly number[]): Promise<ReadonlySet<number | null>> {
  const rows = await scope
    .clients()
    .select('clients.id')
    .where(isListedId('clients.id', listText([...new Set(clientIds)])))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Records that a certificate leaves, before its first byte does. */
export async function recordCertificate(
  scope: WriteScope,
  proof: Proof<'batches.use'>,
  batchName: string,
  at: number,
): Promise<void> {
  await record(scope, proof, { action: 'download', details: certificateDetails(batchName) }, at);
}
