// The thread that tries a password at one PDF, and writes the file without it where it is the right one.
import { faultOfFile } from '../reading/pdf-faults.ts';
import { openPdf } from '../reading/pdfjs.ts';
import { unlockedCopy } from './source-pdf.ts';

export interface UnlockQuestion {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly password: string;
}

export type UnlockAnswer = { readonly copy: Uint8Array } | { readonly unreadable: 'password' | 'damaged' };

/** A letter with its accent is one sign or two, by the keyboard; the file was locked with one of these. */
const spellings = (password: string) =>
  new Set([password, ...(['NFC', 'NFKC', 'NFD'] as const).map((form) => password.normalize(form))]);

export async function work({ bytes, password }: UnlockQuestion): Promise<UnlockAnswer> {
  let answer: UnlockAnswer = { unreadable: 'password' };
  for (const spelling of spellings(password)) {
    const tried = await unlock(bytes.slice(), spelling);
    if ('copy' in tried) return tried;
    // That it is damaged says more than that another spelling does not open it.
    if (tried.unreadable !== 'password') answer = tried;
  }
  return answer;
}

async function unlock(bytes: Uint8Array<ArrayBuffer>, password: string): Promise<UnlockAnswer> {
  try {
    // The one that reads decides: what it does not open would not be read afterwards either.
    const task = openPdf(bytes.slice(), password);
    const { numPages: pages } = await task.promise;
    await task.destroy();
    return { copy: await unlockedCopy(bytes, { password, pages }) };
  } catch (error) {
    return { unreadable: faultOfFile(error) };
  }
}
