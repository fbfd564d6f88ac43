// Stored files are read again in their turn: each once in a round, damaged ones are told with their names, and healed ones no more.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileRow } from '#contract/files.ts';
import type { SystemFacts } from '#contract/system.ts';
import type { Firm } from '../../testing/firm.ts';
import { oneRun } from '../../testing/one-run.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { insertTestBatch } from '../../testing/test-batch.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { DAY_MS, HOUR_MS } from '../clock.ts';
import { enterBlob } from './blob-rows.ts';
import type { BlobStore } from './blob-store.ts';
import { keysDue, scrubJob } from './scrub-job.ts';

describe('the keys whose turn it is', () => {
  const inside = (key: string, due: ReturnType<typeof keysDue>) =>
    due.filter(([from, to]) => key >= from && key < to).length;

  it('are each once in a round, whenever and however late it is asked', () => {
    const steps = [1, 1, 5, 1, 30, 1, 9];
    const start = 1_767_225_600_000 + 7 * HOUR_MS;
    const keys = Array.from({ length: 256 }, (_, nth) => nth.toString(16).padStart(2, '0').repeat(16));
    const seen = new Map(keys.map((key) => [key, 0]));
    let at = start;
    for (let nth = 0; at < start + 2 * DAY_MS; nth += 1) {
      const next = Math.min(at + (steps[nth % steps.length] ?? 1) * HOUR_MS, start + 2 * DAY_MS);
      for (const key of keys) seen.set(key, (seen.get(key) ?? 0) + inside(key, keysDue(at, next, 2)));
      at = next;
    }
    expect([...seen.values()].filter((count) => count !== 1)).toEqual([]);
  });

  it('are all of them after a pause of a round or more', () => {
    expect(keysDue(0, 40 * DAY_MS, 30)).toEqual([['', 'g']]);
  });
});

