// What people have ordered in the background, as they read it themselves: in plain words, with what came of it.

import { RECOGNISING_TOO_LONG, RELEASING_ENDED } from '#contract/batch-words.ts';
import type { OwnJobState } from '#contract/job-states.ts';
import { OWN_JOBS_MAX, type OwnJobRow } from '#contract/jobs.ts';
import { mayAttempt } from '#contract/policy.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import { param } from '../../platform/db/statement.ts';
import { instant, instantOrNull } from '../../platform/instant.ts';
import type { ReadScope } from '../access/scope.ts';

interface Words {
  readonly title: string;
  /** What is said where it ended before it was done: the error of a job is for who runs the portal. */
  readonly undone: string;
}

/** The kinds of job that act for a person; what another version of the program knows besides is not told. */
const WORDS = {
  'files.archive': { title: 'Prepare a ZIP', undone: 'It could not be prepared. Order it again.' },
  'batches.read': { title: 'Read a batch', undone: 'Reading ended before it was done. Read the batch again.' },
  'batches.read-file': {
    title: 'Read a file of a batch',
    undone: 'Reading a file ended before it was done. Read it again.',
  },
  'batches.release': {
    title: 'Release a batch',
    undone: RELEASING_ENDED,
  },
  'retention.dispose': {
    title: 'Dispose of files',
    undone: 'It ended before it was done. Decide under Retention what becomes of the rest.',
  },
} as const satisfies Readonly<Record<string, Words>>;

type OwnJobKind = keyof typeof WORDS;

const KINDS = Object.keys(WORDS) as OwnJobKind[];

interface Read {
  readonly id: number;
  readonly kind: OwnJobKind;
  readonly state: OwnJobState | 'cancelled';
  readonly payload: string;
  readonly progress: number | null;
  readonly error: string | null;
  readonly orderedAt: number;
  readonly endedAt: number | null;
}

type Made = NonNullable<OwnJobRow['made']>;

/** The number that a payload calls `key`, or 0, which is no id. */
function idIn({ payload }: Read, key: 'batchId' | 'disposalId'): number {
  const id = (JSON.parse(payload) as Readonly<Record<string, unknown>>)[key];
  return typeof id === 'number' ? id : 0;
}

interface Archive {
  readonly ready: Made | null;
  readonly fault: string | null;
}

/** The ZIPs of the jobs, by job, as long as they are kept; one that is prepared again belongs to the latest job alone. */
async function archivesOf(scope: ReadScope, jobs: readonly Read[], at: number): Promise<ReadonlyMap<number, Archive>> {
  const ids = jobs.filter(({ kind }) => kind === 'files.archive').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await scope
    .ownArchives()
    .where('archives.expires_at', '>', at)
    .where(isListedId('archives.job_id', listText(ids)))
    .select(['id', 'job_id as jobId', 'name', 'storage_key as storageKey', 'fault'])
    .execute();
  return new Map(
    rows.map(({ id, jobId, name, storageKey, fault }) => [
      jobId ?? 0,
      { ready: storageKey === null ? null : { what: 'zip', id, name: name ?? 'files.zip' }, fault },
    ]),
  );
}

/** The batches in reach that the jobs are about, by id. */
async function batchesOf(scope: ReadScope, jobs: readonly Read[]): Promise<ReadonlyMap<number, Made>> {
  const ids = new Set(jobs.map((job) => idIn(job, 'batchId')));
  const rows = await scope
    .batches()
    .where(isListedId('batches.id', listText([...ids])))
    .where('batches.state', '<>', 'discarded')
    .select(['batches.id as id', 'batches.name as name'])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, { what: 'batch', id, name }]));
}

/** The disposals in reach that the jobs are about, by id. */
async function disposalsOf(scope: ReadScope, jobs: readonly Read[]): Promise<ReadonlyMap<number, Made>> {
  const ids = jobs.filter(({ kind }) => kind === 'retention.dispose').map((job) => idIn(job, 'disposalId'));
  if (ids.length === 0 || !mayAttempt(scope.viewer, 'retention.read')) return new Map();
  const rows = await scope
    .disposals()
    .where(isListedId('disposals.id', listText(ids)))
    .select('disposals.id as id')
    .execute();
  return new Map(rows.map(({ id }) => [id, { what: 'disposal', id, name: `Disposal ${id}` }]));
}

function faultOf({ kind, state, error }: Read, archive: Archive | undefined): string | null {
  if (state === 'cancelled') return 'It was canceled.';
  if (state !== 'failed') return null;
  if (archive?.fault) return archive.fault;
  return error === RECOGNISING_TOO_LONG ? RECOGNISING_TOO_LONG : WORDS[kind].undone;
}

/** The viewer's own jobs, the newest first, `OWN_JOBS_MAX` at most. */
export async function listOwnJobs(scope: ReadScope, at: number): Promise<OwnJobRow[]> {
  const jobs = await scope.prepared<Read>(
    'jobs.own',
    (sources) =>
      sources
        .ownJobs()
        .where('jobs.kind', 'in', KINDS)
        .select([
          'jobs.id as id',
          'jobs.kind as kind',
          'jobs.state as state',
          'jobs.payload as payload',
          'jobs.progress as progress',
          'jobs.error as error',
          'jobs.created_at as orderedAt',
          'jobs.ended_at as endedAt',
        ])
        .orderBy('jobs.id', 'desc')
        .limit(param<number>('limit'))
        .$castTo<Read>(),
    { limit: OWN_JOBS_MAX },
  );
  if (jobs.length === 0) return [];
  const archives = await archivesOf(scope, jobs, at);
  const batches = await batchesOf(scope, jobs);
  const disposals = await disposalsOf(scope, jobs);
  return jobs.map((job) => {
    const archive = archives.get(job.id);
    return {
      id: job.id,
      title: WORDS[job.kind].title,
      state: job.state === 'cancelled' ? 'failed' : job.state,
      progress: job.state === 'running' ? job.progress : null,
      fault: faultOf(job, archive),
      orderedAt: instant(job.orderedAt),
      endedAt: instantOrNull(job.endedAt),
      made: archive?.ready ?? batches.get(idIn(job, 'batchId')) ?? disposals.get(idIn(job, 'disposalId')) ?? null,
    };
  });
}
