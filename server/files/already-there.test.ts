// Files that are there already: who is told of them, and replacing one by an upload, on both engines.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { ALREADY_THERE_MAX } from '#contract/file-kinds.ts';
import { type AlreadyThere, type FileRow, NOT_TO_REPLACE, REPLACES_ELSEWHERE } from '#contract/files.ts';
import type { Firm } from '../testing/firm.ts';
import { storedPaths } from '../testing/stored.ts';
import type { Caller, TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';

describe.each(DATABASE_KINDS)('files that are there already on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let given = 0;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const freshName = () => {
    given += 1;
    return `Journal ${given}.pdf`;
  };
  const journal = () => ({ clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] });
  const document = () => ({ clientId: firm.clients[0], fileType: 'company_document', documentType: 'Other' });

  async function upload(by: Caller, name: string, fields: Record<string, string | number>, bytes = name, key?: string) {
    const { status, body } = await by.upload<FileRow & ErrorBody>({
      name,
      bytes,
      fields,
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
    });
    return { status, body };
  }

  async function found(by: Caller, ...files: Record<string, unknown>[]): Promise<(number | null)[]> {
    const { status, body } = await by.post<AlreadyThere>('/api/files/already-there', { files });
    expect(status, JSON.stringify(body)).toBe(200);
    return files.map((_, at) => body.found.find(({ nth }) => nth === at)?.file.id ?? null);
  }

  const idsNamed = async (name: string) =>
    (await app.admin.get<FileRow[]>('/api/files')).body.filter((row) => row.originalName === name).map(({ id }) => id);

  const entriesOf = async (name: string) =>
    (await app.admin.get<ActivityRow[]>('/api/activity-logs')).body
      .filter((entry) => entry.fileName === name)
      .map(({ action, fileId }) => ({ action, fileId }));

  const storedBlobs = () => storedPaths(app).length;

  describe('are found', () => {
    it('by name without case, and by client, kind and type, in the order asked', async () => {
      const name = freshName();
      const { body } = await upload(firm.viewers.cpa, name, journal());
      const asked = { ...journal(), name, size: 1 };
      expect(
        await found(
          firm.viewers.cpa,
          { ...asked, name: 'Nothing.pdf' },
          { ...asked, name: name.toUpperCase() },
          { ...asked, clientId: firm.clients[2] },
          { ...asked, reportTypeId: firm.reportTypes[1] },
          { ...asked, reportTypeId: null },
          { clientId: firm.clients[0], fileType: 'company_document', name, size: 1 },
          asked,
        ),
      ).toEqual([null, body.id, null, null, null, null, body.id]);
    });

    it('with those of the same size first, then the newest', async () => {
      const name = freshName();
      const first = await upload(app.admin, name, journal(), 'four');
      await upload(app.admin, name, journal(), 'other bytes');
      const newest = await upload(app.admin, name, journal(), 'newest bytes of all');
      const asked = { ...journal(), name };
      expect(await found(app.admin, { ...asked, size: 4 }, { ...asked, size: 5 })).toEqual([
        first.body.id,
        newest.body.id,
      ]);
    });

    it('only by who reaches them', async () => {
      const name = freshName();
      const { clientA, clientB, cpa, bookkeeper, listless, admin2 } = firm.viewers;
      const known = await upload(app.admin, name, journal());
      const otherType = await upload(app.admin, name, { ...journal(), reportTypeId: firm.reportTypes[2] });
      const otherClient = await upload(app.admin, name, { ...journal(), clientId: firm.clients[1] });
      const untyped = await upload(app.admin, name, { clientId: firm.clients[0], fileType: 'report' });
      const questions = [
        { ...journal(), name, size: 1 },
        { ...journal(), reportTypeId: firm.reportTypes[2], name, size: 1 },
        { ...journal(), clientId: firm.clients[1], name, size: 1 },
        { clientId: firm.clients[0], fileType: 'report', name, size: 1 },
      ];
      const all = [known, otherType, otherClient, untyped].map(({ body }) => body.id);
      expect(await found(admin2, ...questions)).toEqual(all);
      for (const viewer of [clientA, cpa, bookkeeper]) {
        expect(await found(viewer, ...questions)).toEqual([known.body.id, null, null, null]);
      }
      expect(await found(clientB, ...questions)).toEqual([null, null, otherClient.body.id, null]);
      expect(await found(listless, ...questions)).toEqual([null, null, null, null]);
      const { status } = await app.anonymous.post('/api/files/already-there', { files: questions });
      expect(status).toBe(401);
    });

    it('for as many as the contract says, and no more', async () => {
      const asked = { ...journal(), name: 'Nothing.pdf', size: 1 };
      const files = Array.from({ length: ALREADY_THERE_MAX }, () => asked);
      expect(await found(firm.viewers.cpa, ...files)).toEqual(files.map(() => null));
      for (const refused of [[...files, asked], []]) {
        const { status } = await firm.viewers.cpa.post('/api/files/already-there', { files: refused });
        expect(status).toBe(400);
      }
    });
  });

  describe('are replaced', () => {
    it('in one act: the new one is stored, the former is kept with its bytes as an earlier version, each with its entry', async () => {
      const name = freshName();
      const former = await upload(app.admin, name, journal(), 'former');
      const blobs = storedBlobs();
      const { status, body } = await upload(firm.viewers.cpa, name, { ...journal(), replaces: former.body.id }, 'new');
      expect(status).toBe(201);
      expect(await idsNamed(name)).toEqual([body.id]);
      expect(storedBlobs()).toBe(blobs + 1);
      expect((await firm.viewers.cpa.post(`/api/files/${former.body.id}/restore`)).status).toBe(200);
      expect((await idsNamed(name)).sort()).toEqual([former.body.id, body.id].sort());
      expect((await entriesOf(name)).slice(2)).toEqual([
        { action: 'update', fileId: former.body.id },
        { action: 'upload', fileId: body.id },
        { action: 'upload', fileId: former.body.id },
      ]);
    });

    it('once, however often the upload is sent under its key', async () => {
      const name = freshName();
      const former = await upload(app.admin, name, journal(), 'former');
      const fields = { ...journal(), replaces: former.body.id };
      const first = await upload(firm.viewers.cpa, name, fields, 'new', `once ${name}`.replace(/\s/g, '-'));
      const again = await upload(firm.viewers.cpa, name, fields, 'new', `once ${name}`.replace(/\s/g, '-'));
      expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
      expect(await idsNamed(name)).toEqual([first.body.id]);
      expect((await entriesOf(name)).map(({ action }) => action)).toEqual(['update', 'upload', 'upload']);
    });

    it('by no upload whose key was used before without replacing', async () => {
      const name = freshName();
      const former = await upload(app.admin, name, journal(), 'former');
      const key = `kept-${given}`;
      expect((await upload(firm.viewers.cpa, name, journal(), 'new', key)).status).toBe(201);
      const { status, body } = await upload(
        firm.viewers.cpa,
        name,
        { ...journal(), replaces: former.body.id },
        'new',
        key,
      );
      expect([status, body.code]).toEqual([422, 'idempotency_mismatch']);
      expect(await idsNamed(name)).toContain(former.body.id);
    });

    it('by nobody who may not delete them, and the upload is not stored either', async () => {
      const name = freshName();
      const own = await upload(firm.viewers.clientA, name, document(), 'own');
      const others = await upload(firm.viewers.cpa, name, document(), 'of the CPA');
      const refused = await upload(firm.viewers.clientA, name, { ...document(), replaces: others.body.id }, 'new');
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
      expect((await idsNamed(name)).sort()).toEqual([own.body.id, others.body.id].sort());
      const allowed = await upload(firm.viewers.clientA, name, { ...document(), replaces: own.body.id }, 'new');
      expect(allowed.status).toBe(201);
      expect((await idsNamed(name)).sort()).toEqual([others.body.id, allowed.body.id].sort());
    });

    it('only at the place of the upload, with one answer for what is missing and out of reach', async () => {
      const name = freshName();
      const blobs = storedBlobs();
      const elsewhere = await upload(app.admin, name, { ...journal(), reportTypeId: firm.reportTypes[1] });
      const outOfReach = await upload(app.admin, name, { ...journal(), clientId: firm.clients[1] });
      for (const [replaces, said] of [
        [elsewhere.body.id, REPLACES_ELSEWHERE],
        [outOfReach.body.id, NOT_TO_REPLACE],
        [999_999, NOT_TO_REPLACE],
      ] as const) {
        const { status, body } = await upload(firm.viewers.cpa, name, { ...journal(), replaces }, 'new');
        expect([status, body.code, body.fields]).toEqual([400, 'invalid', { replaces: said }]);
      }
      expect((await idsNamed(name)).sort()).toEqual([elsewhere.body.id, outOfReach.body.id].sort());
      expect(storedBlobs()).toBe(blobs + 2);
    });

    it('by one of several that are sent at once', async () => {
      const name = freshName();
      const former = await upload(app.admin, name, journal(), 'former');
      const answers = await Promise.all(
        ['one', 'two', 'three'].map((bytes) =>
          upload(firm.viewers.cpa, name, { ...journal(), replaces: former.body.id }, bytes),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
      expect(await idsNamed(name)).toEqual(answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : [])));
    });
  });
});
