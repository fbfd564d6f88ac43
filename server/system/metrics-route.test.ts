// Metrics for a monitor: who reads them, what they hold, and what nobody can make of them, on both engines.
import { randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { recordBackupRun } from '../audit/backup-runs.ts';
import { treePath } from '../platform/blobs/storage-key.ts';
import type { Firm } from '../testing/firm.ts';
import { blobRoot } from '../testing/stored.ts';
import type { TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';

const METRICS = '/metrics';
const TOKEN = randomBytes(24).toString('base64url');
const KEPT_MS = 15_000;

interface Parsed {
  readonly types: ReadonlyMap<string, string>;
  /** By name and labels, as they are written. */
  readonly values: ReadonlyMap<string, number>;
}

/** Reads the text format as Prometheus does, and throws where that would. */
function parse(text: string): Parsed {
  const types = new Map<string, string>();
  const helps = new Set<string>();
  const values = new Map<string, number>();
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const said = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (said) {
      const [, what, name = '', rest = ''] = said;
      if (what === 'HELP') {
        expect(helps.has(name), `a second HELP of ${name}`).toBe(false);
        helps.add(name);
      } else {
        expect(types.has(name), `a second TYPE of ${name}`).toBe(false);
        expect(rest).toMatch(/^(counter|gauge|histogram)$/);
        types.set(name, rest);
      }
      continue;
    }
    const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)+\})? (\S+)$/.exec(line);
    expect(sample, line).not.toBeNull();
    const [, name = '', labels = '', value = ''] = sample ?? [];
    const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    expect([line, helps.has(family), types.get(family)]).toEqual([
      line,
      true,
      types.has(name) ? expect.any(String) : 'histogram',
    ]);
    if (types.get(family) === 'counter') expect(name).toMatch(/_total$/);
    expect(value).toMatch(/^(\+Inf|-?\d+(\.\d+)?(e[+-]?\d+)?)$/);
    expect(values.has(name + labels), `twice: ${line}`).toBe(false);
    values.set(name + labels, Number(value.replace('+Inf', 'Infinity')));
  }
  for (const [name, n] of values) {
    if (!name.includes('_count{')) continue;
    expect(values.get(name.replace('_count{', '_bucket{le="+Inf",')), name).toBe(n);
  }
  return { types, values };
}

