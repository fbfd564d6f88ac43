// Every kind of job of batches, and of the guard that judges what batches know.
import { readBatchFileJob } from './read-file-job.ts';
import { readBatchJob } from './read-job.ts';
import { releaseBatchJob } from './release-job.ts';
import { markUploadsJob } from './wrong-client/mark-job.ts';
import { judgeNameJob } from './wrong-client/name-job.ts';

type BatchStores = Parameters<typeof readBatchJob>[0] &
  Parameters<typeof releaseBatchJob>[0] &
  Parameters<typeof markUploadsJob>[0];

export function batchJobs(stores: BatchStores) {
  return {
    'files.marks': markUploadsJob(stores),
    'files.names': judgeNameJob(stores),
    'batches.read': readBatchJob(stores),
    'batches.read-file': readBatchFileJob(stores),
    'batches.release': releaseBatchJob(stores),
  };
}

export type BatchJobs = ReturnType<typeof batchJobs>;
