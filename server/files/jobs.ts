// Every kind of job of files.
import type { Database } from '../platform/db/database.ts';
import { archiveJob } from './archives/archive-job.ts';
import { periodsJob } from './periods-job.ts';
import { disposeJob } from './retention/dispose-job.ts';
import { readTextsJobs } from './texts/read-texts-job.ts';

type FileStores = Parameters<typeof archiveJob>[0] &
  Parameters<typeof disposeJob>[0] &
  Parameters<typeof readTextsJobs>[0] & { readonly database: Database };

export function fileJobs(stores: FileStores) {
  return {
    'files.periods': periodsJob(stores.database),
    'files.archive': archiveJob(stores),
    'retention.dispose': disposeJob(stores),
    ...readTextsJobs(stores),
  };
}

export type FileJobs = ReturnType<typeof fileJobs>;
