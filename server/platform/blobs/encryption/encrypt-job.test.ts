// Encryption of a firm, on both engines: from the first start, in the background for what was plain, under new keys, and told by key.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FileRow } from '#contract/files.ts';
import type { JobRow } from '#contract/jobs.ts';
import { purgeTrash } from '../../../files/trash/purge.ts';
import type { Firm } from '../../../testing/firm.ts';
import { oneRun } from '../../../testing/one-run.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../../testing/test-database.ts';
import { startTestFirm } from '../../../testing/test-firm.ts';
import { openBlobStore, parseBlobUrl } from '../open-blob-store.ts';
import { encryptJob } from './encrypt-job.ts';
import { configuredEncryption, encryptionOf, keyUses, rotateKeys } from './firm-keys.ts';

const YEAR_MS = 365 * 24 * 60 * 60_000;

describe.each(DATABASE_KINDS)('encryption at rest on %s', { timeout: 30_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, { SEARCH_INSIDE: 'off' }));
  });
  afterAll(() => app.close());

  const upload = async (name: string, bytes: string) =>
    (
      await app.admin.upload<FileRow>({
        name,
        bytes,
        fields: {
          clientId: firm.clients[0] as number,
          fileType: 'report',
          reportTypeId: firm.reportTypes[0] as number,
        },
      })
    ).body;
  const stored = () =>
    readdirSync(join(app.config.dataDir, 'blobs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  const textOf = async ({ id }: FileRow) => (await app.admin.get<string>(`/api/files/${id}/download`)).body;

  async function encrypted(): Promise<void> {
    await app.context.jobs.start();
    await vi.waitFor(
      async () => {
        const version = await app.context.services.blobs.keyVersion();
        expect((await keyUses(app.database)).filter((use) => use.version !== version)).toEqual([]);
      },
      { timeout: 20_000, interval: 30 },
    );
    await app.context.jobs.stop();
  }

  it('holds from the first start: nothing of a file is readable where it lies', async () => {
    const file = await upload('one.txt', 'salary of Ingrid');
    for (const path of stored()) expect(readFileSync(path).includes('salary')).toBe(false);
    expect(await textOf(file)).toBe('salary of Ingrid');
  });

  it('reads what was plain before, and encrypts it in the background', async () => {
    const file = await upload('two.txt', 'plain as before');
    const row = await app.database.reader
      .selectFrom('files')
      .select('storage_key')
      .where('id', '=', file.id)
      .executeTakeFirstOrThrow();
    const path = stored().find((each) => each.endsWith(row.storage_key)) as string;
    writeFileSync(path, 'plain as before');
    expect(await textOf(file)).toBe('plain as before');
    await encrypted();
    expect(readFileSync(path).includes('plain')).toBe(false);
    expect(await textOf(file)).toBe('plain as before');
  });

  it('G41: is under a new key soon after a rotation, while files are read and sent', async () => {
    const before = await upload('three.txt', 'before');
    expect(await rotateKeys(app.config, app.database)).toBe(2);
    await vi.waitFor(async () => expect(await app.context.services.blobs.keyVersion()).toBe(2), { timeout: 5_000 });
    const after = await upload('four.txt', 'after');
    await encrypted();
    expect(await keyUses(app.database)).toEqual([{ version: 2, files: expect.any(Number) }]);
    expect([await textOf(before), await textOf(after)]).toEqual(['before', 'after']);
  });

  it('G41: tells a key that is missing or another firm’s, and does not make a new one in its place', async () => {
    const right = readFileSync(app.config.keyFile, 'utf8');
    rmSync(app.config.keyFile);
    await expect(encryptionOf(app.config, app.database)).rejects.toThrow(/keys of the stored files are missing/);
    writeFileSync(app.config.keyFile, right.split('\n').slice(0, 2).join('\n'));
    await expect(encryptionOf(app.config, app.database)).rejects.toThrow(/^Key 2 of the stored files is missing/);
    writeFileSync(app.config.keyFile, `key 1 ${'A'.repeat(43)}=\nkey 2 ${'B'.repeat(42)}A=\n`);
    await expect(encryptionOf(app.config, app.database)).rejects.toThrow(/^Key 1 in KEY_FILE .* is not the one/);
    writeFileSync(app.config.keyFile, right);
    await encryptionOf(app.config, app.database);
    const given = [...right.matchAll(/^key (\d+) (.*)$/gm)].map(([, version, key]) => `${version}:${key}`);
    await encryptionOf({ ...app.config, blobKeys: given.join(',') }, app.database);
  });

  it('says of a firm in plain that it has no key to be followed by another', async () => {
    const plain = await startTestFirm(kind, { SEARCH_INSIDE: 'off', ENCRYPTION: 'off' });
    await expect(rotateKeys(plain.app.config, plain.app.database)).rejects.toThrow(/^This firm has no key yet: /);
    await plain.app.close();
  });

  it('leaves a damaged file as it is, says so, and goes on with the others', async () => {
    const file = await upload('five.txt', 'whole');
    const row = await app.database.reader
      .selectFrom('files')
      .select('storage_key')
      .where('id', '=', file.id)
      .executeTakeFirstOrThrow();
    writeFileSync(stored().find((each) => each.endsWith(row.storage_key)) as string, 'whale');
    const other = await upload('six.txt', 'six');
    await app.context.jobs.start();
    const told = async () =>
      (await app.admin.get<JobRow[]>('/api/jobs')).body.find(({ kind: of }) => of === 'blobs.encrypt')?.summary ?? '';
    await vi.waitFor(async () => expect(await told()).toMatch(/1 could not be/), { timeout: 20_000, interval: 30 });
    await app.context.jobs.stop();
    expect((await keyUses(app.database)).map(({ version }) => version)).toEqual([-1, 2]);
    expect(await textOf(other)).toBe('six');
  });

  it('brings no bytes back of what is purged meanwhile, and does not count it as damaged', async () => {
    const { database } = app;
    const purged: string[] = [];
    /** Encrypts all under a new key, with a file that is new and so the first one; it is purged before or while that is done. */
    async function encryptDuring(purgeAt: 'begun' | 'synced') {
      const file = await upload(`${purgeAt}.txt`, purgeAt);
      const { storage_key: key } = await database.reader
        .selectFrom('files')
        .select('storage_key')
        .where('id', '=', file.id)
        .executeTakeFirstOrThrow();
      expect((await app.admin.delete(`/api/files/${file.id}`)).status).toBe(204);
      await rotateKeys(app.config, database);
      const purge = async (step: string) => {
        if (step !== purgeAt || purged.includes(key)) return;
        purged.push(key);
        await purgeTrash(database, app.context.services.blobs, app.now() + YEAR_MS);
        expect(stored().some((path) => path.endsWith(key))).toBe(false);
      };
      const encryption = configuredEncryption(app.config);
      const blobs = await openBlobStore(parseBlobUrl(app.config.blobUrl), { encryption, onStep: purge });
      // Its row was read, and nothing of its bytes.
      const renew = blobs.renew.bind(blobs);
      blobs.renew = async (blob) => {
        await purge('begun');
        return renew(blob);
      };
      const told = await encryptJob({ database, blobs }).run(oneRun());
      await blobs.close();
      return told;
    }
    for (const purgeAt of ['begun', 'synced'] as const) {
      expect(await encryptDuring(purgeAt)).toEqual({
        summary: expect.stringMatching(/^\d+ files are encrypted under key \d\.$/),
      });
    }
    expect(purged).toHaveLength(2);
    expect(stored().filter((path) => purged.some((key) => path.endsWith(key)))).toEqual([]);
  });
});
