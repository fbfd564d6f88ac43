// One run of a job: how it is done, stopped, tried again or given up.
import type { Kysely } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { type ClaimedJob, othersWait } from './due-jobs.ts';
import type { JobLog } from './job-log.ts';
import { progressOf } from './job-progress.ts';
import { RETRY_WITHIN_MS } from './job-table.ts';
import type { JobKind, RunningJob } from './kinds.ts';
import { endAsAsked, endCancelled, endDone, endFailed, releaseRun, waitForRetry } from './running-jobs.ts';

const ERROR_LENGTH_MAX = 500;

/** The run is to end, or is no longer this process's own. */
class RunLost extends Error {
  override readonly name = 'RunLost';
}

export interface Running {
  readonly job: ClaimedJob;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  /** Why it was asked to stop, if it was. */
  stoppedBy: 'cancel' | 'release' | 'lost' | null;
}

interface RunServices {
  readonly database: Database;
  readonly now: () => number;
  readonly clock: Clock;
  readonly log: JobLog;
  /** The principal of the person with this id. */
  readonly actingFor: (userId: number) => Principal;
}

/** Runs the job and records how that ended; rejects where the end could not be recorded. */
export async function attemptRun(running: Running, kind: JobKind, services: RunServices): Promise<void> {
  const { database, now, actingFor, log } = services;
  const { job, controller } = running;
  const progress = progressOf(job, services);
  let isFinished = false;
  const finish: RunningJob<unknown>['finish'] = async (tx, result) => {
    const text = result === undefined ? null : JSON.stringify(result);
    if (!(await endDone(tx, job, text, now()))) throw new RunLost(`Job ${job.id} was taken over`);
    isFinished = true;
  };
  let pieces = 0;
  const pieceKept = async () => {
    pieces += 1;
    if (pieces % (kind.piecesOfATurn ?? Number.POSITIVE_INFINITY) !== 0) return;
    if (!(await othersWait(database.reader, job, now()))) return;
    stopRun(running, 'release');
    controller.signal.throwIfAborted();
  };
  try {
    // The process may have begun to end meanwhile.
    controller.signal.throwIfAborted();
    const result = await kind.run({
      id: job.id,
      attempt: attemptOf(job, kind),
      payload: kind.payload.parse(JSON.parse(job.payload)),
      principal: job.acting_user_id === null ? null : actingFor(job.acting_user_id),
      signal: controller.signal,
      passOver: (err, piece) => log.error({ err, job: job.id, kind: job.kind, piece }, 'a job went on without a piece'),
      progress: progress.note,
      pieceKept,
      finish,
    });
    await progress.end();
    if (!isFinished) await database.transaction((tx) => finish(tx, result));
  } catch (error) {
    await progress.end();
    await settleRun(running, kind, error, services);
  }
}

/** Which of the attempts that the kind has this is: each run that was given back has added one to them. */
const attemptOf = ({ attempts, attempts_max }: ClaimedJob, kind: JobKind) =>
  Math.max(1, kind.attempts - (attempts_max - attempts));

/** Records why a run ended without being done. */
async function settleRun(
  { job, stoppedBy }: Running,
  kind: JobKind,
  error: unknown,
  { database, now, log }: RunServices,
): Promise<void> {
  const facts = { err: error, job: job.id, kind: job.kind, attempt: job.attempts };
  if (stoppedBy === 'cancel') return void (await database.transaction((tx) => endCancelled(tx, job, now())));
  // Begun again, nobody would know any more that it was to stop.
  const endOr = (goOn: (tx: Kysely<Schema>) => Promise<boolean>) =>
    database.transaction(async (tx) => (await endAsAsked(tx, job, now())) || goOn(tx));
  if (stoppedBy === 'release') return void (await endOr((tx) => releaseRun(tx, job, now())));
  if (stoppedBy === 'lost' || error instanceof RunLost) return;
  const words = wordsOf(error);
  if (job.attempts >= job.attempts_max || isFinal(error)) {
    log.error(facts, 'a job has failed');
    await database.transaction((tx) => endFailed(tx, job, words, now()));
    return;
  }
  log.info(facts, 'a job failed and will be tried again');
  const waitMs = Math.min(kind.retryAfterMs * 2 ** (attemptOf(job, kind) - 1), RETRY_WITHIN_MS);
  await endOr((tx) => waitForRetry(tx, job, words, now() + waitMs));
}

export function stopRun(running: Running, by: NonNullable<Running['stoppedBy']>): void {
  if (running.stoppedBy !== null) return;
  running.stoppedBy = by;
  running.controller.abort(new RunLost(`Job ${running.job.id} is to stop: ${by}`));
}

/** Faults that a further attempt cannot fix: a missing right, a deleted object, a wrong payload. */
function isFinal(error: unknown): boolean {
  if (error instanceof Refusal) return error.status < 500;
  return error instanceof Error && ['ZodError', '$ZodError'].includes(error.name);
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LENGTH_MAX);
}