describe.each(DATABASE_KINDS)('metrics on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(
      kind,
      { TRUST_PROXY: '127.0.0.1', METRICS_TOKEN: TOKEN },
      { clock: 'standing' },
    ));
  });
  afterAll(() => app.close());

  const ask = (headers: Record<string, string> = {}, method = 'GET') =>
    app.anonymous.fetch(METRICS, { method, headers });
  const told = async () => parse(await (await ask()).text());
  /** As they are now, and not as they were within the last seconds. */
  const toldAnew = () => {
    app.advance(KEPT_MS);
    return told();
  };
  /** The names of all series: what a monitor has to keep apart. What the process has open changes by itself. */
  const seriesOf = ({ values }: Parsed) => [...values.keys()].filter((name) => !name.includes('open_handles')).sort();

  it('G116: are for this machine, whatever somebody claims to be', async () => {
    expect((await ask()).status).toBe(200);
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
      const answer = await ask({ [name]: name === 'forwarded' ? 'for=127.0.0.1' : '127.0.0.1' });
      expect([name, answer.status]).toEqual([name, 404]);
    }
    expect((await ask({ 'x-forwarded-for': '192.0.2.1' })).status).toBe(404);
    for (const [remoteAddress, status] of [
      ['127.0.0.1', 200],
      ['127.8.9.1', 200],
      ['192.0.2.1', 404],
      ['10.0.0.1', 404],
    ] as const) {
      const { statusCode } = await app.app.inject({ url: METRICS, remoteAddress });
      expect([remoteAddress, statusCode]).toEqual([remoteAddress, status]);
    }
  });

  it('G116: are for whoever shows the token, and for nobody who is signed in', async () => {
    const from = { 'x-forwarded-for': '192.0.2.1' };
    expect((await ask({ ...from, authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    for (const wrong of [
      `Bearer ${TOKEN.slice(1)}x`,
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(0, -1)}`,
      `Basic ${TOKEN}`,
      TOKEN,
      'Bearer ',
      `Bearer ${app.admin.token}`,
      `Bearer ${'x'.repeat(5_000)}`,
    ]) {
      expect([wrong, (await ask({ ...from, authorization: wrong })).status]).toEqual([wrong, 404]);
    }
    const byQuery = await app.anonymous.fetch(`${METRICS}?token=${TOKEN}`, { headers: from });
    expect(byQuery.status).toBe(404);
    expect(JSON.stringify(app.log)).not.toContain(TOKEN);
  });

  it('G116: are not there for others, as what never was', async () => {
    const from = { 'x-forwarded-for': '192.0.2.1' };
    const lookLike = async (path: string, method: string) => {
      const { status, headers, text } = await app.anonymous
        .fetch(path, { method, headers: from })
        .then(async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }));
      return { status, names: [...headers.keys()].sort(), body: text.replace(/"requestId":"[^"]*"/, '') };
    };
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      expect(await lookLike(METRICS, method)).toEqual(await lookLike('/api/none', method));
    }
    expect((await ask({}, 'POST')).status).toBe(404);
  });

  it('can be read by Prometheus, and tell of process, requests, jobs, mails, files and database', async () => {
    const answer = await ask();
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { types, values } = parse(await answer.text());
    for (const [name, type] of [
      ['coffer_process_memory_bytes', 'gauge'],
      ['coffer_process_cpu_seconds_total', 'counter'],
      ['coffer_process_open_handles', 'gauge'],
      ['coffer_event_loop_delay_seconds', 'gauge'],
      ['coffer_http_requests_total', 'counter'],
      ['coffer_http_request_duration_seconds', 'histogram'],
      ['coffer_admission_refused_total', 'counter'],
      ['coffer_jobs', 'gauge'],
      ['coffer_mails', 'gauge'],
      ['coffer_store_faults_total', 'counter'],
    ] as const) {
      expect([name, types.get(name)]).toEqual([name, type]);
    }
    const files = await app.database.reader
      .selectFrom('blobs')
      .select(({ fn }) => [fn.countAll<number>().as('n'), fn.sum<number>('size_bytes').as('bytes')])
      .executeTakeFirstOrThrow();
    expect(values.get('coffer_files')).toBe(Number(files.n));
    expect(values.get('coffer_files_bytes')).toBe(Number(files.bytes));
    for (const up of ['coffer_facts_up', 'coffer_store_up']) expect([up, values.get(up)]).toEqual([up, 1]);
    expect(values.get('coffer_process_memory_bytes{kind="rss"}')).toBeGreaterThan(10_000_000);
    expect(values.get('coffer_store_free_bytes')).toBeGreaterThan(0);
    expect(values.get('coffer_database_waits_total')).toBeGreaterThan(0);
    expect(values.get('coffer_database_waiting')).toBe(0);
    // Nothing is told of the loop where it was not looked at since the last reading, as on a busy machine.
    await vi.waitFor(async () => {
      expect((await toldAnew()).values.has('coffer_event_loop_delay_seconds{quantile="0.99"}')).toBe(true);
    }, 10_000);
    expect([...values.keys()].join('\n')).toMatch(
      new RegExp(`^coffer_build_info\\{version="\\d.*engine="${kind}"\\}$`, 'm'),
    );
    // On SQLite one connection writes; a pool has as many as were needed.
    if (kind === 'sqlite') expect(values.has('coffer_database_connections{state="idle"}')).toBe(false);
    expect(values.has('coffer_last_backup_time_seconds')).toBe(false);
  });

  it('count requests by route and class of status, and how many are being served', async () => {
    const list = { method: 'GET', route: '/api/files' };
    const name = (status: string) =>
      `coffer_http_requests_total{method="${list.method}",route="${list.route}",status="${status}"}`;
    const before = (await told()).values;
    await app.admin.get('/api/files');
    await app.admin.get('/api/files?clientId=x');
    await app.anonymous.get('/api/files');
    const { values } = await told();
    const grown = (status: string) => (values.get(name(status)) ?? 0) - (before.get(name(status)) ?? 0);
    expect([grown('2xx'), grown('4xx'), grown('5xx')]).toEqual([1, 2, 0]);
    expect(values.get('coffer_admission_in_flight{share="requests"}')).toBe(0);
    expect(values.get('coffer_admission_refused_total{share="requests"}')).toBe(0);
  });

  it('G116: hold no id, name or query, and no address makes another series', async () => {
    const { f1 } = firm.files;
    const answers = async (nth: number) => {
      await app.admin.get(`/api/files/${nth === 0 ? f1.id : 900_000 + nth}`);
      await app.anonymous.fetch(`/api/files/${nth}'"}\\\n{x="y`.replace('\n', '%0A'));
      await app.anonymous.fetch(`/wp-${nth}.php?q=${nth}`);
      await app.anonymous.fetch(`/metrics/${nth}`, { method: nth % 2 === 0 ? 'GET' : 'PROPFIND' });
      await app.anonymous.fetch(`/api/clients?search=CANARY${nth}`);
    };
    await answers(0);
    await answers(1);
    const before = seriesOf(await told());
    for (let nth = 2; nth < 12; nth += 1) await answers(nth);
    const after = await told();
    expect(seriesOf(after)).toEqual(before);
    const text = await (await ask()).text();
    expect(text).not.toMatch(/wp-|CANARY|route="[^"]*\d/);
    expect(text).not.toContain(f1.originalName);
  });

  it('tell what waits, what failed and when there was a backup, and what is asked of the stores once in a while only', async () => {
    const asked = vi.spyOn(app.database, 'longRows');
    await toldAnew();
    const once = asked.mock.calls.length;
    expect(once).toBeGreaterThan(0);
    await told();
    await told();
    expect(asked.mock.calls.length).toBe(once);
    asked.mockRestore();

    const endedAt = Math.trunc(app.now() / 1_000) * 1_000 - 60_000;
    await recordBackupRun(app.database, {
      place: 'file:/backups',
      begunAt: endedAt,
      endedAt,
      made: { name: 'a', files: 1, sizeBytes: 1, damaged: 0 },
      fault: null,
    });
    const { values } = await toldAnew();
    expect(values.get('coffer_last_backup_time_seconds')).toBe(endedAt / 1_000);
    expect(values.get('coffer_warnings{about="backup"}')).toBe(0);
  });

  it('count what fails at the place of the files', async () => {
    const { id } = firm.files.f3;
    const { storage_key: key } = await app.database.reader
      .selectFrom('files')
      .select('storage_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const before = (await told()).values.get('coffer_store_faults_total{operation="read"}') ?? 0;
    unlinkSync(join(blobRoot(app), treePath(key)));
    expect((await app.admin.get(`/api/files/${id}/download`)).status).toBe(500);
    expect((await told()).values.get('coffer_store_faults_total{operation="read"}')).toBe(before + 1);
  });

  it('are told without the stores where the database does not answer', async () => {
    const lost = vi.spyOn(app.database, 'longRows').mockRejectedValue(new Error('lost'));
    try {
      const { values } = await toldAnew();
      expect(values.get('coffer_facts_up')).toBe(0);
      expect(values.has('coffer_files')).toBe(false);
      expect(values.get('coffer_process_memory_bytes{kind="rss"}')).toBeGreaterThan(0);
    } finally {
      lost.mockRestore();
    }
    expect((await toldAnew()).values.get('coffer_facts_up')).toBe(1);
  });
});
