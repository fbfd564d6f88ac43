// What is said of earlier versions of a file.
import { formatCount } from './format.ts';

export const versionWords = {
  title: 'Earlier versions',
  led: 'The file you asked for was replaced. This is the one that took its place.',
  replaceIt: 'Replace it',
  replaceHint:
    'The earlier file leaves the lists, and stays with the firm on the page of this one. Clients see this one alone.',
  held: 'The earlier file is on hold: it cannot be replaced until the hold is lifted.',
  because: 'Why it is replaced',
  opened: (people: number) =>
    people === 0
      ? 'Opened by nobody of the client'
      : `Opened by ${people === 1 ? '1 person' : `${formatCount(people)} people`} of the client, last on`,
  more: (hidden: number) => `${formatCount(hidden)} more ${hidden === 1 ? 'is' : 'are'} kept and not shown.`,
  showAll: (count: number) => `Show all ${formatCount(count)}`,
  showFewer: 'Show fewer',
} as const;

export const putBackWords = {
  label: 'Put back',
  busyLabel: 'Putting back...',
  title: (name: string) => `Put back ${name}?`,
  newer: 'What becomes of the file that is there now',
  keep: { label: 'Keep both', hint: 'Both are files by themselves, and clients see both.' },
  trash: { label: 'Move it to the trash', hint: 'Clients see the one that is put back alone.' },
  done: 'Earlier version put back',
  failed: (reason: string) => `Failed to put back the earlier version: ${reason}`,
} as const;
