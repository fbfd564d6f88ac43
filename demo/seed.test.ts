// The small demo firm in real stores, on both engines, read through the API.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow, Overview } from '#contract/activity.ts';
import type { BoardRow, BoardSummary } from '#contract/completeness.ts';
import type { FileRow } from '#contract/files.ts';
import type { RequestRow, RequestSummary, TemplateRow } from '#contract/requests.ts';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { type Context, openContext } from '#server/context.ts';
import { NEVER_LATE_MS } from '#server/testing/test-app.ts';
import { DATABASE_KINDS, openTestDatabase, type TestDatabase } from '#server/testing/test-database.ts';
import { createRenderer } from './documents/render.ts';
import { planFirm } from './plan.ts';
import { seedFirm } from './seed.ts';

const plan = planFirm('small');

describe.each(DATABASE_KINDS)('the demo firm on %s', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-demo-'));
  let made: TestDatabase;
  let context: Context;
  let app: FastifyInstance;

  beforeAll(async () => {
    made = await openTestDatabase(kind, join(folder, 'coffer.db'));
    context = await openContext(readConfig({ DATA_DIR: folder }), { database: made.database });
    const { blobs, passwords } = context.services;
    await seedFirm(plan, { database: made.database, blobs, passwords });
    app = await buildApp(context, { logger: { level: 'silent' }, lateLoopMs: NEVER_LATE_MS });
  }, 180_000);
  afterAll(async () => {
    await app.close();
    await context.close();
    await made.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function viewer(username: string) {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { username, password: plan.password },
    });
    expect(answer.statusCode).toBe(200);
    const { token } = answer.json<{ token: string }>();
    return (url: string) => app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } });
  }

  it('needs no first Admin any more', async () => {
    expect(await context.makeFirstAdmin()).toBeNull();
  });

  it('shows an Admin all of it, with counts that agree', async () => {
    const get = await viewer('admin');
    const { totals } = (await get('/api/overview')).json<Overview>();
    expect(totals).toEqual({
      clients: plan.clients.length,
      users: plan.users.length,
      files: plan.files.length,
      // Signing in is no entry of the log.
      activity: plan.activity.length,
    });
    const files = await get('/api/files');
    expect(Number(files.headers['x-total-count'])).toBe(plan.files.length);
    const rows = files.json<FileRow[]>();
    expect(rows.map((row) => row.originalName)).toEqual(plan.files.map((file) => file.originalName).toReversed());
    const [newest] = rows;
    expect(newest?.uploadedAt).toBe(new Date(plan.files.at(-1)?.uploadedAtMs ?? 0).toISOString());
    expect(Number((await get('/api/activity-logs?limit=1')).headers['x-total-count'])).toBe(plan.activity.length);
  });

  it('keeps counters equal to the rows', async () => {
    const { reader } = made.database;
    const counted = await reader.selectFrom('file_counts').selectAll().execute();
    const files = await reader.selectFrom('files').select(['client_id', 'access_key', 'document_type']).execute();
    // The demo's reports all have a type, so that no counter has an owner.
    for (const { client_id, access_key, document_type, n } of counted) {
      const same = files.filter(
        (file) =>
          file.client_id === client_id &&
          file.access_key === access_key &&
          (file.document_type ?? '') === document_type,
      );
      expect(same).toHaveLength(n);
    }
    expect(counted.reduce((sum, { n }) => sum + n, 0)).toBe(files.length);
    const counts = await reader.selectFrom('activity_counts').selectAll().execute();
    expect(counts.reduce((sum, { n }) => sum + n, 0)).toBe(plan.activity.length);
  });

  it('expects what its files speak for, and has most of it', async () => {
    const get = await viewer('admin');
    const ended = (await get('/api/completeness/summary?period=2026-Q3')).json<BoardSummary>();
    expect(ended.expectations).toBe(plan.expectations.length);
    const { expected, delivered, late, missing } = ended;
    expect(delivered).toBeGreaterThan(0);
    expect(delivered / (expected + delivered + late + missing)).toBeGreaterThan(0.8);
    const board = (await get('/api/completeness?period=2026-Q3')).json<BoardRow[]>();
    expect(new Set(board.map(({ clientName }) => clientName)).size).toBeGreaterThan(1);
    expect((await (await viewer('ingrid.castellan'))('/api/completeness')).statusCode).toBe(403);
  });

  it('asks clients for the year-end package, and one is late with another request', async () => {
    const get = await viewer('admin');
    const summary = (await get('/api/requests/summary?today=2026-11-20')).json<RequestSummary>();
    expect(summary.overdue).toBe(1);
    expect(summary.open).toBe(1 + Math.min(8, plan.clients.length));
    expect((await get('/api/request-templates')).json<TemplateRow[]>().map(({ name }) => name)).toEqual([
      'New client',
      'Year-end package',
    ]);
    const asked = (await (await viewer('ingrid.castellan'))('/api/requests')).json<RequestRow[]>();
    expect(new Set(asked.map(({ clientName }) => clientName))).toEqual(new Set(['Harbor & Pine Bakery LLC']));
  });

  it('has nothing that is new to somebody who has opened it', async () => {
    const get = await viewer('ingrid.castellan');
    const log = (await get('/api/activity-logs?limit=200')).json<ActivityRow[]>();
    const opened = log.flatMap(({ action, fileId }) => (action === 'view' || action === 'download' ? [fileId] : []));
    expect(opened.length).toBeGreaterThan(0);
    const rows = (await get('/api/files')).json<FileRow[]>();
    expect(rows.filter(({ id, isNew }) => isNew && opened.includes(id))).toEqual([]);
  });

  it('serves a file with the bytes that its description gives', async () => {
    const get = await viewer('ingrid.castellan');
    const rows = (await get('/api/files')).json<FileRow[]>();
    expect(new Set(rows.map((row) => row.clientName))).toEqual(new Set(['Harbor & Pine Bakery LLC']));
    const row = rows.find((candidate) => candidate.originalName.includes('941'));
    const planned = plan.files.find((file) => file.originalName === row?.originalName);
    if (row === undefined || planned === undefined) throw new Error('The bakery has no Form 941');
    const bytes = await createRenderer()(planned.document);
    const served = await get(`/api/files/${row.id}/download`);
    expect(served.statusCode).toBe(200);
    expect(served.rawPayload.equals(bytes)).toBe(true);
    expect(row.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('knows by content what a file is, whatever it is called', async () => {
    const get = await viewer('admin');
    const rows = (await get('/api/files')).json<FileRow[]>();
    const typeOf = (name: string) => rows.find((row) => row.originalName === name)?.contentType;
    expect(typeOf('scan0047.pdf')).toBe('application/pdf');
    expect(typeOf('IMG_2291.png')).toBe('image/png');
    expect(typeOf('invoice_viewer.pdf')).not.toBe('application/pdf');
    expect(typeOf('register export.csv')).toBe('text/csv');
    expect(rows.find((row) => row.originalName === 'new doc.pdf')?.size).toBe(0);
  });
});

it('npm run demo makes it where --dir or DATA_DIR says, and replaces nothing else', () => {
  const parent = mkdtempSync(join(tmpdir(), 'coffer-demo-place-'));
  const foreign = (name: string) => {
    const folder = join(parent, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'books.txt'), 'of another firm');
    return folder;
  };
  try {
    const [named, given] = [foreign('named'), foreign('given')];
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url)), '--small', ...args], {
        env: { ...process.env, DATA_DIR: named },
        encoding: 'utf8',
      });
    for (const [made, folder] of [[run(), named] as const, [run('--dir', given), given] as const]) {
      expect(made.stderr).toContain(`${folder} holds something that is not a demo.`);
      expect(made.status).toBe(1);
      expect(readdirSync(folder)).toEqual(['books.txt']);
    }
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
});

it('npm run demo leaves one alone on which a server runs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-demo-served-'));
  writeFileSync(join(folder, '.coffer-demo'), '');
  const path = join(folder, 'coffer.db');
  const { database } = await openTestDatabase('sqlite', path);
  try {
    await database.migrate();
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const made = spawnSync(process.execPath, [main, '--small', '--dir', folder], { encoding: 'utf8' });
    expect(made.stderr).toContain(`A server runs on the demo in ${folder}. End it, and run this again.`);
    expect([made.status, existsSync(path)]).toEqual([1, true]);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
