// What is wrong with a PDF, told from what is wrong with us.

/** Thrown for a PDF that says what cannot be. */
export class DamagedPdf extends Error {
  override readonly name = 'DamagedPdf';
}

/** Names of errors that are faults of the file: ours, and those of pdf.js. */
const OF_THE_FILE = new Set(['DamagedPdf', 'InvalidPDFException', 'UnknownErrorException', 'FormatError']);

/** What is wrong with the file. Throws `error` on when it says nothing of the file. */
export function faultOfFile(error: unknown): 'password' | 'damaged' {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return 'password';
  if (OF_THE_FILE.has(name)) return 'damaged';
  throw error;
}
