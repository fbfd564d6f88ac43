// Every kind of job that Coffer runs.

import { passwordLinkJob } from '../auth/password-links.ts';
import { encryptJob } from '../blobs/encryption/encrypt-job.ts';
import { scrubJob } from '../blobs/scrub-job.ts';
import { readBatchFileJob } from '../capture/read-file-job.ts';
import { readBatchJob } from '../capture/read-job.ts';
import { releaseBatchJob } from '../capture/release-job.ts';
import { markUploadsJob } from '../capture/wrong-client/mark-job.ts';
import type { Config } from '../config.ts';
import { archiveJob } from '../files/archive-job.ts';
import { disposeJob } from '../files/dispose-job.ts';
import { periodsJob } from '../files/periods-job.ts';
import { type DigestStores, digestsJob } from '../mail/digests/digest-job.ts';
import type { Outbox } from '../mail/outbox.ts';
import { type MailStores, sendMailsJob } from '../mail/send-job.ts';
import { readTextsJobs } from '../texts/read-texts-job.ts';
import { backupJob } from './backup-job.ts';
import { type MaintainedStores, maintenanceJobs } from './maintenance.ts';

export function cofferJobs(
  stores: MaintainedStores & MailStores & DigestStores & { readonly config: Config; readonly outbox: Outbox },
) {
  return {
    ...maintenanceJobs(stores),
    'backups.make': backupJob(stores),
    'blobs.encrypt': encryptJob(stores),
    'blobs.scrub': scrubJob(stores),
    'files.periods': periodsJob(stores.database),
    'files.archive': archiveJob(stores),
    'retention.dispose': disposeJob(stores),
    ...readTextsJobs(stores),
    'files.marks': markUploadsJob(stores),
    'batches.read': readBatchJob(stores),
    'batches.read-file': readBatchFileJob(stores),
    'batches.release': releaseBatchJob(stores),
    'mail.send': sendMailsJob(stores),
    'mail.digests': digestsJob(stores),
    'session.password-link': passwordLinkJob(stores),
  };
}

/** Ordering any other kind does not compile. */
export type CofferJobs = ReturnType<typeof cofferJobs>;
