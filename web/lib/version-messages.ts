// What is said of earlier versions of a file.
import type { FileVersion } from '#contract/file-versions.ts';
import { formatCount } from './format.ts';

type Opened = NonNullable<FileVersion['opened']>;

/** 'Ida Novak, Sam Adler (account deleted), and 2 more'; without a name, how many. */
function openersOf({ people, latest }: Opened): string {
  if (latest.length === 0) return people === 1 ? '1 person' : `${formatCount(people)} people`;
  const names = latest.map(({ name, isGone }) => (isGone ? `${name} (account deleted)` : name));
  const left = people - latest.length;
  return new Intl.ListFormat('en-US').format([...names, ...(left === 0 ? [] : [`${formatCount(left)} more`])]);
}

export const versionWords = {
  title: 'Earlier versions',
  led: 'The file you asked for was replaced. This is the one that took its place.',
  replaceIt: 'Replace it',
  replaceHint:
    'The earlier file leaves the lists, and stays with the firm on the page of this one. Clients see this one alone.',
  held: 'The earlier file is on hold: it cannot be replaced until the hold is lifted.',
  because: 'Why it is replaced',
  opened: (opened: Opened) =>
    opened.people === 0 ? 'Opened by nobody of the client' : `Opened by ${openersOf(opened)}, last on`,
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
