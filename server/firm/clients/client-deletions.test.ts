// A client that is deleted while others work with it, on both engines: once, and with nothing left that names it.
import { beforeEach, describe, expect, inject, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ClientRow } from '#contract/clients.ts';
import { fileNameColumns, periodColumns } from '../../files/file-columns.ts';
import { enterBlob } from '../../platform/blobs/blob-rows.ts';
import { clientInput, PASSWORD } from '../../testing/firm.ts';
import { someoneWaits } from '../../testing/someone-waits.ts';
import { type Answer, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';

describe.each(DATABASE_KINDS)('a client deleted during other work on %s', (kind) => {
  let app: TestApp;
  let roles: { id: number; systemKey: string | null }[];
  beforeEach(async () => {
    app = await startTestApp(kind);
    roles = (await app.admin.get<typeof roles>('/api/roles')).body;
    return () => app.close();
  });
  const addClient = async (name: string) =>
    (await app.admin.post<ClientRow>('/api/clients', clientInput(name))).body.id;

  it('answers exactly one of two deletions with 204', async () => {
    const id = await addClient('Twice LLC');
    const answers = await Promise.all([app.admin.delete(`/api/clients/${id}`), app.admin.delete(`/api/clients/${id}`)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([204, 404]);
    const { body } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?clientId=${id}&action=delete`);
    expect(body).toHaveLength(1);
  });

  it('leaves no access list that names it, also of users created or changed at the same time', async () => {
    const client = roles.find((role) => role.systemKey === 'client')?.id ?? 0;
    for (let round = 0; round < 5; round += 1) {
      const id = await addClient(`Round ${round} LLC`);
      const user = {
        username: `racer${round}`,
        password: PASSWORD,
        fullName: 'Racer',
        roleId: client,
        clientIds: [id],
      };
      const answers = await Promise.all([app.admin.post('/api/users', user), app.admin.delete(`/api/clients/${id}`)]);
      expect([201, 400, 409]).toContain(answers[0].status);
      expect(answers[1].status).toBe(204);
      const left = await app.database.reader
        .selectFrom('user_clients')
        .selectAll()
        .where('client_id', '=', id)
        .execute();
      expect(left).toEqual([]);
    }
  });

  // The embedded engine has one connection, so nothing there can wait for another transaction.
  if (kind === 'postgres' && inject('postgresUrl') !== null) {
    it('is deleted or refused with a message when an upload to it commits first', async () => {
      const id = await addClient('Upload Under Way LLC');
      let deleting: Promise<Answer> | undefined;
      // An upload's transaction that has written its row and not yet committed.
      await app.database.transaction(async (tx) => {
        const blob = { storageKey: 'a'.repeat(32), sizeBytes: 1, sha256: 'b'.repeat(64) };
        await enterBlob(tx, blob, { purpose: 'file', at: Date.now() });
        await tx
          .insertInto('files')
          .values({
            ...fileNameColumns('late.txt'),
            storage_key: blob.storageKey,
            size_bytes: blob.sizeBytes,
            sha256: blob.sha256,
            content_type: 'text/plain',
            file_type: 'report',
            document_type: null,
            client_id: id,
            report_type_id: null,
            uploaded_by_id: null,
            uploader_name: 'Administrator',
            uploaded_at: Date.now(),
            ...periodColumns(null, Date.now()),
            idempotency_key: null,
          })
          .execute();
        deleting = app.admin.delete(`/api/clients/${id}`);
        await someoneWaits(app);
      });
      expect([204, 409, 503]).toContain((await deleting)?.status);
      const files = await app.database.reader.selectFrom('files').select('client_id').execute();
      const clients = (await app.database.reader.selectFrom('clients').select('id').execute()).map((row) => row.id);
      expect(files.filter((file) => !clients.includes(file.client_id))).toEqual([]);
    });
  }
});
