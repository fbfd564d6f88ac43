// Who may call what about the log, the stream of changes, jobs, mail and the system: the calls of `rows/system.ts`.
import { describe, it } from 'vitest';
import type { JobState } from '#contract/job-states.ts';
import type { MailState } from '#contract/mail-states.ts';
import { insertActivity } from '../../audit/record.ts';
import { endingLink } from '../../mail/digests/ending.ts';
import { openSealer } from '../../platform/sealed.ts';
import type { Caller } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { insertTestJob } from '../test-job.ts';
import { insertTestMail } from '../test-mail.ts';
import { type Attempt, type Attempts, get, noneThere } from './calls.ts';
import type { RightsFirm } from './rights-firm.ts';
import { tryRights } from './try-rights.ts';

function systemAttempts({ app, bystander, clients, files, userIds }: RightsFirm): Attempts {
  function seedActivity(userId: number, clientId: number | null): Promise<number> {
    const client = clientId === null ? {} : { client: { id: clientId, name: 'A client' } };
    return app.database.transaction((tx) =>
      insertActivity(
        tx,
        { id: userId, name: 'Somebody' },
        { action: 'update', details: 'Seeded', ...client },
        Date.now(),
      ),
    );
  }

  const announce = (fileId: () => number, more: () => Record<string, unknown> = () => ({})): Attempt => ({
    call: (by) => by.post('/api/activity-logs', { action: 'view', fileId: fileId(), ...more() }),
  });

  /** A background job that no process takes here. */
  const seedJob = async (state: JobState) => (await insertTestJob(app.database, { state })).id;

  const endsBystander = () => endingLink(openSealer(app.config.secretsKeyFile), 'reports', bystander.id);

  /** A mail that nobody sends: mail is not set up here. */
  const seedMail = async (state: MailState) => (await insertTestMail(app.database, { state })).id;

  function retryMail(by: Caller, id: number) {
    return by.post(`/api/mail/messages/${id}/retry`);
  }

  function steer(how: 'retry' | 'cancel'): Attempt['call'] {
    return (by, id) => by.post(`/api/jobs/${id}/${how}`);
  }

  return {
    "activity.list shows one's own": {
      target: (viewer) => seedActivity(userIds[viewer], null),
      call: get('/api/activity-logs'),
    },
    "activity.list shows another's on a client in reach": {
      target: () => seedActivity(bystander.id, clients.near),
      call: get('/api/activity-logs'),
    },
    "activity.list shows another's on one out of reach": {
      target: () => seedActivity(bystander.id, clients.far),
      call: get('/api/activity-logs'),
    },
    "activity.list shows another's on no client": {
      target: () => seedActivity(bystander.id, null),
      call: get('/api/activity-logs'),
    },
    'activity.export': { call: get('/api/activity-logs/export') },
    'activity.announce in reach': announce(() => files.report),
    'activity.announce out of reach': announce(() => files.farReport),
    'activity.announce under another client': announce(
      () => files.report,
      () => ({ clientId: clients.far }),
    ),

    'changes.follow': { call: get('/api/events') },

    'jobs.list shows one': { target: () => seedJob('waiting'), call: get('/api/jobs') },
    'jobs.retry one that failed': { target: () => seedJob('failed'), call: steer('retry') },
    'jobs.retry one that is done': { target: () => seedJob('done'), call: steer('retry') },
    'jobs.retry none there': { target: noneThere, call: steer('retry') },
    'jobs.cancel one that waits': { target: () => seedJob('waiting'), call: steer('cancel') },
    'jobs.cancel one that has ended': { target: () => seedJob('done'), call: steer('cancel') },
    'jobs.cancel none there': { target: noneThere, call: steer('cancel') },

    'mail.facts': { call: get('/api/mail') },
    'mail.list shows one': { target: () => seedMail('sent'), call: get('/api/mail/messages') },
    'mail.retry one that failed': { target: () => seedMail('failed'), call: retryMail },
    'mail.retry one that was sent': { target: () => seedMail('sent'), call: retryMail },
    'mail.retry none there': { target: noneThere, call: retryMail },
    'mail.retry-all': { call: (by) => by.post('/api/mail/messages/retry') },
    'mail.test where mail is not set up': { call: (by) => by.post('/api/mail/test', { to: 'rosa@example.com' }) },

    'digests.own': { call: get('/api/digests') },
    'digests.choose': { call: (by) => by.put('/api/digests', { topic: 'reports', pace: 'daily' }) },
    'digests.usual': { call: get('/api/digests/usual') },
    'digests.set-usual': { call: (by) => by.put('/api/digests/usual', { clients: { reports: 'daily' } }) },
    'digests.end-page': { call: async (by) => by.get(`/api/digests/end?token=${await endsBystander()}`) },
    'digests.end': { call: async (by) => by.post(`/api/digests/end?token=${await endsBystander()}`) },

    'system.facts': { call: get('/api/system') },

    'docs.openapi': { call: get('/api/openapi.json') },
    'docs.page': { call: get('/api/docs') },
  };
}

describe.each(DATABASE_KINDS)('who may call what on %s', (kind) => {
  const { expectRecorded } = tryRights(kind, 'system', systemAttempts);

  it('G19: whatever is refused as forbidden or not found is recorded against anyone who asked', async () => {
    await expectRecorded();
  });
});
