// The job that disposes of files whose years are over: each is judged again in its transaction, and what was left is written down with why.
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { disposedDetails } from '#contract/activity-words.ts';
import { Refusal } from '#contract/errors.ts';
import { counted } from '#contract/plain-words.ts';
import type { Outcome } from '#contract/retention-words.ts';
import { recordEach } from '../../audit/record.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Database } from '../../platform/db/database.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { param } from '../../platform/db/statement.ts';
import { dayOf } from '../../platform/instant.ts';
import { jobKind } from '../../platform/jobs/kinds.ts';
import { deletionBy } from '../trash/entries.ts';
import { lockFiles, type Tx } from '../trash/kept-rows.ts';
import { purgeFiles } from '../trash/purge.ts';
import { trashFiles } from '../trash/trashed-files.ts';
import { keptColumn } from '../versions.ts';
import { dueFiles } from './retention.ts';

export interface DisposalStores {
  readonly database: Database;
  readonly blobs: Pick<BlobStore, 'remove'>;
  readonly now: () => number;
}

/** In one transaction: others write in between. */
const DISPOSED_AT_ONCE = 100;

const GONE = 'It was deleted, replaced or purged meanwhile';
const EARLIER_VERSION = 'Earlier version of ';
const ON_HOLD = 'It is on hold';
const ELSEWHERE = 'It was filed elsewhere, or for another period, meanwhile';
const NOT_DUE = 'It is not due any more: the years of its type were changed';
const MAY_NO_MORE = 'Whoever ordered it may not dispose of files any more';

export function disposeJob({ database, blobs, now }: DisposalStores) {
  return jobKind({
    title: 'Dispose of files whose years are over',
    acts: 'person',
    payload: z.strictObject({ disposalId: z.int() }),
    attempts: 5,
    retryAfterMs: 30_000,
    atOnce: 1,
    async run({ id, payload: { disposalId }, principal, signal, progress }) {
      const total = await waitingOf(database.reader, disposalId);
      try {
        for (let left = total; left > 0; left = await waitingOf(database.reader, disposalId)) {
          signal.throwIfAborted();
          progress(total - left, total);
          const storageKeys = await principal.change('retention.manage', (scope) =>
            disposeSome(scope, disposalId, now()),
          );
          // What is interrupted here is released, and the sweep removes it.
          for (const storageKey of storageKeys) await blobs.remove(storageKey);
        }
      } catch (error) {
        if (!(error instanceof Refusal) || (error.code !== 'forbidden' && error.code !== 'unauthenticated'))
          throw error;
        const goesOn = await database.transaction(async (tx) => {
          await database.serialize(tx, 'disposals');
          if (await hasAnotherRun(tx, disposalId, id)) return true;
          await leaveRest(tx, disposalId, MAY_NO_MORE, now());
          return false;
        });
        if (goesOn) return { summary: `${MAY_NO_MORE}; it goes on in somebody else's name.` };
      }
      await database.transaction((tx) => endDisposal(tx, disposalId, now()));
      const { purged, left } = await outcomesOf(database.reader, disposalId);
      return { summary: `${counted(purged, 'file')} disposed of, ${left} left.` };
    },
  });
}

/** Whether it goes on by another job than this one, as in the name of whoever has said so since. */
async function hasAnotherRun(tx: Kysely<Schema>, disposalId: number, jobId: number): Promise<boolean> {
  const other = tx
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', 'retention.dispose')
    .where('payload', '=', JSON.stringify({ disposalId }))
    .where('state', 'in', ['waiting', 'running'])
    .where('id', '<>', jobId)
    .limit(1);
  return (await other.executeTakeFirst()) !== undefined;
}

