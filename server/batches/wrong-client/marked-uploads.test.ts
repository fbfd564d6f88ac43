// Uploads of Client users that name another company, over HTTP on both engines: marked for staff, and nothing of it for who sent them.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ClientRow } from '#contract/clients.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileDetails, FileRow, MarkedFile } from '#contract/files.ts';
import { addUser, clientInput, type Firm } from '../../testing/firm.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { testPdf } from '../../testing/test-pdf.ts';
import { storeJudgement } from './mark-rows.ts';

const WITHIN = { timeout: 30_000, interval: 30 };

describe.each(DATABASE_KINDS)(
  'uploads of Client users that name another company on %s',
  { timeout: 60_000 },
  (kind) => {
    let app: TestApp;
    let firm: Firm;
    let owner: Caller;
    /** A CPA who reaches both companies, one who reaches the owner's alone, and one who reaches neither. */
    let wide: Caller;
    let narrow: Caller;
    let away: Caller;
    let own: ClientRow;
    let other: ClientRow;

    beforeAll(async () => {
      ({ app, firm } = await startTestFirm(kind));
      const add = async (name: string, federalId: string) =>
        (await app.admin.post<ClientRow>('/api/clients', { ...clientInput(name), federalId })).body;
      own = await add('Larch Street Dental PLLC', '00-7654321');
      other = await add('Quarry Lane Roofing Inc.', '00-4561237');
      const reportTypeIds = [firm.reportTypes[0] as number];
      const cpa = async (username: string, clientIds: number[]) =>
        (await addUser(app, username, firm.roles.cpa, { clientIds, reportTypeIds })).caller;
      owner = (await addUser(app, 'owner', firm.roles.client, { clientIds: [own.id], reportTypeIds })).caller;
      wide = await cpa('wide', [own.id, other.id]);
      narrow = await cpa('narrow', [own.id]);
      away = await cpa('away', [other.id]);
    });
    afterAll(() => app.close());
    afterEach(() => app.context.jobs.stop());

    const NAMES_OTHER = ['Quarry Lane Roofing Inc.', 'Federal ID 00-4561237', 'Invoice for the roof'];

    async function send(name: string, lines: readonly string[], by = owner, fields: object = {}): Promise<FileRow> {
      const { status, body } = await by.upload<FileRow>({
        name,
        bytes: (await testPdf([lines])) as unknown as string,
        fields: { clientId: own.id, fileType: 'company_document', ...fields },
      });
      expect(status).toBe(201);
      return body;
    }

    /** Lets jobs run until every upload is judged. */
    async function judged(): Promise<void> {
      await app.context.jobs.start();
      await vi.waitFor(async () => {
        const left = await app.database.reader.selectFrom('files_to_judge').select('file_id').execute();
        expect(left).toEqual([]);
      }, WITHIN);
      await app.context.jobs.stop();
    }

    async function sendMarked(name: string): Promise<FileRow> {
      const file = await send(name, NAMES_OTHER);
      await judged();
      return file;
    }

    const marked = async (by: Caller, query = '') =>
      (await by.get<MarkedFile[]>(`/api/files/marked${query}`)).body.map(({ file, namedClient }) => [
        file.id,
        namedClient?.name ?? null,
      ]);
    const isMarked = async (by: Caller, { id }: FileRow) => (await marked(by, `?ids=${id}`)).length > 0;
    const listed = async (by: Caller, query: string) =>
      (await by.get<FileRow[]>(`/api/files?${query}`)).body.map(({ id }) => id);
    const stateOf = async ({ id }: FileRow) =>
      app.database.reader.selectFrom('file_marks').selectAll().where('file_id', '=', id).executeTakeFirst();

    it('G39: are stored as always and marked for staff, who see a name as far as they reach it', async () => {
      const plain = await send('plain.pdf', ['Larch Street Dental PLLC', 'Lease']);
      const before = await send('roof.pdf', NAMES_OTHER);
      // Judged in the background, whatever ends the server in between.
      expect(await isMarked(app.admin, before)).toBe(false);
      await judged();
      expect(await marked(wide)).toEqual([[before.id, other.name]]);
      expect(await marked(app.admin)).toEqual([[before.id, other.name]]);
      expect(await marked(narrow)).toEqual([[before.id, null]]);
      expect(JSON.stringify((await narrow.get('/api/files/marked')).body)).not.toContain('Quarry');
      expect(await marked(away)).toEqual([]);
      expect(await marked(wide, `?ids=${plain.id}`)).toEqual([]);
      const { headers, body } = await wide.get<MarkedFile[]>('/api/files/marked?limit=1&offset=9');
      expect([headers.get('x-total-count'), body]).toEqual(['1', []]);
      await app.admin.post(`/api/files/${before.id}/settle-mark`);
    });

    it('G39: tell the Client user nothing: not in the answer, the list, the facts, the export or the log', async () => {
      const marks = await sendMarked('second roof.pdf');
      const plain = await send('second plain.pdf', ['Larch Street Dental PLLC', 'Lease']);
      const like = { id: 0, originalName: '', size: 0, sha256: '', uploadedAt: '', createdAt: '' };
      expect({ ...marks, ...like }).toEqual({ ...plain, ...like });
      const facts = await owner.get<FileDetails>(`/api/files/${marks.id}/facts`);
      expect(Object.keys(facts.body.file)).toEqual(Object.keys(plain));
      const list = await owner.get<FileRow[]>('/api/files');
      expect(list.body.find(({ id }) => id === marks.id)).toEqual(marks);
      const { body: csv } = await owner.get<string>(`/api/files/export?ids=${marks.id}`);
      const { body: log } = await owner.get<ActivityRow[]>('/api/activity-logs');
      for (const seen of [facts.body, list.body, csv, log])
        expect(JSON.stringify(seen)).not.toMatch(/Quarry|names|mark/i);
      // Nor by asking for it: the filter finds nothing, and the addresses are refused.
      expect(await listed(owner, 'marked=true')).toEqual([]);
      expect((await owner.get<string>('/api/files/export?marked=true')).body).not.toContain('roof.pdf');
      expect((await owner.get<object>('/api/files/inside?q=roof&marked=true')).body).toMatchObject({ rows: [] });
      expect((await owner.get(`/api/files/${marks.id}/facts?marked=true`)).body).toMatchObject({
        newer: null,
        older: null,
      });
      expect((await owner.post('/api/files/archive', { matching: { marked: 'true' } })).status).toBe(404);
      expect((await owner.get('/api/files/marked')).status).toBe(403);
      expect((await owner.post(`/api/files/${marks.id}/settle-mark`)).status).toBe(403);
      expect(await isMarked(wide, marks)).toBe(true);
      await app.admin.post(`/api/files/${marks.id}/settle-mark`);
      // What staff have said about it does not tell either, should the role ever read the log of its clients.
      const { body: said } = await app.admin.get<ActivityRow[]>('/api/activity-logs?limit=1');
      expect(said[0]?.details).toBe('Confirmed file: second roof.pdf');
    });

    it('are found by a filter of every list, with the others', async () => {
      const file = await sendMarked('third roof.pdf');
      expect(await listed(wide, 'marked=true')).toEqual([file.id]);
      expect(await listed(narrow, 'marked=true&q=third&fileType=company_document&sort=clientName')).toEqual([file.id]);
      expect(await listed(app.admin, `marked=true&clientId=${own.id}&sort=size`)).toEqual([file.id]);
      expect(await listed(app.admin, `marked=true&clientId=${other.id}`)).toEqual([]);
      expect(await listed(app.admin, 'marked=true&fileType=report')).toEqual([]);
      expect(await listed(away, 'marked=true')).toEqual([]);
      expect((await wide.get<string>('/api/files/export?marked=true')).body).toContain('third roof.pdf');
      expect((await wide.get('/api/files?marked=1')).status).toBe(400);
      await app.admin.post(`/api/files/${file.id}/settle-mark`);
      expect(await listed(wide, 'marked=true')).toEqual([]);
    });

    it('are settled by who may file there, once, with an entry in the log', async () => {
      const file = await sendMarked('fourth roof.pdf');
      expect((await away.post(`/api/files/${file.id}/settle-mark`)).status).toBe(404);
      const reader = (await addUser(app, 'reader', firm.roles.bookkeeper, { clientIds: [own.id], reportTypeIds: [] }))
        .caller;
      expect(await isMarked(reader, file)).toBe(true);
      expect((await reader.post(`/api/files/${file.id}/settle-mark`)).status).toBe(403);
      expect(await isMarked(wide, file)).toBe(true);
      expect((await narrow.post(`/api/files/${file.id}/settle-mark`)).status).toBe(204);
      expect(await isMarked(wide, file)).toBe(false);
      expect(await stateOf(file)).toMatchObject({ state: 'settled', settled_by_name: expect.any(String) });
      expect((await wide.get<FileDetails>(`/api/files/${file.id}/facts`)).body.file.clientId).toBe(own.id);
      const entries = async () =>
        (await app.admin.get<ActivityRow[]>('/api/activity-logs?limit=50')).body.filter(
          ({ details }) => details === 'Confirmed file: fourth roof.pdf',
        );
      expect(await entries()).toHaveLength(1);
      expect((await wide.post(`/api/files/${file.id}/settle-mark`)).status).toBe(204);
      expect(await entries()).toHaveLength(1);
      const plain = await send('fourth plain.pdf', ['Lease']);
      expect((await app.admin.post<ErrorBody>(`/api/files/${plain.id}/settle-mark`)).status).toBe(404);
    });

    it('are settled by filing them under the client that they name, and by no other', async () => {
      const file = await sendMarked('fifth roof.pdf');
      expect((await app.admin.put(`/api/files/${file.id}`, { clientId: firm.clients[0] })).status).toBe(409);
      expect(await isMarked(app.admin, file)).toBe(true);
      await app.admin.put(`/api/files/${file.id}`, { originalName: 'renamed.pdf' });
      expect(await isMarked(app.admin, file)).toBe(true);
      expect((await app.admin.put(`/api/files/${file.id}`, { clientId: other.id })).status).toBe(200);
      expect(await isMarked(app.admin, file)).toBe(false);
      expect(await stateOf(file)).toMatchObject({ state: 'settled' });
    });

    it('lose their mark with the file and get it back with it', async () => {
      const file = await sendMarked('sixth roof.pdf');
      await app.admin.delete(`/api/files/${file.id}`);
      expect([await stateOf(file), await isMarked(app.admin, file)]).toEqual([undefined, false]);
      await app.admin.post(`/api/files/${file.id}/restore`);
      expect(await marked(wide, `?ids=${file.id}`)).toEqual([[file.id, other.name]]);
      // Not judged yet, it is judged after it came back.
      const waiting = await send('seventh roof.pdf', NAMES_OTHER);
      await app.admin.delete(`/api/files/${waiting.id}`);
      await judged();
      await app.admin.post(`/api/files/${waiting.id}/restore`);
      await judged();
      expect(await isMarked(wide, waiting)).toBe(true);
      for (const { id } of [file, waiting]) await app.admin.post(`/api/files/${id}/settle-mark`);
    });

    it('name another company once the one they name is gone, which takes nothing else along', async () => {
      const { body: third } = await app.admin.post<ClientRow>('/api/clients', {
        ...clientInput('Thistle Bay Marina LLC'),
        federalId: '00-8887776',
      });
      const file = await send('berth.pdf', ['Thistle Bay Marina LLC', 'Berth rent']);
      await judged();
      expect(await marked(app.admin, `?ids=${file.id}`)).toEqual([[file.id, third.name]]);
      await app.admin.delete(`/api/clients/${third.id}`);
      expect(await marked(app.admin, `?ids=${file.id}`)).toEqual([[file.id, null]]);
      // The trash keeps no name of it for a file that comes back later.
      await app.admin.delete(`/api/files/${file.id}`);
      await app.admin.post(`/api/files/${file.id}/restore`);
      expect(await marked(app.admin, `?ids=${file.id}`)).toEqual([[file.id, null]]);
      await app.admin.post(`/api/files/${file.id}/settle-mark`);
    });

    it('are judged anew once their sender files them elsewhere, and marked again where they name another company', async () => {
      const reportTypeIds = [firm.reportTypes[0] as number];
      const both = (await addUser(app, 'both', firm.roles.client, { clientIds: [own.id, other.id], reportTypeIds }))
        .caller;
      const file = await send('eighth roof.pdf', NAMES_OTHER, both, { clientId: other.id });
      await judged();
      expect(await stateOf(file)).toBeUndefined();
      const refile = async (clientId: number) => {
        expect((await both.put(`/api/files/${file.id}`, { clientId })).status).toBe(200);
        await judged();
        return marked(app.admin, `?ids=${file.id}`);
      };
      expect(await refile(own.id)).toEqual([[file.id, other.name]]);
      // Right where it is, and wrong again after it was elsewhere.
      await app.admin.post(`/api/files/${file.id}/settle-mark`);
      await app.admin.put(`/api/files/${file.id}`, { originalName: 'eighth.pdf' });
      await judged();
      expect(await isMarked(app.admin, file)).toBe(false);
      expect(await refile(other.id)).toEqual([]);
      expect(await refile(own.id)).toEqual([[file.id, other.name]]);
      await app.admin.post(`/api/files/${file.id}/settle-mark`);
    });

    it('are marked where they name several, judged by where the file is by then, and never for staff or without a name', async () => {
      const { body: twin } = await app.admin.post<ClientRow>('/api/clients', {
        ...clientInput('Harborside Kayak Rental LLC'),
        federalId: '00-4561237',
      });
      const several = await send('several.pdf', ['Federal ID 00-4561237', 'Lease']);
      const moved = await send('moved.pdf', NAMES_OTHER);
      await app.admin.put(`/api/files/${moved.id}`, { clientId: other.id });
      const right = await send('right.pdf', ['Larch Street Dental PLLC', ...NAMES_OTHER]);
      const kept = await send('kept.pdf', NAMES_OTHER, owner, { keepBecause: 'It is ours' });
      const byStaff = await send('staff.pdf', NAMES_OTHER, wide, { keepBecause: 'Their roof' });
      const broken = await owner.upload<FileRow>({
        name: 'broken.pdf',
        bytes: `%PDF-1.7\n${'Quarry Lane Roofing Inc. '.repeat(20)}`,
        fields: { clientId: own.id, fileType: 'company_document' },
      });
      await judged();
      expect(await marked(app.admin)).toEqual([
        [kept.id, other.name],
        [several.id, null],
      ]);
      for (const file of [moved, right, byStaff, broken.body]) expect(await stateOf(file)).toBeUndefined();
      // Judged twice, by two processes, it has one mark.
      await storeJudgement(app.database, kept.id, [{ id: other.id, byFederalId: true, byName: true }], 1);
      expect(await marked(app.admin, `?ids=${kept.id}`)).toHaveLength(1);
      await app.admin.delete(`/api/clients/${twin.id}`);
    });
  },
);
