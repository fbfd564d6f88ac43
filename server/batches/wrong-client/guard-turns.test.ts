// Who waits for whom at the wrong-client guard, over HTTP: a file that is slow to read delays its sender alone.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClientRow } from '#contract/clients.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow, MarkedFile } from '#contract/files.ts';
import { addRole, addUser, clientInput, type Firm } from '../../testing/firm.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { ANY_DATABASE_KIND } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { patience } from './patience.ts';

const WITHIN = { timeout: 30_000, interval: 30 };

/** As many bytes has what is slow to read here, and nothing else. */
const SLOW_BYTES = 3_000;

describe.each(ANY_DATABASE_KIND)('turns at the wrong-client guard on %s', { timeout: 60_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let chosen: ClientRow;
  let other: ClientRow;
  /** How many slow files are being read, and what lets them be. */
  let slow: { begun: number; readonly go: PromiseWithResolvers<void> };

  beforeEach(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
    const add = async (name: string, federalId: string) =>
      (await app.admin.post<ClientRow>('/api/clients', { ...clientInput(name), federalId })).body;
    chosen = await add('Larch Street Dental PLLC', '00-7654321');
    other = await add('Quarry Lane Roofing Inc.', '00-4561237');
    slow = { begun: 0, go: Promise.withResolvers() };
    const { blobs } = app.context.services;
    const read = blobs.read.bind(blobs);
    vi.spyOn(blobs, 'read').mockImplementation(async (blob, ...more) => {
      if (blob.sizeBytes === SLOW_BYTES) {
        slow.begun += 1;
        await slow.go.promise;
      }
      return read(blob, ...more);
    });
  });
  afterEach(async () => {
    slow.go.resolve();
    await app.context.jobs.stop();
    vi.restoreAllMocks();
    await app.close();
  });

  const person = async (username: string, roleId = firm.roles.cpa) =>
    (await addUser(app, username, roleId, { clientIds: [chosen.id, other.id] })).caller;
  const send = (by: Caller, text: string) =>
    by.upload<FileRow & ErrorBody>({
      name: 'lines.txt',
      bytes: text,
      fields: { clientId: chosen.id, fileType: 'company_document' },
    });
  const sendSlow = (by: Caller, text: string) => send(by, text.padEnd(SLOW_BYTES, '\n'));
  const marked = async () =>
    (await app.admin.get<MarkedFile[]>('/api/files/marked')).body.map(({ file, namedClient }) => [
      file.id,
      namedClient?.id,
    ]);

  it('G50: a file that is slow to read delays the files of its sender, and nobody else’s', async () => {
    const hog = await person('hog');
    const others = await Promise.all(Array.from({ length: 8 }, (_, index) => person(`filer${index}`)));
    const delayed = [sendSlow(hog, other.name), sendSlow(hog, other.name)];
    await vi.waitFor(() => expect(slow.begun).toBe(1), WITHIN);
    const answers = await Promise.all(others.map((by) => send(by, other.name)));
    expect(answers.map(({ status, body }) => [status, body.namedClient?.id])).toEqual(
      others.map(() => [409, other.id]),
    );
    // Their own second file waited all the while, and both are judged once they can be.
    expect(slow.begun).toBe(1);
    slow.go.resolve();
    expect((await Promise.all(delayed)).map(({ status }) => status)).toEqual([409, 409]);
  });

  it('G50: what could not be judged in time is stored, judged afterwards, and marked', async () => {
    const hog = await person('hog');
    const scanner = await person('scanner', await addRole(app, 'Scanner', ['documents.upload']));
    const late = [
      sendSlow(hog, other.name),
      sendSlow(hog, 'Federal ID 00-4561237'),
      sendSlow(hog, chosen.name),
      // Judged by names alone then too.
      sendSlow(scanner, 'Federal ID 00-4561237'),
    ];
    let answered = 0;
    for (const one of late) void one.then(() => (answered += 1));
    await vi.waitFor(() => expect(slow.begun).toBeGreaterThan(0), WITHIN);
    await vi.waitFor(() => {
      app.advance(10_000);
      expect(answered).toBe(late.length);
    }, WITHIN);
    const stored = await Promise.all(late);
    expect(stored.map(({ status }) => status)).toEqual(late.map(() => 201));
    expect(await marked()).toEqual([]);

    slow.go.resolve();
    await app.context.jobs.start();
    await vi.waitFor(async () => {
      app.advance(1_000);
      expect(await app.database.reader.selectFrom('files_to_judge').select('file_id').execute()).toEqual([]);
    }, WITHIN);
    expect(new Map((await marked()) as [number, number][])).toEqual(
      new Map(stored.slice(0, 2).map(({ body }) => [body.id, other.id])),
    );
    // What was judged in time is not judged again.
    await send(hog, chosen.name);
    expect(await app.database.reader.selectFrom('files_to_judge').select('file_id').execute()).toEqual([]);
  });

  it('G69: a new name that could not be judged in time is taken, judged afterwards, and marked', async () => {
    const hog = await person('hog');
    const { body: file } = await send(hog, 'Payroll Summary');
    const checked = vi.spyOn(app.context.services.wrongClient, 'checkName');
    const late = sendSlow(hog, chosen.name);
    await vi.waitFor(() => expect(slow.begun).toBe(1), WITHIN);
    const originalName = 'Quarry_Lane_Roofing_Inc. March.txt';
    const renaming = hog.put<FileRow>(`/api/files/${file.id}`, { originalName });
    // It waits for its turn.
    await vi.waitFor(() => expect(checked).toHaveBeenCalledOnce(), WITHIN);
    app.advance(patience.turnMs);
    const { status, body: renamed } = await renaming;
    expect([status, renamed.originalName]).toEqual([200, originalName]);
    expect((await late).status).toBe(201);
    expect(await marked()).toEqual([]);

    slow.go.resolve();
    await app.context.jobs.start();
    await vi.waitFor(async () => {
      app.advance(100);
      expect(await marked()).toEqual([[file.id, other.id]]);
    }, WITHIN);
  });
});
