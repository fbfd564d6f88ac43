// The end of what is in the trash: by the clock or by somebody, for good, with its bytes.
import { describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import { restoredPortalDetails } from '#contract/activity-words.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { insertActivity, SYSTEM } from '../../audit/record.ts';
import { enterBlob } from '../../platform/blobs/blob-rows.ts';
import { sweepBlobs } from '../../platform/blobs/sweep.ts';
import { DAY_MS } from '../../platform/clock.ts';
import type { Firm } from '../../testing/firm.ts';
import { firmRows } from '../../testing/full-firm.ts';
import { refused } from '../../testing/refusal.ts';
import { ADMIN_PASSWORD, type Caller, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { trashFirm } from '../../testing/trash-firm.ts';
import { purgeTrash } from './purge.ts';

describe.each(DATABASE_KINDS)('what is in the trash on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  const { removeFile, restoreFile, restoreClient, namesIn, storedKeys, bytesOf } = trashFirm(kind, (met) => {
    ({ app, firm } = met);
  });

  it('G70: is ended before its time by who restores everything, for good, and the log names who', async () => {
    const { f1, f2, f3, f4 } = firm.files;
    await removeFile(firm.viewers.cpa, f1);
    await removeFile(firm.viewers.cpa, f3);
    const endFile = (by: Caller, { id }: { id: number }) => by.post<ErrorBody>(`/api/files/${id}/purge`);
    const endClient = (by: Caller, id: number) => by.post<ErrorBody>(`/api/clients/${id}/purge`);
    for (const viewer of [firm.viewers.cpa, firm.viewers.clientA, firm.viewers.bookkeeper]) {
      expect(refused(await endFile(viewer, f1))).toEqual([403, 'forbidden']);
    }
    // What is not in the trash is not ended.
    expect(refused(await endFile(app.admin, f2))).toEqual([409, 'already_restored']);
    expect(refused(await endFile(app.admin, { id: 999_999 }))).toEqual([404, 'not_found']);
    expect(await bytesOf(app.admin, f2)).toBe('bytes of CANARY2 f2.txt');

    const kept = await storedKeys();
    const answers = await Promise.all([endFile(app.admin, f1), endFile(firm.viewers.admin2, f1)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(await namesIn(app.admin)).toEqual(['f3.txt']);
    for (const by of [app.admin, firm.viewers.cpa]) {
      expect(refused(await restoreFile(by, f1))).toEqual([404, 'not_found']);
    }
    await purgeTrash(app.database, app.context.services.blobs, app.now());
    expect((await storedKeys()).length).toBe(kept.length - 1);

    const [clientId] = firm.clients;
    expect(refused(await endClient(app.admin, clientId))).toEqual([409, 'already_restored']);
    await app.admin.delete(`/api/clients/${clientId}`);
    expect(refused(await endFile(app.admin, f4))).toEqual([409, 'client_in_trash']);
    expect(refused(await endClient(firm.viewers.cpa, clientId))).toEqual([403, 'forbidden']);
    expect((await endClient(app.admin, clientId)).status).toBe(204);
    expect(refused(await restoreClient(app.admin, clientId))).toEqual([404, 'not_found']);
    // With what was deleted before it, which nobody could restore without it.
    expect(await namesIn(app.admin)).toEqual([]);
    await purgeTrash(app.database, app.context.services.blobs, app.now());
    const { trash, trashed_rows } = await firmRows(app.database);
    expect([trash, trashed_rows]).toEqual([[], []]);
    const log = (await app.admin.get<ActivityRow[]>('/api/activity-logs?action=delete&q=ever')).body;
    expect(log.map(({ details, userName }) => [details, userName])).toEqual([
      ['Deleted for ever: client Harbor & Pine Bakery LLC, with 3 files and 1 user', expect.any(String)],
      ['Deleted for ever: file f1.txt', expect.any(String)],
    ]);
  });

  it('G30: bytes stay until the purge, whatever sweeps, and go with it; the log names what went', async () => {
    const { f1, f3 } = firm.files;
    const keys = await storedKeys();
    await removeFile(firm.viewers.cpa, f1);
    await app.admin.delete(`/api/clients/${firm.clients[1]}`);
    app.advance(29 * DAY_MS);
    await removeFile(await app.login('admin', ADMIN_PASSWORD), f3);
    await app.context.runMaintenance();
    await sweepBlobs(app.database, app.context.services.blobs, { nowMs: app.now(), olderThanMs: -1 });
    expect(await storedKeys()).toEqual(keys);

    app.advance(DAY_MS + 60_000);
    const admin = await app.login('admin', ADMIN_PASSWORD);
    // Its time is over, also before anything was purged.
    expect(refused(await restoreFile(admin, f1))).toEqual([404, 'not_found']);
    expect(await namesIn(admin)).toEqual(['f3.txt']);
    await app.context.runMaintenance();
    expect(await storedKeys()).toHaveLength(keys.length - 2);
    const { body: log } = await admin.get<ActivityRow[]>('/api/activity-logs?action=delete&q=purged');
    expect(log.map(({ details, userName, fileId, clientName }) => [details, userName, fileId, clientName])).toEqual([
      ['Purged client: CANARY2 Acme Plumbing LLC', 'System', null, 'CANARY2 Acme Plumbing LLC'],
      [
        `Purged file: CANARY2 f2.txt (SHA-256 ${firm.files.f2.sha256})`,
        'System',
        firm.files.f2.id,
        'CANARY2 Acme Plumbing LLC',
      ],
      [`Purged file: f1.txt (SHA-256 ${f1.sha256})`, 'System', f1.id, f1.clientName],
    ]);
    expect((await restoreFile(admin, f3)).status).toBe(200);
    expect(await app.database.reader.selectFrom('trashed_rows').selectAll().execute()).toEqual([]);
  });

  it('is not purged for a day after a restore, though its time is over, and then is', async () => {
    const keys = await storedKeys();
    await removeFile(app.admin, firm.files.f1);
    app.advance(31 * DAY_MS);
    const details = restoredPortalDetails('2026-11-01 02:00:00 UTC');
    await app.database.transaction((tx) => insertActivity(tx, SYSTEM, { action: 'update', details }, app.now()));
    app.advance(DAY_MS - 60_000);
    await app.context.maintenance['maintenance.trash'].now();
    expect(await storedKeys()).toEqual(keys);
    app.advance(60_000);
    await app.context.maintenance['maintenance.trash'].now();
    expect(await storedKeys()).toHaveLength(keys.length - 1);
  });

  it('G30: is purged a hundred at a time, and others write in between', async () => {
    const MANY = 250;
    const at = app.now();
    await app.database.transaction(async (tx) => {
      for (let nth = 0; nth < MANY; nth += 1) {
        const blob = { storageKey: nth.toString(16).padStart(32, '0'), sizeBytes: 1, sha256: 'b'.repeat(64) };
        await enterBlob(tx, blob, { purpose: 'file', at });
        await tx
          .insertInto('trash')
          .values({
            kind: 'file',
            item_id: 1_000_000 + nth,
            name: `${nth}.txt`,
            name_key: `${nth}.txt`,
            search_text: `${nth}.txt`,
            client_id: firm.clients[0],
            client_name: 'Harbor & Pine Bakery LLC',
            with_client: 0,
            access_key: null,
            uploaded_by_id: null,
            sha256: blob.sha256,
            storage_key: blob.storageKey,
            files: null,
            users: null,
            deleted_at: at,
            deleted_by_id: firm.users.admin2,
            deleted_by_name: 'Full admin2',
            gone_at: at,
          })
          .execute();
      }
    });
    let removed = 0;
    const between: unknown[] = [];
    const remove = async () => {
      removed += 1;
      if (removed % 100 !== 1) return;
      const { status } = await app.admin.post('/api/report-types', { name: `Made meanwhile ${removed}` });
      const left = await app.database.reader.selectFrom('trash').select('id').execute();
      between.push([status, left.length]);
    };
    await purgeTrash(app.database, { remove }, at);
    expect([removed, between]).toEqual([
      MANY,
      [
        [201, 150],
        [201, 50],
        [201, 0],
      ],
    ]);
  });

  it('G30: a purge that ends between the row and the bytes leaves the bytes to the sweep', async () => {
    const { blobs } = app.context.services;
    const keys = await storedKeys();
    await removeFile(app.admin, firm.files.f1);
    app.advance(31 * DAY_MS);
    const failing = vi.spyOn(blobs, 'remove').mockRejectedValue(new Error('the disk is away'));
    await expect(app.context.maintenance['maintenance.trash'].now()).rejects.toThrow('the disk is away');
    failing.mockRestore();
    expect(await storedKeys()).toEqual(keys);
    await app.context.maintenance['maintenance.trash'].now();
    await app.context.maintenance['maintenance.blobs'].now();
    expect(await storedKeys()).toHaveLength(keys.length - 1);
  });
});
