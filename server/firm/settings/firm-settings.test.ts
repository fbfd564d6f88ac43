// Where people write to who need help: decided by the firm, else by the server, and on the page before anybody has signed in.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FirmSettings } from '#contract/firm-settings.ts';
import { buildApp } from '../../app.ts';
import type { Firm } from '../../testing/firm.ts';
import { NEVER_LATE_MS, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

const SETTINGS = '/api/firm-settings';

describe.each(DATABASE_KINDS)('the support address on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let web: Awaited<ReturnType<typeof buildApp>>;
  let folder: string;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, { SUPPORT_EMAIL: 'server@example.com' }));
    folder = mkdtempSync(join(tmpdir(), 'coffer-support-'));
    writeFileSync(join(folder, 'index.html'), `<!doctype html><meta name="support-email" content="x"><title>x</title>`);
    web = await buildApp(app.context, { webRoot: folder, lateLoopMs: NEVER_LATE_MS });
  });
  afterAll(async () => {
    await web.close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const set = (supportEmail: unknown, by = app.admin) => by.put<FirmSettings & ErrorBody>(SETTINGS, { supportEmail });
  const held = async () => (await app.admin.get<FirmSettings>(SETTINGS)).body;
  /** What the sign-in page is told, plain and compressed. */
  async function onPage(): Promise<string | undefined> {
    const ask = (accepted: string) => web.inject({ url: '/login', headers: { 'accept-encoding': accepted } });
    const [plain, packed] = [await ask('identity'), await ask('gzip')];
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    return /support-email" content="([^"]*)"/.exec(plain.body)?.[1];
  }

  it('is that of the server until the firm names one, and again when it names none', async () => {
    expect(await onPage()).toBe('server@example.com');
    expect(await held()).toMatchObject({ supportEmail: '', supportEmailOfServer: 'server@example.com' });
    const { status, body } = await set('  help+payroll@example.com ');
    expect([status, body.supportEmail]).toEqual([200, 'help+payroll@example.com']);
    expect(await onPage()).toBe('help+payroll@example.com');
    await set('');
    expect(await held()).toMatchObject({ supportEmail: '' });
    expect(await onPage()).toBe('server@example.com');
  });

  it('is decided apart from four eyes, each with an entry in the log, and none where nothing changes', async () => {
    await set('help@example.com');
    await app.admin.put(SETTINGS, { fourEyes: true });
    await set('help@example.com');
    expect(await held()).toMatchObject({ fourEyes: true, supportEmail: 'help@example.com' });
    await app.admin.put(SETTINGS, { fourEyes: false, supportEmail: '' });
    expect(await held()).toMatchObject({ fourEyes: false, supportEmail: '' });
    const { body } = await app.admin.get<ActivityRow[]>('/api/activity-logs?action=update&limit=4');
    expect(body.map(({ details }) => details)).toEqual([
      'Removed the support address',
      'Switched four eyes off',
      'Switched four eyes on',
      'Set the support address: help@example.com',
    ]);
  });

  it.each([
    'help',
    'help@',
    '@example.com',
    'help@example.com, b@example.com',
    'a"b@example.com',
    'help@example.com\n<b>',
  ])('is a mail address or nothing: %j', async (wrong) => {
    const { status, body } = await set(wrong);
    expect([status, body.fields]).toEqual([400, { supportEmail: expect.any(String) }]);
    expect((await held()).supportEmail).toBe('');
  });

  it('is changed by nobody who does not decide for the firm', async () => {
    for (const [viewer, caller] of Object.entries(firm.viewers)) {
      if (viewer === 'admin2') continue;
      expect([viewer, (await set('mine@example.com', caller)).status]).toEqual([viewer, 403]);
    }
    expect((await set('mine@example.com', app.anonymous)).status).toBe(401);
    expect((await held()).supportEmail).toBe('');
    expect((await set('ours@example.com', firm.viewers.admin2)).status).toBe(200);
    await set('');
  });
});
