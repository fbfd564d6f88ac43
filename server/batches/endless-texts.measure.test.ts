// What it may take to read a batch, over HTTP: an attacker's ZIP of texts, with the thread, the time and the memory that are in use.
import { expect, it, onTestFinished, vi } from 'vitest';
import type { BatchDetails, BatchRow } from '#contract/batches.ts';
import { addUser } from '../testing/firm.ts';
import { memoryPeakBytes } from '../testing/measure.ts';
import type { Caller } from '../testing/test-app.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { zipOf } from '../testing/zip-of.ts';

/** Five hundred of them took 4.4 GB and had no end after six minutes, before there were bounds. These are three times what is read of a batch, and too few to be a bomb. */
const [TEXTS, READ] = [60, 20];
/** As many as are read of one text, none longer than a letter, so that all are looked at. */
const PIECES = 50_000;

const [ATTACKER_MS, OTHER_MS] = [60_000, 20_000];
/** Of the thread alone 768 MiB, beside which there is what the others have not collected yet. */
const MEMORY_MAX_BYTES = 1_200e6;

const text = (nth: number) => `${nth}  ${'a  '.repeat(PIECES - 1)}`;

/** A batch of one file, being read; answers its id. */
async function drop(by: Caller, name: string, bytes: Buffer | string): Promise<number> {
  const { body } = await by.post<BatchRow>('/api/batches', { name });
  const path = `/api/batches/${body.id}/files`;
  expect((await by.upload({ path, name, bytes, fields: {} })).status).toBe(201);
  await by.post(`/api/batches/${body.id}/read`);
  return body.id;
}

/** The files of the batch, once it is proposed. */
const proposed = (by: Caller, id: number, timeout: number) =>
  vi.waitFor(
    async () => {
      const { batch, files } = (await by.get<BatchDetails>(`/api/batches/${id}`)).body;
      expect(batch).toMatchObject({ state: 'review', fault: null });
      return files;
    },
    { timeout, interval: 50 },
  );

it('G51: of a ZIP of endless texts as much as may be is read in a minute and within its memory, and somebody else’s page meanwhile', {
  timeout: 180_000,
}, async () => {
  const { app, firm } = await startTestFirm('sqlite');
  onTestFinished(() => app.close());
  const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
  const person = async (name: string) => (await addUser(app, name, firm.roles.cpa, lists)).caller;
  const [attacker, other] = [await person('attacker'), await person('other')];
  const zip = await zipOf(Array.from({ length: TEXTS }, (_, nth) => [`${nth}.txt`, text(nth)] as const));
  let files: BatchDetails['files'] = [];
  const peak = await memoryPeakBytes(async () => {
    const texts = await drop(attacker, 'texts.zip', zip);
    await app.context.jobs.start();
    await proposed(other, await drop(other, 'page.txt', 'Payroll Journal\nHarbor & Pine Bakery LLC\n'), OTHER_MS);
    files = await proposed(attacker, texts, ATTACKER_MS);
  });
  expect(files.map(({ unreadable }) => unreadable)).toEqual(
    Array.from({ length: TEXTS }, (_, nth) => (nth < READ ? null : 'tooLong')),
  );
  expect([peak, peak < MEMORY_MAX_BYTES]).toEqual([peak, true]);
});
