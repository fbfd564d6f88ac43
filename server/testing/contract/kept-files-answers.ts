// A call of each endpoint about archives, the trash, holds, retention and completeness that succeeds, and its status.
import type { keptFilesEndpoints } from '#contract/endpoints/kept-files.ts';
import type { Firm } from '../firm.ts';
import { insertTestArchive } from '../test-archive.ts';
import { type AnswersOf, uploadFile } from './answers.ts';
import type { ContractFirm } from './contract-firm.ts';

export function keptFilesAnswers({ app, firm }: ContractFirm): AnswersOf<typeof keptFilesEndpoints> {
  const aFile = () => uploadFile({ app, firm });
  /** An order for a file whose year is over. */
  const aDueFile = async () => {
    await app.admin.put('/api/retention/rules', { reportTypeId: firm.reportTypes[0], years: 1 });
    const fields = {
      clientId: firm.clients[0],
      fileType: 'report',
      reportTypeId: firm.reportTypes[0],
      period: '2001',
    };
    const { body } = await app.admin.upload<{ id: number }>({ fields });
    return { ids: [body.id], expected: 1 };
  };
  const aDisposal = async () =>
    (await app.admin.post<{ id: number }>('/api/retention/disposals', await aDueFile())).body.id;
  const aHold = async () =>
    app.admin.post<{ id: number }>('/api/holds', { kind: 'file', id: (await aFile()).body.id, reason: 'An audit' });

  const anArchive = async (state: 'ready' | 'failed') => {
    const { body: me } = await app.admin.get<{ id: number }>('/api/auth/me');
    return insertTestArchive(app, { ownerId: me.id, fileIds: [1], state });
  };
  const expectationOf = ({ clients: [clientId], reportTypes: [reportTypeId] }: Firm) => ({
    clientId,
    reportTypeId,
    frequency: 'quarterly',
    dueDays: 31,
    starts: null,
  });

  return {
    'archives.list': [200, () => app.admin.get('/api/archives')],
    'archives.order': [201, () => app.admin.post('/api/archives', { ids: [1] })],
    'archives.open': [200, async () => app.admin.get(`/api/files/archives/${await anArchive('ready')}/download`)],
    'archives.retry': [200, async () => app.admin.post(`/api/archives/${await anArchive('failed')}/retry`)],
    'archives.delete': [204, async () => app.admin.delete(`/api/archives/${await anArchive('ready')}`)],
    'trash.list': [200, () => app.admin.get('/api/trash')],
    'holds.list': [200, () => app.admin.get('/api/holds')],
    'holds.place': [201, aHold],
    'holds.lift': [204, async () => app.admin.post(`/api/holds/${(await aHold()).body.id}/lift`)],
    'retention.list': [200, () => app.admin.get('/api/retention')],
    'retention.rules': [200, () => app.admin.get('/api/retention/rules')],
    'retention.save-rule': [200, () => app.admin.put('/api/retention/rules', { reportTypeId: null, years: null })],
    'retention.dispose': [201, async () => app.admin.post('/api/retention/disposals', await aDueFile())],
    'retention.disposals': [200, () => app.admin.get('/api/retention/disposals')],
    'retention.certificate': [
      200,
      async () => app.admin.get(`/api/retention/disposals/${await aDisposal()}/certificate`),
    ],
    'retention.export': [200, async () => app.admin.get(`/api/retention/disposals/${await aDisposal()}/export`)],
    'retention.decide-rest': [
      200,
      async () => {
        const disposal = await aDisposal();
        const { body } = await app.admin.get<{ id: number; kind: string }[]>('/api/jobs');
        await app.admin.post(`/api/jobs/${body.find(({ kind }) => kind === 'retention.dispose')?.id}/cancel`);
        return app.admin.post(`/api/retention/disposals/${disposal}/rest`, { decision: 'leave' });
      },
    ],
    'completeness.board': [200, () => app.admin.get('/api/completeness?period=2026-Q3')],
    'completeness.export': [200, () => app.admin.get('/api/completeness/export?period=2026-09')],
    'completeness.summary': [200, () => app.admin.get('/api/completeness/summary?period=2026')],
    'completeness.propose': [200, () => app.admin.post('/api/completeness/proposals', {})],
    'completeness.save-many': [
      200,
      () => app.admin.post('/api/completeness/expectations', { expectations: [expectationOf(firm)] }),
    ],
    'completeness.list': [200, () => app.admin.get(`/api/clients/${firm.clients[0]}/expectations`)],
    'completeness.save': [
      200,
      () => app.admin.put(`/api/clients/${firm.clients[0]}/expectations`, { expectations: [] }),
    ],
  };
}
