// Every kind of job that Coffer runs.

import { backupJob } from './backup/backup-job.ts';
import { readBatchFileJob } from './batches/read-file-job.ts';
import { readBatchJob } from './batches/read-job.ts';
import { releaseBatchJob } from './batches/release-job.ts';
import { markUploadsJob } from './batches/wrong-client/mark-job.ts';
import type { Config } from './config.ts';
import { archiveJob } from './files/archives/archive-job.ts';
import { periodsJob } from './files/periods-job.ts';
import { disposeJob } from './files/retention/dispose-job.ts';
import { readTextsJobs } from './files/texts/read-texts-job.ts';
import { type DigestStores, digestsJob } from './mail/digests/digest-job.ts';
import type { Outbox } from './mail/outbox.ts';
import { type MailStores, sendMailsJob } from './mail/sending/send-job.ts';
import { type MaintainedStores, maintenanceJobs } from './maintenance.ts';
import { passwordLinkJob } from './people/auth/password-links.ts';
import { encryptJob } from './platform/blobs/encryption/encrypt-job.ts';
import { scrubJob } from './platform/blobs/scrub-job.ts';

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
