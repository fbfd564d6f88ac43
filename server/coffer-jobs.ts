// Every kind of job that Coffer runs.

import { backupJob } from './backup/backup-job.ts';
import { batchJobs } from './batches/jobs.ts';
import type { Config } from './config.ts';
import { fileJobs } from './files/jobs.ts';
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
    ...fileJobs(stores),
    ...batchJobs(stores),
    'mail.send': sendMailsJob(stores),
    'mail.digests': digestsJob(stores),
    'session.password-link': passwordLinkJob(stores),
  };
}

/** Ordering any other kind does not compile. */
export type CofferJobs = ReturnType<typeof cofferJobs>;
