// A call of each endpoint about files that succeeds, and its status.
import type { filesEndpoints } from '#contract/endpoints/files.ts';
import { type AnswersOf, uploadFile } from './answers.ts';
import type { ContractFirm } from './contract-firm.ts';

export function filesAnswers({ app, firm }: ContractFirm): AnswersOf<typeof filesEndpoints> {
  const aFile = () => uploadFile({ app, firm });

  return {
    'files.list': [200, () => app.admin.get('/api/files')],
    'files.export': [200, () => app.admin.get('/api/files/export')],
    'files.news': [200, () => app.admin.get('/api/files/news')],
    'files.archive': [200, () => app.admin.post('/api/files/archive', { ids: [1] })],
    'files.marked': [200, () => app.admin.get('/api/files/marked')],
    'files.readers': [200, () => app.admin.get('/api/files/readers?ids=1')],
    'files.settle-mark': [
      204,
      async () => {
        const { id } = (await aFile()).body;
        const mark = { file_id: id, state: 'open' as const, created_at: 1 };
        await app.database.transaction((tx) => tx.insertInto('file_marks').values(mark).execute());
        return app.admin.post(`/api/files/${id}/settle-mark`);
      },
    ],
    'files.facts': [200, () => app.admin.get('/api/files/1/facts')],
    'files.already-there': [
      200,
      () =>
        app.admin.post('/api/files/already-there', {
          files: [{ clientId: firm.clients[0], fileType: 'company_document', name: 'Nothing.pdf', size: 1 }],
        }),
    ],
    'files.upload': [201, aFile],
    'files.search-inside': [200, () => app.admin.get('/api/files/inside?q=report')],
    'files.open': [200, () => app.admin.get('/api/files/1')],
    'files.download': [200, () => app.admin.get('/api/files/1/download')],
    'files.view': [200, () => app.admin.get('/api/files/1/view')],
    'files.view-ticket': [201, () => app.admin.post('/api/files/1/view-ticket')],
    'files.periods': [200, () => app.admin.get(`/api/files/periods?clientId=${firm.clients[0]}`)],
    'files.set-period': [
      200,
      async () => app.admin.put('/api/files/period', { ids: [(await aFile()).body.id], period: '2026-Q1' }),
    ],
    'files.refile': [
      200,
      async () => app.admin.put(`/api/files/${(await aFile()).body.id}`, { fileType: 'company_document' }),
    ],
    'files.delete': [204, async () => app.admin.delete(`/api/files/${(await aFile()).body.id}`)],
    'files.restore': [
      200,
      async () => {
        const { body } = await aFile();
        await app.admin.delete(`/api/files/${body.id}`);
        return app.admin.post(`/api/files/${body.id}/restore`);
      },
    ],
    'files.purge': [
      204,
      async () => {
        const { body } = await aFile();
        await app.admin.delete(`/api/files/${body.id}`);
        return app.admin.post(`/api/files/${body.id}/purge`);
      },
    ],
  };
}
