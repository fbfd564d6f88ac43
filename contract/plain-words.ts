// Words that server and pages share, apart from the catalogue of refusals: pages that list need no more of it.

/** 7, 3,000: as every count is shown. */
export const inFigures = (count: number) => count.toLocaleString('en-US');

/** 1 file, 2 files, 3,000 files. */
export function counted(count: number, noun: string): string {
  return `${inFigures(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A sentence with its full stop: 'Inc.' ends one by itself. */
export const endedSentence = (words: string) => (words.endsWith('.') ? words : `${words}.`);

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** Of what is larger than files are: '200 MB', '1.5 GB'. */
export function sizeWords(bytes: number): string {
  const [unit, name] = bytes >= GIB ? [GIB, 'GB'] : [MIB, 'MB'];
  return `${(bytes / unit).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${name}`;
}

export const NOT_FOUND = 'Not found.';
