// A firm whose files and backups are in a bucket: uploaded, listed, downloaded, packed, backed up, restored and read again.
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FileRow } from '#contract/files.ts';
import type { SystemFacts } from '#contract/system.ts';
import { runBackup, runVerify } from '../backup/backup-command.ts';
import { runRestore } from '../backup/restore-command.ts';
import { readConfig } from '../config.ts';
import { openContext } from '../context.ts';
import { scrubJob } from '../platform/blobs/scrub-job.ts';
import { DAY_MS } from '../platform/clock.ts';
import { cheapPasswords } from './cheap-passwords.ts';
import type { Firm } from './firm.ts';
import { oneRun } from './one-run.ts';
import { openTestBucket, type TestBucket } from './s3-server.ts';
import { sha256 } from './stored.ts';
import type { TestApp } from './test-app.ts';
import { startTestFirm } from './test-firm.ts';
import { unzip } from './unzip.ts';

const MIB = 1024 * 1024;
const silent = () => {};

let bucket: TestBucket;
let app: TestApp;
let firm: Firm;
const elsewhere = mkdtempSync(join(tmpdir(), 'coffer-journey-'));
beforeAll(async () => {
  bucket = await openTestBucket();
  ({ app, firm } = await startTestFirm('sqlite', { BLOB_URL: bucket.url.replace('?', '/files?') }));
});
afterAll(async () => {
  await app.close();
  await bucket.close();
  rmSync(elsewhere, { recursive: true, force: true });
});

it('a firm in a bucket keeps every byte, through a backup too', async () => {
  // One part, and several parts of an upload whose length is not announced.
  const sent = [1, 70_000, 12 * MIB + 7].map((size) => randomBytes(size));
  const files: FileRow[] = [];
  for (const [nth, bytes] of sent.entries()) {
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    const { status, body } = await app.admin.upload<FileRow>({ name: `sent-${nth}.bin`, bytes, fields });
    expect(status).toBe(201);
    files.push(body);
  }
  const listed = (await app.admin.get<FileRow[]>('/api/files?limit=100')).body.map(({ id }) => id);
  expect(listed).toEqual(expect.arrayContaining(files.map(({ id }) => id)));

  const download = async (id: number, headers: Record<string, string> = {}) => {
    const answer = await app.admin.fetch(`/api/files/${id}/download`, { headers });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  for (const [nth, bytes] of sent.entries()) {
    expect(sha256((await download(files[nth]?.id ?? 0)).bytes)).toBe(sha256(bytes));
  }
  const [large = Buffer.alloc(0)] = sent.slice(-1);
  const part = await download(files.at(-1)?.id ?? 0, { range: `bytes=${6 * MIB}-${6 * MIB + 999}` });
  expect([part.status, part.bytes.equals(large.subarray(6 * MIB, 6 * MIB + 1_000))]).toEqual([206, true]);

  const archive = await app.admin.fetch('/api/files/archive', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids: files.map(({ id }) => id) }),
  });
  expect(archive.status).toBe(200);
  const entries = await unzip(Buffer.from(await archive.arrayBuffer()));
  const packed = [...entries].filter(([name]) => name.endsWith('.bin')).map(([, bytes]) => sha256(bytes));
  expect(packed.sort()).toEqual(sent.map(sha256).sort());

  const backups = bucket.url.replace('?', '/backups?');
  expect(await runBackup(app.config, backups, { withKeys: false }, silent)).toBe(0);
  // A second one takes the lock again, and copies what is new alone.
  expect(await runBackup(app.config, backups, { withKeys: false }, silent)).toBe(0);
  expect(await runVerify(backups, silent)).toBe(0);
  cpSync(app.config.keyFile, join(elsewhere, 'files.keys'));
  const there = readConfig({ DATA_DIR: elsewhere, BLOB_URL: bucket.url.replace('?', '/restored?') });
  expect(await runRestore(there, backups, undefined, silent)).toBe(0);
  const restored = await openContext(there, { passwords: cheapPasswords(there.passwordHash), jobsAlone: true });
  const kept = new Set<string>();
  for await (const { storageKey } of restored.services.blobs.list()) kept.add(storageKey);
  expect(kept.size).toBe(listed.length);
  await restored.close();

  const read = scrubJob({
    database: app.database,
    blobs: app.context.services.blobs,
    config: { scrubDays: 1 },
    now: () => Date.now() + DAY_MS,
  }).run(oneRun());
  const { summary } = (await read) as { summary: string };
  expect(summary).toMatch(/^\d+ files? read again\./);
  expect((await app.admin.get<SystemFacts>('/api/system')).body.store).toMatchObject({ damaged: 0, answers: true });

  const { id } = files[0] ?? { id: 0 };
  expect((await app.admin.delete(`/api/files/${id}`)).status).toBe(204);
  app.advance(31 * DAY_MS);
  await app.context.maintenance['maintenance.trash'].now();
  const left = await bucket.contents();
  expect(left.filter((name) => name.includes('/files/'))).toHaveLength(listed.length - 1);
});
