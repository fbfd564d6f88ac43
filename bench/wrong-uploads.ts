// Documents that several people send to the wrong client at once: how many are refused by the guard, or stored and marked afterwards.
import type { FileRow, MarkedFile } from '#contract/files.ts';
import { testPdf } from '#server/testing/test-pdf.ts';
import { type Caller, timeUntil } from './caller.ts';
import { Broken } from './load.ts';
import { mark, say } from './report.ts';

const GIVE_UP_MS = 60_000;
const FAULT_LENGTH_MAX = 300;

/** Where it is sent, and whom it names. */
const CHOSEN_ID = 1;
const NAMED = ['Northfield Dental 002 LLC', 'Federal ID: 00-0000002'];

type Judged = 'refused' | 'marked' | 'let through';

async function sendWrong(by: Caller, nth: number): Promise<Judged> {
  const bytes = new Uint8Array(await testPdf([[...NAMED, `Notice ${nth}`]]));
  const fields = { clientId: `${CHOSEN_ID}`, fileType: 'company_document', documentType: 'Correspondence' };
  try {
    const { id } = await by.upload<FileRow>('/api/files', { name: `notice ${nth}.pdf`, bytes }, fields);
    const marks = () => by.ask<MarkedFile[]>('GET', `/api/files/marked?ids=${id}`);
    await timeUntil(async () => (await marks()).length === 1, GIVE_UP_MS);
    return 'marked';
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    if (error.message.includes('names_another_client')) return 'refused';
    say(`  ${error.message.slice(0, FAULT_LENGTH_MAX)}`);
    return 'let through';
  }
}

/** One of each of these, all at once. */
export const sendWrongUploads = (people: readonly Caller[]): Promise<Judged[]> =>
  Promise.all(people.map((by, nth) => sendWrong(by, nth)));

/** Under titles for what is measured alone, and during floods. */
export function wrongUploadsRow(judged: readonly Judged[]): string[] {
  const [refused = 0, marked = 0] = ['refused', 'marked'].map((as) => judged.filter((one) => one === as).length);
  return [
    `wrong uploads of ${judged.length} others at once, refused · marked`,
    '',
    `${refused} · ${marked}`,
    `all ${judged.length}`,
    mark(refused + marked === judged.length),
  ];
}
