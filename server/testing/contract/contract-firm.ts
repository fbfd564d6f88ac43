// The firm of which every endpoint is asked: with mail set up, and a first archive and a first batch.
import type { DatabaseKind } from '../../platform/db/database.ts';
import { type Firm, makeFirm } from '../firm.ts';
import { mailEnvironment } from '../mail-server.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { insertTestArchive } from '../test-archive.ts';
import { insertTestBatch } from '../test-batch.ts';

export interface ContractFirm {
  readonly app: TestApp;
  readonly firm: Firm;
}

export async function startContractFirm(kind: DatabaseKind): Promise<ContractFirm> {
  const app = await startTestApp(kind, mailEnvironment(25));
  const firm = await makeFirm(app);
  const { body: me } = await app.admin.get<{ id: number }>('/api/auth/me');
  await insertTestArchive(app, { ownerId: me.id, fileIds: [1] });
  await insertTestBatch(app, { ownerId: me.id, state: 'review' });
  return { app, firm };
}
