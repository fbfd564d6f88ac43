// Words that server and pages share, apart from the catalogue of refusals: pages that list need no more of it.

/** 1 file, 2 files. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A sentence with its full stop: 'Inc.' ends one by itself. */
export const endedSentence = (words: string) => (words.endsWith('.') ? words : `${words}.`);

export const NOT_FOUND = 'Not found.';
