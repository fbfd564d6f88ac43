// What the job that sends mails does, at once and in a process of the test's own.

import { sendMailsJob } from '../mail/sending/send-job.ts';
import { openSealer } from '../platform/sealed.ts';
import { oneRun } from './one-run.ts';
import type { TestApp } from './test-app.ts';

/** Sends all that is due; resolves once nothing is, or the mail server does not answer. */
export async function sendMails(app: TestApp, signal: AbortSignal = new AbortController().signal): Promise<void> {
  const { services, sessions, scopes } = app.context;
  const { run } = sendMailsJob({
    ...services,
    database: app.database,
    scopes,
    sealer: openSealer(services.config.secretsKeyFile),
    findPerson: sessions.byPerson,
  });
  await run({ ...oneRun(), signal });
}
