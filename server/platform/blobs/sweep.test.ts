// What the sweep removes and what it leaves, on both engines: nothing that a row claims, nothing young, nothing when it is too much.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { maintenanceJobs } from '../../maintenance.ts';
import { HandClock } from '../../testing/hand-clock.ts';
import { DATABASE_KINDS, openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { DAY_MS } from '../clock.ts';
import { lastDone } from '../jobs/job-table.ts';
import { enterBlob, releaseBlobs } from './blob-rows.ts';
import type { BlobStore, StoredBlob } from './blob-store.ts';
import { openBlobStore } from './open-blob-store.ts';
import { SeenOrphans, type SweepOptions, sweepBlobs } from './sweep.ts';

describe.each(DATABASE_KINDS)('the sweep on %s', (kind) => {
  let folder: string;
  let made: TestDatabase;
  let store: BlobStore;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coffer-sweep-'));
    made = await openTestDatabase(kind, join(folder, 'coffer.db'));
    await made.database.migrate();
    store = await openBlobStore({ kind: 'disk', root: join(folder, 'blobs') }, { minFreeBytes: 0 });
  });

  afterEach(async () => {
    await store.close();
    await made.database.close();
    await made.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function publish(): Promise<StoredBlob> {
    const staged = await store.stage(Readable.from([randomBytes(10)]), { maxBytes: 10 });
    return { storageKey: await staged.publish(), sizeBytes: staged.sizeBytes, sha256: staged.sha256 };
  }

  async function enter(blobs: readonly StoredBlob[]): Promise<void> {
    await made.database.transaction(async (tx) => {
      for (const blob of blobs) await enterBlob(tx, blob, { purpose: 'file', at: Date.now() });
    });
  }

  async function publishAndEnter(count: number): Promise<StoredBlob[]> {
    const blobs = await Promise.all(Array.from({ length: count }, publish));
    await enter(blobs);
    return blobs;
  }

  const release = (blobs: readonly StoredBlob[]) =>
    made.database.transaction((tx) => releaseBlobs(tx, keysOf(blobs), Date.now()));
  const stored = async () => (await Readable.from(store.list()).toArray()).map(({ storageKey }) => storageKey).sort();
  const keysOf = (blobs: readonly StoredBlob[]) => blobs.map(({ storageKey }) => storageKey).sort();
  const sweep = (options: Partial<SweepOptions> = {}) =>
    sweepBlobs(made.database, store, { nowMs: Date.now(), ...options });
  /** A day and a minute later: everything that exists now is old. */
  const later = () => ({ nowMs: Date.now() + DAY_MS + 60_000 });

  it('takes old orphans, and leaves young ones and what the table knows', async () => {
    const known = await publishAndEnter(40);
    const orphans = [await publish(), await publish()];
    expect(await sweep()).toMatchObject({ blobs: 42, orphans: 0, orphansRemoved: 0 });
    expect(await stored()).toEqual(keysOf([...known, ...orphans]));
    expect(await sweep(later())).toEqual({
      leftoversRemoved: 0,
      releasedRemoved: 0,
      blobs: 42,
      orphans: 2,
      orphansRemoved: 2,
      tooManyOrphans: false,
    });
    expect(await stored()).toEqual(keysOf(known));
  });

  it('takes an orphan that the process has seen long before alone: where the clock leapt, the row of young bytes may still come', async () => {
    const known = await publishAndEnter(40);
    const [underWay, left] = [await publish(), await publish()];
    const clock = new HandClock();
    const seen = new SeenOrphans(clock);
    expect(await sweep({ ...later(), seen })).toMatchObject({ orphans: 2, orphansRemoved: 0, tooManyOrphans: false });
    // Another try of the same job, soon after.
    clock.advance(10 * 60_000);
    expect(await sweep({ ...later(), seen })).toMatchObject({ orphans: 2, orphansRemoved: 0 });
    await enter([underWay]);
    clock.advance(60 * 60_000);
    // Another process, or this one after a restart, has seen nothing before.
    const ofAnother = new SeenOrphans(clock);
    expect(await sweep({ ...later(), seen: ofAnother })).toMatchObject({ orphans: 1, orphansRemoved: 0 });
    expect(await stored()).toEqual(keysOf([...known, underWay, left]));
    expect(await sweep({ ...later(), seen })).toMatchObject({ orphans: 1, orphansRemoved: 1 });
    expect(await stored()).toEqual(keysOf([...known, underWay]));
  });

  it('takes none when there are too many orphans to believe the database', async () => {
    const known = await publishAndEnter(40);
    const orphans = await Promise.all(Array.from({ length: 2 }, publish));
    expect(await sweep({ ...later(), maxOrphans: 1 })).toMatchObject({
      orphans: 2,
      orphansRemoved: 0,
      tooManyOrphans: true,
    });
    expect(await sweep({ ...later(), maxOrphanShare: 0.01 })).toMatchObject({
      orphansRemoved: 0,
      tooManyOrphans: true,
    });
    await made.database.transaction((tx) => tx.deleteFrom('blobs').execute());
    expect(await sweep(later())).toMatchObject({ blobs: 42, orphans: 42, orphansRemoved: 0, tooManyOrphans: true });
    expect(await stored()).toEqual(keysOf([...known, ...orphans]));
  });

  it.each(['empty', 'of another firm'])('takes none of a few where the database is %s', async (what) => {
    const mine = await Promise.all(Array.from({ length: 3 }, publish));
    if (what !== 'empty')
      await enter(
        Array.from({ length: 60 }, () => ({ ...mine[0], storageKey: randomBytes(16).toString('hex') })) as StoredBlob[],
      );
    expect(await sweep(later())).toMatchObject({ blobs: 3, orphans: 3, orphansRemoved: 0, tooManyOrphans: true });
    expect(await stored()).toEqual(keysOf(mine));
  });

  it('takes all that was released, however much and however young, once', async () => {
    const known = await publishAndEnter(1);
    const released = await publishAndEnter(30);
    // Most of the bytes went right after the commit.
    const gone = Array.from({ length: 570 }, () => ({ ...known[0], storageKey: randomBytes(16).toString('hex') }));
    await enter(gone as StoredBlob[]);
    await release([...released, ...(gone as StoredBlob[])]);
    expect(await sweep()).toMatchObject({ releasedRemoved: 600, orphans: 0, tooManyOrphans: false });
    expect(await stored()).toEqual(keysOf(known));
    expect(await sweep()).toMatchObject({ releasedRemoved: 0 });
  });

  it('continues with released blobs after an interruption', async () => {
    await release(await publishAndEnter(3));
    const remove = store.remove.bind(store);
    const failing = vi.spyOn(store, 'remove').mockImplementation((storageKey) => {
      if (failing.mock.calls.length > 2) throw new Error('the disk is away');
      return remove(storageKey);
    });
    await expect(sweep()).rejects.toThrow('the disk is away');
    expect(await stored()).toHaveLength(1);
    failing.mockRestore();
    expect(await sweep()).toMatchObject({ releasedRemoved: 3 });
    expect(await stored()).toEqual([]);
  });

  it('takes what was staged and not claimed for a day, and leaves what was staged since', async () => {
    const [old, young] = [await publish(), await publish()];
    const nowMs = Date.now();
    await made.database.transaction(async (tx) => {
      for (const [{ storageKey, sizeBytes, sha256 }, created_at] of [
        [old, nowMs - DAY_MS - 1_000],
        [young, nowMs],
      ] as const) {
        const row = { storage_key: storageKey, size_bytes: sizeBytes, sha256, created_at };
        await tx
          .insertInto('blobs')
          .values({ ...row, state: 'staged', purpose: 'file' })
          .execute();
      }
    });
    expect(await sweep({ nowMs })).toMatchObject({ releasedRemoved: 1, orphans: 0 });
    expect(await stored()).toEqual([young.storageKey]);
    // Old by the store's clock, and claimed by its row all the same.
    expect(await sweep({ nowMs, olderThanMs: -DAY_MS / 2 })).toMatchObject({ releasedRemoved: 1 });
    expect(await stored()).toEqual([]);
  });
});

describe.each(DATABASE_KINDS)('the bytes of files on %s', (kind) => {
  it('are in the table of blobs as long as the file exists, and stay when a file claims them', async () => {
    const { app, firm } = await startTestFirm(kind);
    const { reader } = app.database;
    const blobsOfFiles = () =>
      reader
        .selectFrom('blobs')
        .innerJoin('files', 'files.storage_key', 'blobs.storage_key')
        .select(['files.id', 'blobs.sha256', 'blobs.size_bytes', 'blobs.state', 'blobs.purpose'])
        .whereRef('files.sha256', '=', 'blobs.sha256')
        .whereRef('files.size_bytes', '=', 'blobs.size_bytes')
        .execute();
    const rowsOf = (table: 'blobs' | 'files' | 'released_blobs') =>
      reader.selectFrom(table).select('storage_key').execute();

    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    const ids: number[] = [];
    for (const bytes of ['first', 'second', 'third']) {
      ids.push((await app.admin.upload<{ id: number }>({ bytes, fields })).body.id);
    }
    expect(await blobsOfFiles()).toHaveLength(await rowsOf('files').then((rows) => rows.length));
    expect(await rowsOf('blobs')).toHaveLength((await rowsOf('files')).length);

    const claimed = (await rowsOf('files')).map((row) => row.storage_key);
    const releasing = app.database.transaction((tx) => releaseBlobs(tx, claimed, 1));
    await expect(releasing).rejects.toThrow(/foreign key/i);

    const blobs = await rowsOf('blobs');
    expect((await app.admin.delete(`/api/files/${ids[0]}`)).status).toBe(204);
    expect((await app.admin.delete(`/api/clients/${firm.clients[0]}`)).status).toBe(204);
    // The trash claims them now.
    expect(await rowsOf('blobs')).toEqual(blobs);
    await app.context.runMaintenance();
    expect(await rowsOf('released_blobs')).toEqual([]);

    app.advance(31 * DAY_MS);
    await app.context.runMaintenance();
    expect(await rowsOf('blobs')).toHaveLength((await rowsOf('files')).length);
    await app.context.maintenance['maintenance.blobs'].now();
    expect(await rowsOf('released_blobs')).toEqual([]);
    const listed = (await Readable.from(app.context.services.blobs.list()).toArray()).map((entry) => entry.storageKey);
    expect(listed.sort()).toEqual((await rowsOf('files')).map((row) => row.storage_key).sort());
    await app.close();
  });

  it('that no row knows go at a later look, also of a process that was begun anew in between', async () => {
    const { app } = await startTestFirm(kind);
    const { services, jobs, sessions, attempts, factors } = app.context;
    const publish = async () => {
      const staged = await services.blobs.stage(Readable.from([randomBytes(10)]), { maxBytes: 10 });
      return { storageKey: await staged.publish(), sizeBytes: staged.sizeBytes, sha256: staged.sha256 };
    };
    // So many that one orphan among them is believed.
    const known = await Promise.all(Array.from({ length: 40 }, publish));
    await app.database.transaction(async (tx) => {
      for (const blob of known) await enterBlob(tx, blob, { purpose: 'file', at: app.now() });
    });
    await publish();
    app.advance(DAY_MS + 60_000);
    await jobs.start();
    await vi.waitFor(
      async () =>
        expect(await lastDone(app.database, 'maintenance.blobs')).toMatchObject({
          result: { orphans: 1, orphansRemoved: 0 },
        }),
      { timeout: 30_000, interval: 30 },
    );
    await jobs.stop();
    const sweepAnew = () =>
      maintenanceJobs({ ...services, database: app.database, sessions, attempts, factors })['maintenance.blobs'].now();
    expect(await sweepAnew()).toMatchObject({ orphans: 1, orphansRemoved: 0 });
    app.advance(60 * 60_000);
    expect(await sweepAnew()).toMatchObject({ orphans: 1, orphansRemoved: 1 });
    expect(await sweepAnew()).toMatchObject({ orphans: 0 });
    await app.close();
  });

  it('are left where too many are unknown, and the job says so in a sentence', async () => {
    const { app } = await startTestFirm(kind);
    const { blobs } = app.context.services;
    for (let nth = 0; nth < 5; nth += 1) {
      const staged = await blobs.stage(Readable.from([Buffer.from('lost')]), { maxBytes: 10 });
      await staged.publish();
    }
    app.advance(DAY_MS + 60_000);
    expect(await app.context.maintenance['maintenance.blobs'].now()).toMatchObject({
      tooManyOrphans: true,
      summary: expect.stringMatching(
        /^5 of \d+ stored files are unknown to the database, more than is removed unseen\. System says what to do\.$/,
      ),
    });
    await app.close();
  });
});