describe.each(DATABASE_KINDS)('reading stored files again on %s', (kind) => {
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
  async function pathOf({ id }: FileRow): Promise<string> {
    const { key } = await app.database.reader
      .selectFrom('files')
      .select('storage_key as key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return pathOfKey(key);
  }
  function pathOfKey(key: string): string {
    const entries = readdirSync(join(app.config.dataDir, 'blobs'), { recursive: true, withFileTypes: true });
    const entry = entries.find(({ name }) => name === key);
    return join(entry?.parentPath ?? '', key);
  }
  const job = (blobs: BlobStore = app.context.services.blobs, scrubDays: number | null = 1) =>
    // Asked a day later, so that all of them have their turn.
    scrubJob({ database: app.database, blobs, config: { scrubDays }, now: () => app.now() + DAY_MS });
  const store = async () => (await app.admin.get<SystemFacts>('/api/system')).body.store;

  /** All keys, as after a pause. */
  async function scrubAll() {
    await app.database.transaction(async (tx) => {
      await tx.deleteFrom('jobs').where('kind', '=', 'blobs.scrub').execute();
      const at = app.now() - DAY_MS;
      const ended = { state: 'done', started_at: at, ended_at: at, created_at: at, run_at: at } as const;
      await tx
        .insertInto('jobs')
        .values({ kind: 'blobs.scrub', payload: '{}', attempts_max: 1, ...ended })
        .execute();
    });
    return job().run(oneRun());
  }

  it('G112: tells of each file whose bytes are gone or others, and of none that is whole', async () => {
    const [whole, changed, gone] = [
      await upload('whole.txt', 'whole'),
      await upload('changed.txt', 'before'),
      await upload('gone.txt', 'gone'),
    ];
    const [changedPath, gonePath] = [await pathOf(changed), await pathOf(gone)];
    const before = { changed: readFileSync(changedPath), gone: readFileSync(gonePath) };
    const spoiled = Buffer.from(before.changed);
    spoiled[spoiled.length - 1] = (spoiled.at(-1) ?? 0) ^ 1;
    writeFileSync(changedPath, spoiled);
    rmSync(gonePath);
    expect(await scrubAll()).toEqual({
      summary: expect.stringMatching(/^\d+ files read again\. 2 missing or not what was stored\.$/),
    });
    const told = await store();
    expect(told.damaged).toBe(2);
    expect(told.damagedFiles.map(({ name }) => name).sort()).toEqual(['changed.txt', 'gone.txt']);
    expect((await app.admin.get<string>(`/api/files/${whole.id}/download`)).body).toBe('whole');

    writeFileSync(changedPath, before.changed);
    writeFileSync(gonePath, before.gone);
    expect(await scrubAll()).toEqual({ summary: expect.stringMatching(/^\d+ files read again\.$/) });
    expect(await store()).toMatchObject({ damaged: 0, damagedFiles: [] });
    // Nothing was changed by having been read.
    expect((await app.admin.get<string>(`/api/files/${changed.id}/download`)).body).toBe('before');
  });

  it('G112: names what is kept of files, and the files of batches and ZIPs, too', async () => {
    const { database, context } = app;
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    const trashed = await upload('trashed.txt', 'trashed');
    expect((await app.admin.delete(`/api/files/${trashed.id}`)).status).toBe(204);
    const earlier = await upload('earlier.txt', 'earlier');
    const { status } = await app.admin.upload({
      name: 'newer.txt',
      bytes: 'newer',
      fields: { ...fields, replaces: earlier.id },
    });
    expect(status).toBe(201);
    const batch = await insertTestBatch(app, { ownerId: firm.users.cpa, state: 'review', name: 'Pay run' });
    const at = app.now();
    const storeAs = async (purpose: 'batch' | 'archive') => {
      const bytes = Buffer.from(`bytes of the ${purpose}`);
      const staged = await context.services.blobs.stage(Readable.from([bytes]), { maxBytes: bytes.length });
      return { staged, storage_key: await staged.publish() };
    };
    const [original, zip] = [await storeAs('batch'), await storeAs('archive')];
    const archiveId = await database.transaction(async (tx) => {
      await enterBlob(tx, { ...original.staged, storageKey: original.storage_key }, { purpose: 'batch', at });
      await enterBlob(tx, { ...zip.staged, storageKey: zip.storage_key }, { purpose: 'archive', at });
      const { sizeBytes, sha256 } = original.staged;
      const { storage_key } = original;
      const bytes = { content_type: 'text/plain', size_bytes: sizeBytes, sha256, storage_key };
      await tx
        .insertInto('batch_originals')
        .values({ batch_file_id: batch.fileId, name: 'payrun.xlsx', ...bytes })
        .execute();
      const made = { storage_key: zip.storage_key, name: 'Reports.zip', file_ids: '[1]', ready_at: at };
      const order = { owner_id: firm.users.cpa, asked: '{}', files_asked: 1, created_at: at, expires_at: at + DAY_MS };
      const { id } = await tx
        .insertInto('archives')
        .values({ ...order, ...made })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    });
    const kept = await database.reader
      .selectFrom('trash')
      .select('storage_key')
      .where('item_id', 'in', [trashed.id, earlier.id])
      .execute();
    const dropped = await database.reader
      .selectFrom('batch_files')
      .select('storage_key')
      .where('id', '=', batch.fileId)
      .execute();
    const keys = [...kept, ...dropped, original, zip].map(({ storage_key }) => storage_key ?? '');
    const paths = keys.map(pathOfKey);
    const before = paths.map((path) => readFileSync(path));
    for (const path of paths) rmSync(path);
    await scrubAll();
    const of = 'Harbor & Pine Bakery LLC';
    expect(await store()).toMatchObject({
      damaged: 5,
      damagedFiles: [
        { kind: 'version', id: earlier.id, name: 'earlier.txt', of },
        { kind: 'trash', id: trashed.id, name: 'trashed.txt', of },
        { kind: 'batch', id: batch.fileId, name: 'payrun.txt', of: 'Pay run' },
        { kind: 'original', id: batch.fileId, name: 'payrun.xlsx', of: 'Pay run' },
        { kind: 'archive', id: archiveId, name: 'Reports.zip', of: null },
      ],
    });
    for (const [nth, path] of paths.entries()) writeFileSync(path, before[nth] ?? '');
    await scrubAll();
    expect((await store()).damaged).toBe(0);
  });

  it('G112: notices without SCRUB_DAYS too that what was noted as damaged is whole again', async () => {
    const [back, gone] = [await upload('back.txt', 'back'), await upload('away.txt', 'away')];
    const [backPath, gonePath] = [await pathOf(back), await pathOf(gone)];
    const before = { back: readFileSync(backPath), gone: readFileSync(gonePath) };
    for (const path of [backPath, gonePath]) rmSync(path);
    await scrubAll();
    writeFileSync(backPath, before.back);
    const without = job(undefined, null);
    await app.database.transaction((tx) => tx.deleteFrom('jobs').where('kind', '=', 'blobs.scrub').execute());
    expect(await without.isWanted?.()).toBe(true);
    expect(await without.run(oneRun())).toEqual({
      summary: '2 files read again. 1 missing or not what was stored.',
    });
    expect(await store()).toMatchObject({ damaged: 1, damagedFiles: [{ name: 'away.txt' }] });
    writeFileSync(gonePath, before.gone);
    expect(await without.run(oneRun())).toEqual({ summary: '1 file read again.' });
    expect(await store()).toMatchObject({ damaged: 0, damagedFiles: [] });
  });

  it('is wanted once an hour, and not where it is not set up and nothing is noted as damaged', async () => {
    await app.database.transaction((tx) => tx.deleteFrom('jobs').where('kind', '=', 'blobs.scrub').execute());
    expect([await job(undefined, null).isWanted?.(), await job().isWanted?.()]).toEqual([false, true]);
    await scrubAll();
    const at = app.now() + DAY_MS - HOUR_MS / 2;
    await app.database.transaction((tx) =>
      tx.updateTable('jobs').set({ started_at: at }).where('kind', '=', 'blobs.scrub').execute(),
    );
    const recently = scrubJob({
      database: app.database,
      blobs: app.context.services.blobs,
      config: { scrubDays: 1 },
      now: () => app.now() - DAY_MS + HOUR_MS / 2,
    });
    expect(await recently.isWanted?.()).toBe(false);
    // After the clock was put back, what is of a time to come keeps none from its turn.
    const { database, context } = app;
    const putBack = {
      database,
      blobs: context.services.blobs,
      config: { scrubDays: 1 },
      now: () => app.now() - 3 * DAY_MS,
    };
    expect(await scrubJob(putBack).isWanted?.()).toBe(true);
  });

  it('ends where it is when it is asked to, and a store that is away is a fault and no damage', async () => {
    const stop = new AbortController();
    stop.abort(new Error('Stopped'));
    await expect(job().run({ ...oneRun(), signal: stop.signal })).rejects.toThrow('Stopped');
    const away = {
      ...app.context.services.blobs,
      read: () => Promise.reject(new Error('Away')),
    } as unknown as BlobStore;
    await app.database.transaction((tx) => tx.deleteFrom('jobs').where('kind', '=', 'blobs.scrub').execute());
    await app.database.transaction((tx) =>
      tx
        .insertInto('jobs')
        .values({
          kind: 'blobs.scrub',
          payload: '{}',
          attempts_max: 1,
          state: 'done',
          started_at: 1,
          ended_at: 1,
          created_at: 1,
          run_at: 1,
        })
        .execute(),
    );
    await expect(job(away).run(oneRun())).rejects.toThrow('Away');
    expect((await store()).damaged).toBe(0);
  });
});
