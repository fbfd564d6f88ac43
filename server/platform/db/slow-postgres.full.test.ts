// A PostgreSQL that does not answer in time, has no connection left, or cuts them: refused with the time to come again, and everything as before once it is over.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import { eventually } from '../../testing/eventually.ts';
import type { Firm } from '../../testing/firm.ts';
import type { Answer, TestApp } from '../../testing/test-app.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { openDatabase } from './connect.ts';
import type { Database } from './database.ts';

const POOL = 20;

describe.skipIf(inject('postgresUrl') === null)('a PostgreSQL', () => {
  let app: TestApp;
  let firm: Firm;
  let other: Database;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm('postgres'));
    other = await openDatabase(app.database.url ?? '');
  });
  afterAll(async () => {
    await other.close();
    await app.close();
  });

  const list = () => app.admin.get<FileRow[]>('/api/files');
  const expectAway = ({ status, headers, body }: Answer) => {
    expect([status, (body as ErrorBody).code]).toEqual([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  };
  const expectNothingHeld = () =>
    eventually(() => {
      const { open = 0, idle = 0 } = app.database.pool() ?? {};
      expect(open - idle).toBe(0);
    });

  /** Resolves once `count` statements or more wait for the lock. */
  const someWait = (count: number) =>
    eventually(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock'`.execute(other.reader);
      expect(rows.length).toBeGreaterThanOrEqual(count);
    });

  /** Lets nobody read or write files while `work` is done. */
  async function withFilesLocked(work: () => Promise<void>): Promise<void> {
    await other.transaction(async (tx) => {
      await sql`lock table files in access exclusive mode`.execute(tx);
      await work();
    });
  }

  it('that does not answer is given up after fifteen seconds, and whoever asks no database is served meanwhile', async () => {
    await withFilesLocked(async () => {
      const waiting = list();
      await someWait(1);
      expect((await app.anonymous.get('/healthz')).status).toBe(200);
      expect((await app.anonymous.get('/readyz')).status).toBe(200);
      expectAway(await waiting);
    });
    expect((await list()).status).toBe(200);
    await expectNothingHeld();
  });

  it('without a connection left is waited for five seconds', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const held = Array.from({ length: POOL }, () =>
      app.database.transaction(async (tx) => {
        await sql`select 1`.execute(tx);
        await released;
      }),
    );
    await eventually(() => expect(app.database.pool()).toEqual({ open: POOL, idle: 0 }));
    expect((await app.anonymous.get('/healthz')).status).toBe(200);
    expectAway(await list());
    release();
    await Promise.all(held);
    expect((await list()).status).toBe(200);
    await expectNothingHeld();
  });

  it('is asked by five hundred requests at once: each is answered, or refused at once', async () => {
    const answers = await Promise.all(Array.from({ length: 500 }, list));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses).toContain(200);
    expect((await list()).status).toBe(200);
    await expectNothingHeld();
  });

  it('that cuts its connections under a list and an upload is away for both, and the upload sent again is one file', async () => {
    const key = randomUUID();
    const upload = () =>
      app.admin.upload<FileRow>({
        name: 'cut.txt',
        bytes: 'cut',
        fields: { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] },
        headers: { 'idempotency-key': key },
      });
    await withFilesLocked(async () => {
      const [listing, sending] = [list(), upload()];
      await someWait(2);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock'`.execute(other.reader);
      expectAway(await listing);
      expectAway(await sending);
    });
    // A connection that was cut may be handed out once more before its end is noticed.
    const first = await eventually(async () => {
      const answer = await upload();
      expect(answer.status).toBe(201);
      return answer;
    });
    const second = await upload();
    expect([second.status, second.body.id]).toEqual([201, first.body.id]);
    const found = (await list()).body.filter(({ originalName }) => originalName === 'cut.txt');
    expect(found).toHaveLength(1);
    await expectNothingHeld();
  });
});
