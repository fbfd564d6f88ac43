// A call of each endpoint about the log, the stream of changes, jobs, mail and the system that succeeds, and its status.
import type { auditEndpoints } from '#contract/endpoints/audit.ts';
import type { mailEndpoints } from '#contract/endpoints/mail.ts';
import type { systemEndpoints } from '#contract/endpoints/system.ts';
import type { JobState } from '#contract/job-states.ts';
import { endingLink } from '../../mail/digests/ending.ts';
import { openSealer } from '../../platform/sealed.ts';
import { insertTestJob } from '../test-job.ts';
import { insertTestMail } from '../test-mail.ts';
import type { AnswersOf } from './answers.ts';
import type { ContractFirm } from './contract-firm.ts';

export function systemAnswers({
  app,
  firm,
}: ContractFirm): AnswersOf<typeof auditEndpoints & typeof mailEndpoints & typeof systemEndpoints> {
  const aJob = (state: JobState) => insertTestJob(app.database, { state });

  return {
    'activity.list': [200, () => app.admin.get('/api/activity-logs')],
    'activity.export': [200, () => app.admin.get('/api/activity-logs/export')],
    'activity.announce': [201, () => app.admin.post('/api/activity-logs', { action: 'view', fileId: 1 })],
    'changes.follow': [200, () => app.admin.get('/api/events')],
    'jobs.list': [200, () => app.admin.get('/api/jobs')],
    'jobs.retry': [200, async () => app.admin.post(`/api/jobs/${(await aJob('failed')).id}/retry`)],
    'jobs.cancel': [200, async () => app.admin.post(`/api/jobs/${(await aJob('waiting')).id}/cancel`)],
    'mail.facts': [200, () => app.admin.get('/api/mail')],
    'mail.list': [200, () => app.admin.get('/api/mail/messages')],
    'mail.retry': [
      200,
      async () =>
        app.admin.post(`/api/mail/messages/${(await insertTestMail(app.database, { state: 'failed' })).id}/retry`),
    ],
    'mail.retry-all': [200, () => app.admin.post('/api/mail/messages/retry')],
    'mail.test': [201, () => app.admin.post('/api/mail/test', { to: 'rosa@example.com' })],
    'digests.own': [200, () => app.admin.get('/api/digests')],
    'digests.choose': [200, () => app.admin.put('/api/digests', { topic: 'reports', pace: 'daily' })],
    'digests.usual': [200, () => app.admin.get('/api/digests/usual')],
    'digests.set-usual': [200, () => app.admin.put('/api/digests/usual', { clients: { reports: 'daily' } })],
    'digests.end-page': [200, () => app.anonymous.get('/api/digests/end?token=reports.v1.nobody')],
    'digests.end': [
      204,
      async () => {
        const sealer = openSealer(app.config.secretsKeyFile);
        return app.anonymous.post(`/api/digests/end?token=${await endingLink(sealer, 'reports', firm.users.cpa)}`);
      },
    ],
    'system.facts': [200, () => app.admin.get('/api/system')],
    'docs.openapi': [200, () => app.admin.get('/api/openapi.json')],
    'docs.page': [200, () => app.admin.get('/api/docs')],
  };
}
