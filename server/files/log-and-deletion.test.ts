// A file, its entry in the log and its deletion through the real server, on both engines: the bytes, the row and the entry are one.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { clientInput, type Firm } from '../testing/firm.ts';
import { storedPaths } from '../testing/stored.ts';
import type { TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { KIB, uploadFirm } from '../testing/upload-firm.ts';
import { purgeTrash } from './trash/purge.ts';

/** Runs one statement that is no query, such as one that makes a trigger. */
async function run(app: TestApp, sql: string): Promise<void> {
  await app.database.transaction(async (tx) => {
    await tx.executeQuery({ ...tx.selectFrom('users').selectAll().compile(), sql, parameters: [] });
  });
}

/** From now on the log takes no entry of this action, until the returned function is called. */
async function refuseEntries(app: TestApp, action: string): Promise<() => Promise<void>> {
  const when = `when (new.action = '${action}')`;
  if (app.database.kind === 'sqlite') {
    await run(
      app,
      `create trigger no_entry before insert on activity ${when} begin select raise(abort, 'no entry'); end`,
    );
    return () => run(app, 'drop trigger no_entry');
  }
  await run(
    app,
    `create function no_entry() returns trigger language plpgsql as $$ begin raise exception 'no entry'; end $$`,
  );
  await run(app, `create trigger no_entry before insert on activity for each row ${when} execute function no_entry()`);
  return () => run(app, 'drop function no_entry cascade');
}

describe.each(DATABASE_KINDS)('an upload on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  const { expectWhole, leavesNothing, upload, download } = uploadFirm(kind, (met) => {
    ({ app, firm } = met);
  });

  describe('and its entry in the log', () => {
    it('F2: are nothing when the entry cannot be written', async () => {
      const restore = await refuseEntries(app, 'upload');
      try {
        await leavesNothing(async () => {
          for (const headers of [{}, { 'idempotency-key': 'with-a-key' }]) {
            const { status, body } = await upload<ErrorBody>({
              bytes: 'never recorded',
              headers: headers as Record<string, string>,
            });
            expect([status >= 500, body.message]).toEqual([true, 'Internal Server Error']);
            expect(JSON.stringify(body)).not.toContain('no entry');
          }
        });
      } finally {
        await restore();
      }
      const retried = await upload({ bytes: 'never recorded', headers: { 'idempotency-key': 'with-a-key' } });
      expect(retried.status).toBe(201);
    });

    it.each([
      ['download', '/download'],
      ['download', ''],
      ['view', '/view'],
      ['view', '?view=true'],
    ])('F2: a %s by %s serves no byte without an entry in the log', async (action, how) => {
      const bytes = `secret ${'s'.repeat(2_000)}`;
      const { body: row } = await upload({ bytes });
      const restore = await refuseEntries(app, action);
      try {
        for (const init of [{}, { headers: { range: 'bytes=0-99' } }]) {
          const { status, headers, bytes: got } = await download(row.id, how, init);
          expect(status).toBeGreaterThanOrEqual(500);
          expect(headers.get('content-type')).toMatch(/^application\/json/);
          expect(headers.get('content-disposition')).toBeNull();
          expect(got.toString()).not.toContain('secret');
          expect(got.toString()).not.toContain('sss');
        }
      } finally {
        await restore();
      }
      expect((await download(row.id, how)).bytes.toString()).toBe(bytes);
    });

    it('F2: stay when the deletion cannot be recorded', async () => {
      const { body: row } = await upload({ bytes: 'still here' });
      const restore = await refuseEntries(app, 'delete');
      try {
        expect((await app.admin.delete(`/api/files/${row.id}`)).status).toBeGreaterThanOrEqual(500);
        expect((await app.admin.delete(`/api/clients/${firm.clients[0]}`)).status).toBeGreaterThanOrEqual(500);
      } finally {
        await restore();
      }
      expect((await download(row.id)).bytes.toString()).toBe('still here');
      await expectWhole();
    });
  });

  describe('and its deletion', () => {
    it('F9: take the row, the bytes once the trash is purged, and the log keeps the name', async () => {
      const before = await expectWhole();
      const { body: row } = await upload({ name: 'gone.txt' });
      expect(storedPaths(app)).toHaveLength(before.wanted.length + 1);
      expect(await app.admin.delete(`/api/files/${row.id}`)).toMatchObject({ status: 204, body: undefined });
      expect(storedPaths(app)).toHaveLength(before.wanted.length + 1);
      await purgeTrash(app.database, app.context.services.blobs, app.now() + 31 * 24 * 60 * 60_000);
      expect((await expectWhole()).wanted).toEqual(before.wanted);
      for (const how of ['', '/download', '/view']) expect((await download(row.id, how)).status).toBe(404);
      expect((await app.admin.delete(`/api/files/${row.id}`)).status).toBe(404);
      const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${row.id}&sort=timestamp`);
      expect(log.map((entry) => entry.details)).toEqual([
        'Uploaded file: gone.txt',
        'Deleted file: gone.txt',
        `Purged file: gone.txt (SHA-256 ${row.sha256})`,
      ]);
      // The id is not given to another.
      const next = await upload();
      expect(next.body.id).toBeGreaterThan(row.id);
      await expectWhole();
    });

    it('happen once when asked for twice at once', async () => {
      const { body: row } = await upload();
      const answers = await Promise.all([0, 1, 2].map(() => app.admin.delete(`/api/files/${row.id}`)));
      expect(answers.map((answer) => answer.status).sort()).toEqual([204, 404, 404]);
      const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${row.id}&action=delete`);
      expect(log).toHaveLength(1);
      await expectWhole();
    });

    it('of a client during uploads to it leave no dangling row or bytes', async () => {
      for (let round = 0; round < 6; round += 1) {
        const { body: client } = await app.admin.post<{ id: number }>(
          '/api/clients',
          clientInput(`Round ${round} LLC`),
        );
        const target = { clientId: client.id, fileType: 'report' };
        await upload({ fields: target });
        const [removal, ...uploads] = await Promise.all([
          app.admin.delete(`/api/clients/${client.id}`),
          upload({ fields: target, bytes: randomBytes(round * 10 * KIB + 1) }),
          upload({ fields: target, fileFirst: true }),
        ]);
        expect([204, 409, 503]).toContain(removal.status);
        for (const { status } of uploads) expect([201, 404, 409]).toContain(status);
        if (removal.status !== 204) expect((await app.admin.delete(`/api/clients/${client.id}`)).status).toBe(204);
        await expectWhole();
        const left = await app.database.reader
          .selectFrom('files')
          .select('id')
          .where('client_id', '=', client.id)
          .execute();
        expect(left).toEqual([]);
      }
    });
  });
});
