// Batches over HTTP, on both engines: filled with what is dropped, once, and read.
import { describe, expect, it } from 'vitest';
import { LEFT_OUT_NAMED_MAX } from '#contract/batch-words.ts';
import type { BatchDetails, BatchFileAdded, BatchRow } from '#contract/batches.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { sweepBlobs } from '../platform/blobs/sweep.ts';
import { batchFirm } from '../testing/batch-firm.ts';
import { addUser } from '../testing/firm.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { testPdf } from '../testing/test-pdf.ts';

describe.each(DATABASE_KINDS)('filling batches on %s', { timeout: 90_000 }, (kind) => {
  const { met, near, second, client, path, documentsOf, settled, missingBlobs } = batchFirm(kind);

  it('a file is dropped once: the same bytes again are said, whatever their name, and leave nothing behind', async () => {
    const { body: batch } = await met.processor.caller.post<BatchRow>('/api/batches', { name: 'Pay run' });
    const send = (name: string, bytes: string) =>
      met.processor.caller.upload<BatchFileAdded>({ path: path(batch.id, '/files'), name, bytes, fields: {} });
    const [first, again, other] = [
      await send('a.txt', 'same'),
      await send('b.txt', 'same'),
      await send('c.txt', 'other'),
    ];
    expect([first.status, first.body.alreadyThere]).toEqual([201, false]);
    expect([again.status, again.body.alreadyThere, again.body.file]).toEqual([201, true, first.body.file]);
    expect(other.body.alreadyThere).toBe(false);
    // As many sent at once.
    const many = await Promise.all(['d', 'e', 'f', 'g'].map((name) => send(name, 'at once')));
    expect(many.filter(({ body }) => !body.alreadyThere)).toHaveLength(1);
    const details = (await met.processor.caller.get<BatchDetails>(path(batch.id))).body;
    expect(details.files.map(({ name }) => name).slice(0, 2)).toEqual(['a.txt', 'c.txt']);
    expect(details.batch).toMatchObject({ state: 'adding', files: 3 });
    const { body: fields } = await met.processor.caller.upload<ErrorBody>({
      path: path(batch.id, '/files'),
      bytes: 'x',
      fields: { clientId: 1 },
    });
    expect(fields.code).toBe('invalid');
    await sweepBlobs(met.app.database, met.app.context.services.blobs, { nowMs: met.app.now() });
    const stored = await met.app.database.reader.selectFrom('batch_files').select('storage_key').execute();
    expect(await missingBlobs(stored.map(({ storage_key }) => storage_key))).toEqual([]);
  });

  it('what was left out is named to everybody who sees the batch, once, until a file of that name comes', async () => {
    const { body: batch } = await met.processor.caller.post<BatchRow>('/api/batches', { name: 'Pay run' });
    const tell = (files: readonly object[], by = met.processor.caller) =>
      by.post<BatchRow & ErrorBody>(path(batch.id, '/left-out'), { files });
    const details = async (by = met.processor.caller) => (await by.get<BatchDetails>(path(batch.id))).body;
    const empty = { name: 'March/../march\u202e.txt', reason: 'empty' };
    const large = { name: 'large.pdf', reason: 'tooLarge' };
    expect((await tell([empty, large, empty])).body).toMatchObject({ files: 0, leftOut: 2 });
    expect((await tell([large])).body.leftOut).toBe(2);
    const told = [
      { name: 'March/march.txt', reason: 'empty' },
      { name: 'large.pdf', reason: 'tooLarge' },
    ];
    for (const by of [met.processor.caller, met.app.admin]) expect((await details(by)).leftOut).toEqual(told);
    // Who does not see the batch learns nothing of it, and says nothing.
    const colleague = await addUser(met.app, `leaves out ${met.made}`, met.firm.roles.cpa, {
      clientIds: [],
      reportTypeIds: [],
    });
    expect((await tell([large], colleague.caller)).status).toBe(404);
    expect((await tell([large], met.clientUser.caller)).status).toBe(403);
    expect((await tell([{ name: '', reason: 'empty' }])).status).toBe(400);
    expect((await tell([{ name: 'a', reason: 'ugly' }])).status).toBe(400);

    // Sent after all; a file of the name in a folder is another one.
    for (const name of ['large.pdf', 'march.txt']) {
      await met.processor.caller.upload({ path: path(batch.id, '/files'), name, bytes: `${name} at last`, fields: {} });
    }
    expect(await details()).toMatchObject({ batch: { files: 2, leftOut: 1 }, leftOut: told.slice(0, 1) });
    const { body: list } = await met.processor.caller.get<BatchRow[]>('/api/batches');
    expect(list.find(({ id }) => id === batch.id)).toMatchObject({ files: 2, leftOut: 1 });
    // What could not be sent comes without its folder; until then each of them counts.
    const unsent = ['March', 'April'].map((folder) => ({ name: `${folder}/late.pdf`, reason: 'notSent' }));
    expect((await tell(unsent)).body.leftOut).toBe(3);
    expect((await details()).leftOut).toEqual([...told.slice(0, 1), ...unsent]);
    await met.processor.caller.upload({
      path: path(batch.id, '/files'),
      name: 'late.pdf',
      bytes: 'late, and there',
      fields: {},
    });
    expect(await details()).toMatchObject({ batch: { files: 3, leftOut: 1 }, leftOut: told.slice(0, 1) });

    // Only so many are named, all are counted.
    const many = Array.from({ length: LEFT_OUT_NAMED_MAX }, (_, nth) => ({ name: `${nth}.txt`, reason: 'empty' }));
    expect((await tell(many)).body.leftOut).toBe(LEFT_OUT_NAMED_MAX + 1);
    expect((await details()).leftOut).toHaveLength(LEFT_OUT_NAMED_MAX);
    expect((await tell([...many, large])).body.fields).toHaveProperty('files');

    await met.processor.caller.post(path(batch.id, '/read'));
    expect((await tell([large])).body.code).toBe('batch_not_adding');
    expect((await details()).batch.leftOut).toBe(LEFT_OUT_NAMED_MAX + 1);
    expect((await met.processor.caller.delete(path(batch.id))).status).toBe(204);
    expect(await details()).toMatchObject({ batch: { leftOut: 0 }, leftOut: [] });
  });

  it('nothing is added once it is read, and an empty batch is not read', async () => {
    const { body: batch } = await met.processor.caller.post<BatchRow>('/api/batches', { name: 'Pay run' });
    const read = () => met.processor.caller.post<ErrorBody>(path(batch.id, '/read'));
    expect((await read()).body.code).toBe('batch_empty');
    await met.processor.caller.upload({ path: path(batch.id, '/files'), fields: {} });
    expect((await read()).status).toBe(200);
    expect((await read()).body.code).toBe('batch_not_adding');
    const late = await met.processor.caller.upload<ErrorBody>({
      path: path(batch.id, '/files'),
      bytes: 'late',
      fields: {},
    });
    expect(late.body.code).toBe('batch_not_adding');
  });

  it('a print file is read, separated by company and matched; what cannot be read is said and kept', async () => {
    const names = new Map(
      (await met.app.admin.get<{ id: number; name: string; federalId: string }[]>('/api/clients')).body.map((row) => [
        row.id,
        row,
      ]),
    );
    const page = (id: number, text: string) => {
      const company = names.get(id);
      return [company?.name ?? '', `Federal ID ${company?.federalId ?? ''}`, 'Payroll Journal', text];
    };
    const bytes = await testPdf([
      page(client(near), 'first'),
      page(client(near), 'second'),
      page(client(second), 'third'),
      page(client(2), 'of a company out of reach'),
    ]);
    const { body: batch } = await met.processor.caller.post<BatchRow>('/api/batches', { name: 'Pay run' });
    const send = (name: string, content: unknown) =>
      met.processor.caller.upload({ path: path(batch.id, '/files'), name, bytes: content as string, fields: {} });
    await send('payrun.pdf', bytes);
    await send('broken.pdf', `%PDF-1.7\n${'nothing '.repeat(20)}`);
    await met.processor.caller.post(path(batch.id, '/read'));
    const read = await settled(batch.id);
    expect(read).toMatchObject({ state: 'review', files: 2, pages: 4, unreadable: 1, fault: null });
    const documents = await documentsOf(batch.id);
    const ranges = documents.map(({ fileName, fromPage, toPage, clientId }) => ({
      fileName,
      fromPage,
      toPage,
      clientId,
    }));
    expect(ranges).toEqual([
      { fileName: 'payrun.pdf', fromPage: 1, toPage: 2, clientId: client(near) },
      { fileName: 'payrun.pdf', fromPage: 3, toPage: 3, clientId: client(second) },
      { fileName: 'payrun.pdf', fromPage: 4, toPage: 4, clientId: null },
      { fileName: 'broken.pdf', fromPage: 0, toPage: 0, clientId: null },
    ]);
    expect(JSON.stringify(documents[2])).not.toContain(`"clientId":${client(2)}`);
    expect(documents[2]?.state).toBe('toCheck');
    const { files } = (await met.processor.caller.get<BatchDetails>(path(batch.id))).body;
    expect(files.map(({ state, unreadable }) => [state, unreadable])).toEqual([
      ['read', null],
      ['unreadable', 'damaged'],
    ]);
  });
});