async function waitingOf(db: Kysely<Schema>, disposalId: number): Promise<number> {
  const { n } = await db
    .selectFrom('disposal_files')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('disposal_id', '=', disposalId)
    .where('outcome', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return Number(n);
}

async function outcomesOf(db: Kysely<Schema>, disposalId: number): Promise<{ purged: number; left: number }> {
  const rows = await db
    .selectFrom('disposal_files')
    .select(['outcome', ({ fn }) => fn.countAll<number>().as('n')])
    .where('disposal_id', '=', disposalId)
    .groupBy('outcome')
    .execute();
  const of = (outcome: Outcome) => Number(rows.find((row) => row.outcome === outcome)?.n ?? 0);
  return { purged: of('purged'), left: of('left') };
}

/** Decides about the next of those that wait: purged here, or left. Answers the keys of the bytes that go after the commit. */
async function disposeSome(scope: WriteScope, disposalId: number, at: number): Promise<readonly string[]> {
  const proof = scope.authorize('retention.manage');
  // Nobody leaves the rest, and no other run decides, while this one is between what waits and its word.
  await scope.serialize('disposals');
  const tx = { db: scope.unscoped(proof), engine: scope.engine };
  const waiting = await tx.db
    .selectFrom('disposal_files')
    .selectAll()
    .where('disposal_id', '=', disposalId)
    .where('outcome', '=', 'waiting')
    .orderBy('file_id')
    .limit(DISPOSED_AT_ONCE)
    .execute();
  if (waiting.length === 0) return [];
  const ids = waiting.map(({ file_id }) => file_id);
  const there = new Set(await lockFiles(tx, ids));
  const due = new Map((await dueAmong(scope, ids, at)).map((file) => [file.id, file]));
  const places = new Map(
    (
      await tx.db
        .selectFrom('files')
        .select(['id', 'client_id', 'report_type_id', 'document_type', 'period'])
        .where(isListedId('files.id', listText(ids)))
        .execute()
    ).map((file) => [file.id, file]),
  );
  const left = new Map<string, number[]>();
  const disposed: typeof waiting = [];
  for (const file of waiting) {
    const found = due.get(file.file_id);
    const place = places.get(file.file_id);
    const isMoved =
      place?.client_id !== file.client_id ||
      place.report_type_id !== file.report_type_id ||
      // Without a report type the kind is in no column of what was ordered, but what its type was called is.
      (file.report_type_id === null && (place.document_type ?? '') !== file.type_name) ||
      place.period !== file.period;
    const reason = !there.has(file.file_id)
      ? GONE
      : isMoved
        ? ELSEWHERE
        : found === undefined
          ? NOT_DUE
          : found.onHold
            ? ON_HOLD
            : null;
    if (reason === null) disposed.push(file);
    else left.set(reason, [...(left.get(reason) ?? []), file.file_id]);
  }
  const decide = (fileIds: readonly number[], set: { outcome: Outcome; reason: string | null }) =>
    tx.db
      .updateTable('disposal_files')
      .set({ ...set, decided_at: at })
      .where('disposal_id', '=', disposalId)
      .where('outcome', '=', 'waiting')
      .where(isListedId('disposal_files.file_id', listText(fileIds)))
      .execute();
  for (const [reason, fileIds] of left) await decide(fileIds, { outcome: 'left', reason });
  const gone = disposed.map(({ file_id }) => file_id);
  await nameVersions(tx, disposalId, gone, at);
  await trashFiles(tx, gone, deletionBy(scope, at, { trashDays: 0 }));
  await decide(gone, { outcome: 'purged', reason: null });
  const entries = disposed.map((file) => ({
    action: 'delete' as const,
    details: disposedDetails(file.name, file.rule),
    file: { id: file.file_id, name: file.name },
    client: { id: file.client_id, name: file.client_name },
  }));
  await recordEach(scope, proof, entries, at);
  // Purged where the certificate says so: after the commit a hold on the client would keep it.
  return purgeFiles(tx.db, gone, at);
}

/** Earlier versions go with the newest file, and the certificate names each. */
async function nameVersions(
  { db, engine }: Tx,
  disposalId: number,
  fileIds: readonly number[],
  at: number,
): Promise<void> {
  const was = (name: string) => keptColumn(engine, name);
  await sql`insert into disposal_files (disposal_id, file_id, name, client_id, client_name, report_type_id, type_name, period, size_bytes,
      sha256, uploaded_at, due_on, rule, outcome, decided_at)
    select newest.disposal_id, version.item_id, version.name, newest.client_id, newest.client_name, newest.report_type_id, newest.type_name,
      ${was('period').text}, ${was('size_bytes').number}, version.sha256, ${was('uploaded_at').number}, newest.due_on,
      ${EARLIER_VERSION} || newest.name || ': ' || newest.rule, 'purged', cast(${at} as bigint)
    from disposal_files newest join trash version on version.kind = 'version' and version.version_of = newest.file_id
      join trashed_rows kept on kept.trash_id = version.id and kept.table_name = 'files'
    where newest.disposal_id = ${disposalId} and ${isListedId('newest.file_id', listText(fileIds))}
    on conflict (disposal_id, file_id) do update set outcome = 'purged', reason = null, rule = excluded.rule, decided_at = excluded.decided_at`.execute(
    db,
  );
}

/** Those of `ids` in reach that are due now. */
async function dueAmong(
  scope: WriteScope,
  ids: readonly number[],
  at: number,
): Promise<{ id: number; onHold: boolean }[]> {
  const rows = await scope.prepared<{ id: number; onHold: number | boolean }>(
    'retention.due-among',
    (sources) => dueFiles(sources).where(isListedId('files.id', param('ids'))),
    { ids: listText(ids), today: dayOf(at) },
  );
  return rows.map(({ id, onHold }) => ({ id, onHold: Boolean(onHold) }));
}

/** What still waits stays where it is. */
export async function leaveRest(tx: Kysely<Schema>, disposalId: number, reason: string, at: number): Promise<void> {
  await tx
    .updateTable('disposal_files')
    .set({ outcome: 'left', reason, decided_at: at })
    .where('disposal_id', '=', disposalId)
    .where('outcome', '=', 'waiting')
    .execute();
}

/** Ended once, however often it is said. */
export async function endDisposal(tx: Kysely<Schema>, disposalId: number, at: number): Promise<void> {
  await tx
    .updateTable('disposals')
    .set({ ended_at: at })
    .where('id', '=', disposalId)
    .where('ended_at', 'is', null)
    .execute();
}
