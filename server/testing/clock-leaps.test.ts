// Fault 18: the clock of the machine is put back a day, or forward: people stay signed in, what is done keeps its order, and nothing young is removed.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { FileRow } from '#contract/files.ts';
import { DAY_MS } from '../platform/clock.ts';
import type { Firm } from './firm.ts';
import type { TestApp } from './test-app.ts';
import { DATABASE_KINDS } from './test-database.ts';
import { startTestFirm } from './test-firm.ts';

describe.each(DATABASE_KINDS)('a clock on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const upload = async (name: string) => {
    const { status, body } = await app.admin.upload<FileRow>({
      name,
      bytes: `bytes of ${name}`,
      fields: { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] },
    });
    expect(status).toBe(201);
    return body;
  };
  const expectThere = async ({ id, originalName }: FileRow) =>
    expect((await app.admin.get<string>(`/api/files/${id}/download`)).body).toBe(`bytes of ${originalName}`);

  it('that is put back a day and forward again signs nobody out, keeps the order of the log, and removes nothing', async () => {
    const before = await upload('before.txt');
    app.advance(-DAY_MS);
    expect((await app.admin.get('/api/auth/me')).status).toBe(200);
    expect((await firm.viewers.cpa.get('/api/auth/me')).status).toBe(200);
    const during = await upload('during.txt');
    await app.context.runMaintenance();
    await expectThere(before);
    await expectThere(during);
    app.advance(DAY_MS + 60_000);
    const after = await upload('after.txt');
    await app.context.runMaintenance();
    for (const file of [before, during, after]) await expectThere(file);
    const ids = [before, during, after].map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    // Numbered as they came, whatever the clock said.
    const entries = (await app.admin.get<ActivityRow[]>('/api/activity-logs?action=upload&limit=100')).body;
    const numbers = ids.map((fileId) => entries.find((entry) => entry.fileId === fileId)?.id ?? 0);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers).not.toContain(0);
  });

  it('that leaps forward a day signs nobody out, and leaves what is young and the bytes of an upload that is under way', async () => {
    // So many that one orphan among them is believed.
    for (let nth = 0; nth < 20; nth += 1) await upload(`kept ${nth}.txt`);
    const before = await upload('before the leap.txt');
    const { blobs } = app.context.services;
    const stage = blobs.stage.bind(blobs);
    const published = Promise.withResolvers<void>();
    const swept = Promise.withResolvers<void>();
    vi.spyOn(blobs, 'stage').mockImplementationOnce(async (...sent) => {
      const staged = await stage(...sent);
      const publish = staged.publish.bind(staged);
      vi.spyOn(staged, 'publish').mockImplementationOnce(async () => {
        const key = await publish();
        published.resolve();
        await swept.promise;
        return key;
      });
      return staged;
    });
    const underWay = upload('under way.txt');
    await published.promise;
    app.advance(DAY_MS + 60_000);
    for (const person of [app.admin, firm.viewers.cpa]) expect((await person.get('/api/auth/me')).status).toBe(200);
    await app.context.runMaintenance();
    // Tried again at once, the job is no wiser.
    await app.context.runMaintenance();
    swept.resolve();
    for (const file of [before, await underWay]) await expectThere(file);
    await app.context.runMaintenance();
    for (const file of [before, await underWay]) await expectThere(file);
  });
});
