// The wrong-client guard over HTTP, on both engines: a document that names another client is not filed without a word.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { BatchDetails, BatchRow, DocumentRow } from '#contract/batches.ts';
import type { ClientRow } from '#contract/clients.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import { HOUR_MS } from '../../platform/clock.ts';
import { addRole, addUser, clientInput, type Firm } from '../../testing/firm.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { testPdf } from '../../testing/test-pdf.ts';

describe.each(DATABASE_KINDS)('the wrong-client guard on %s', { timeout: 60_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let staff: Caller;
  let reader: Caller;
  let chosen: ClientRow;
  let other: ClientRow;
  let unreached: ClientRow;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    const add = async (name: string, federalId: string, otherNames: string[] = []) =>
      (await app.admin.post<ClientRow>('/api/clients', { ...clientInput(name), federalId, otherNames })).body;
    chosen = await add('Larch Street Dental PLLC', '00-7654321', ['Larch Dental']);
    other = await add('Quarry Lane Roofing Inc.', '00-4561237');
    unreached = await add('Meadow & Finch Catering LLC', '00-2223334');
    const lists = { clientIds: [chosen.id, other.id], reportTypeIds: [firm.reportTypes[0] as number] };
    staff = (await addUser(app, 'filer', firm.roles.cpa, lists)).caller;
    reader = (await addUser(app, 'owner', firm.roles.client, { ...lists, clientIds: [chosen.id] })).caller;
  });
  afterAll(() => app.close());

  const send = async (lines: readonly string[], more: Record<string, string> = {}, by = staff) =>
    by.upload<FileRow & ErrorBody>({
      name: 'summary.pdf',
      bytes: (await testPdf([lines])) as unknown as string,
      fields: { clientId: chosen.id, fileType: 'report', reportTypeId: firm.reportTypes[0] as number, ...more },
    });

  it.each([
    ['its federal id', ['Payroll Summary', 'Federal ID 00-4561237', 'Pay date 03/14/2026']],
    ['its name', ['Quarry Lane Roofing Inc.', 'Payroll Summary', 'Pay date 03/14/2026']],
    ['both', ['Quarry Lane Roofing Inc.', 'Federal ID 00-4561237', 'Payroll Summary']],
  ])('G33: stops what names another client by %s, and leaves nothing behind', async (_how, lines) => {
    const before = (await staff.get<FileRow[]>('/api/files')).body.length;
    const { status, body } = await send(lines);
    expect([status, body.code]).toEqual([409, 'names_another_client']);
    expect(body.message).toBe(
      'This document names Quarry Lane Roofing Inc. (ending 1237), not Larch Street Dental PLLC.',
    );
    expect(body.namedClient).toEqual({ id: other.id, name: other.name });
    expect((await staff.get<FileRow[]>('/api/files')).body).toHaveLength(before);
    const filed = await send(lines, { clientId: String(other.id) });
    expect(filed.status).toBe(201);
  });

  it('knows two companies with one federal id apart by their names, and says so where it cannot', async () => {
    const { body: twin } = await app.admin.post<ClientRow>('/api/clients', {
      ...clientInput('Harborside Kayak Rental LLC'),
      federalId: '00-4561237',
    });
    const number = 'Federal ID 00-4561237';
    const { body: told } = await send(['Harborside Kayak Rental LLC', number, 'Payroll Summary'], {}, app.admin);
    expect(told.namedClient?.id).toBe(twin.id);
    const { body: untold } = await send([number, 'Payroll Summary'], {}, app.admin);
    expect(untold.message).toBe('This document names other companies, not Larch Street Dental PLLC.');
    await app.admin.delete(`/api/clients/${twin.id}`);
  });

  it('G33: says another company where it may not be named', async () => {
    const { status, body } = await send(['Meadow & Finch Catering LLC', 'Payroll Summary']);
    expect(status).toBe(409);
    expect(body.message).toBe('This document names another company, not Larch Street Dental PLLC.');
    expect(JSON.stringify(body)).not.toMatch(/Meadow|3334|namedClient/);
    // For who reaches it, it has its name.
    const { body: told } = await send(['Meadow & Finch Catering LLC', 'Payroll Summary'], {}, app.admin);
    expect(told.namedClient).toEqual({ id: unreached.id, name: unreached.name });
  });

  it('lets through what names the chosen client too, nobody, or nothing that can be read', async () => {
    const through = [
      ['Larch Street Dental PLLC', 'Paid to Quarry Lane Roofing Inc.', 'Federal ID 00-4561237'],
      ['Larch Dental', 'Payroll Summary', 'Quarry Lane Roofing Inc.'],
      ['Larch Dental', 'Quarry Lane Roofing Inc.'],
      ['Payroll Summary', 'Pay date 03/14/2026'],
    ];
    for (const lines of through) expect([lines, (await send(lines)).status]).toEqual([lines, 201]);
    const broken = await staff.upload({
      name: 'broken.pdf',
      bytes: `%PDF-1.7\n${'Quarry Lane Roofing Inc. '.repeat(20)}`,
      fields: { clientId: chosen.id, fileType: 'company_document' },
    });
    expect(broken.status).toBe(201);
  });

  it('G33: reads what older programs and spreadsheets write', async () => {
    const lines = 'Quarry Lane Roofing Inc.\r\nNómina de marzo\r\n';
    for (const bytes of [Buffer.from(lines, 'latin1'), Buffer.from(`\ufeff${lines}`, 'utf16le')]) {
      const fields = { clientId: chosen.id, fileType: 'company_document' };
      const { status, body } = await app.admin.upload<FileRow & ErrorBody>({ name: 'summary.txt', bytes, fields });
      expect([status, body.namedClient?.id]).toEqual([409, other.id]);
    }
  });

  it('keeps the choice for a reason, which the log has', async () => {
    const lines = ['Quarry Lane Roofing Inc.', 'Invoice for the roof'];
    expect((await send(lines, { keepBecause: '  ' })).body.fields).toHaveProperty('keepBecause');
    const { status, body } = await send(lines, { keepBecause: 'It is the invoice for their roof' });
    expect(status).toBe(201);
    const { body: log } = await staff.get<ActivityRow[]>('/api/activity-logs?limit=1');
    expect(log[0]?.details).toBe(
      `Uploaded file: ${body.originalName}. It names another client, and was kept because: It is the invoice for their roof`,
    );
  });

  it('asks no Client user, and knows a client that was added or renamed since', async () => {
    const { status } = await reader.upload({
      name: 'roof.pdf',
      bytes: (await testPdf([['Quarry Lane Roofing Inc.', 'Invoice']])) as unknown as string,
      fields: { clientId: chosen.id, fileType: 'company_document' },
    });
    expect(status).toBe(201);
    const lines = ['Thistle Bay Marina LLC', 'Payroll Summary'];
    expect((await send(lines)).status).toBe(201);
    const { body: late } = await app.admin.post<ClientRow>('/api/clients', {
      ...clientInput('Thistle Cove Marina LLC'),
      federalId: '00-8887776',
    });
    await app.admin.put(`/api/clients/${late.id}`, {
      ...clientInput('Thistle Bay Marina LLC'),
      federalId: '00-8887776',
    });
    expect((await send(lines, {}, app.admin)).body.namedClient?.id).toBe(late.id);
  });

  describe('as somebody who guesses', () => {
    const FEDERAL_ID = '00-4561237';
    /** May upload, and is shown the last four digits of a federal id. */
    let scanner: Caller;

    beforeAll(async () => {
      const role = await addRole(app, 'Scanner', ['documents.upload']);
      scanner = (await addUser(app, 'scanner', role, { clientIds: [chosen.id, other.id] })).caller;
    });

    const sendText = async (by: Caller, lines: readonly string[]) => {
      const fields = { clientId: chosen.id, fileType: 'company_document' };
      return by.upload<FileRow & ErrorBody>({ name: 'lines.txt', bytes: lines.join('\n'), fields });
    };
    const candidates = (count: number) =>
      Array.from({ length: count }, (_, index) => `00-${String(3_000_000 + index)}`).with(-1, FEDERAL_ID);

    it('G48: is judged by names alone where whole federal ids are not shown', async () => {
      const { body: clients } = await scanner.get<ClientRow[]>('/api/clients');
      expect(clients.find(({ id }) => id === other.id)?.federalId).toBe('XX-XXX1237');
      expect((await sendText(scanner, [`Federal ID ${FEDERAL_ID}`])).status).toBe(201);
      expect((await sendText(scanner, candidates(20))).status).toBe(201);
      expect((await sendText(staff, candidates(20))).body.namedClient?.id).toBe(other.id);
      // Nor does the chosen client's number speak for it: that would tell too.
      const lines = [other.name, `Federal ID ${chosen.federalId}`];
      expect((await sendText(scanner, lines)).body.namedClient?.id).toBe(other.id);
      expect((await sendText(staff, lines)).status).toBe(201);
    });

    it('G48: is judged by no federal id where there are hundreds, whoever asks', async () => {
      for (const by of [staff, app.admin]) {
        expect((await sendText(by, candidates(300))).status).toBe(201);
        const plain = candidates(300).map((id) => id.replace('-', ''));
        expect((await sendText(by, plain)).status).toBe(201);
        expect((await sendText(by, [other.name, ...candidates(300)])).body.namedClient?.id).toBe(other.id);
      }
    });

    it('G48: has documents of a batch proposed by names alone where whole federal ids are not shown', async () => {
      const role = await addRole(app, 'Batch hand', ['batches.manage']);
      const lists = { clientIds: [chosen.id, other.id], reportTypeIds: [firm.reportTypes[0]] };
      const { caller: hand } = await addUser(app, 'batch hand', role, lists);
      const about = `Payroll Journal\nCheck Date 03/09/2018\n${'\n80.00  1,640.00'.repeat(12)}\n`;
      const texts = {
        'named.txt': `${other.name}\nFederal ID ${FEDERAL_ID}\n${about}`,
        'numbered.txt': `Federal ID ${FEDERAL_ID}\n${about}`,
      };
      const documentsOf = async (by: Caller, id: number) =>
        (await by.get<DocumentRow[]>(`/api/batches/${id}/documents`)).body;
      const readBy = async (by: Caller) => {
        const { body: batch } = await by.post<BatchRow>('/api/batches', { name: 'Numbers' });
        const path = `/api/batches/${batch.id}/files`;
        for (const [name, bytes] of Object.entries(texts)) {
          expect((await by.upload({ path, name, bytes, fields: {} })).status).toBe(201);
        }
        await by.post(`/api/batches/${batch.id}/read`);
        await app.context.jobs.start();
        await vi.waitFor(
          async () =>
            expect((await by.get<BatchDetails>(`/api/batches/${batch.id}`)).body.batch).toMatchObject({
              state: 'review',
              fault: null,
            }),
          { timeout: 30_000, interval: 30 },
        );
        await app.context.jobs.stop();
        return batch.id;
      };
      const signalsOf = (documents: readonly DocumentRow[]) =>
        documents.map(({ clients }) =>
          clients.map(({ clientId, signals }) => [clientId, ...signals.map(({ kind: by }) => by)]),
        );
      const own = await documentsOf(hand, await readBy(hand));
      expect(signalsOf(own)).toEqual([[[other.id, 'legalName']], []]);
      expect(JSON.stringify(own)).not.toContain('4561237');

      // Nor is anybody told of it who looks at what a colleague has dropped.
      const id = await readBy(staff);
      expect(signalsOf(await documentsOf(staff, id))).toEqual([
        [[other.id, 'federalId', 'legalName']],
        [[other.id, 'federalId']],
      ]);
      const told = await documentsOf(hand, id);
      expect(signalsOf(told)).toEqual([[[other.id, 'legalName']], [[other.id]]]);
      expect(JSON.stringify(told)).not.toContain('4561237');
    });

    it('G48: is told no more names after thirty refusals within an hour, and says so', async () => {
      const lists = { clientIds: [chosen.id, other.id], reportTypeIds: [] };
      const { caller: hasty } = await addUser(app, 'hasty', firm.roles.cpa, lists);
      const names = [other.name];
      for (let sent = 0; sent < 30; sent += 1) {
        expect((await sendText(hasty, names)).body.namedClient?.id).toBe(other.id);
      }
      for (const lines of [names, ['Meadow & Finch Catering LLC'], [other.name, 'Meadow & Finch Catering LLC']]) {
        const { status, body } = await sendText(hasty, lines);
        expect([status, body.code]).toEqual([409, 'names_another_client']);
        expect(body.message).toBe(
          'This document names another company (after 30 such documents within an hour no name is told), not Larch Street Dental PLLC.',
        );
        expect(JSON.stringify(body)).not.toMatch(/Quarry|1237|Meadow|namedClient/);
      }
      // What names nobody else goes in, and nobody else is told less.
      expect((await sendText(hasty, ['Payroll Summary'])).status).toBe(201);
      expect((await sendText(staff, names)).body.namedClient?.id).toBe(other.id);
      app.advance(HOUR_MS);
      expect((await sendText(hasty, names)).body.namedClient?.id).toBe(other.id);
    });
  });
});
