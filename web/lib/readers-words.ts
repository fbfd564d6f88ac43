// Who of its client's people sees a file, in the words of a row.
import dayjs from 'dayjs';
import type { FileReaders } from '#contract/files.ts';
import { formatCount, formatDate } from './format.ts';

export const SEEN_BY = 'Seen By';
export const NOT_OPENED = 'Not opened';
export const readersFault = 'Could not be loaded';

/** The longest that such words usually are. */
export const LONGEST_READERS = '00 people, opened 00/00';

/** 11/20, with the year where it is another one than `now`'s. */
function shortDay(at: string, now: Date): string {
  return dayjs(at).year() === dayjs(now).year() ? dayjs(at).format('MM/DD') : formatDate(at);
}

/** '3 people', '1 person', 'Nobody'. */
export const peopleWords = (people: number) =>
  people === 0 ? 'Nobody' : people === 1 ? '1 person' : `${formatCount(people)} people`;

/** '3 people, opened 11/20', '1 person, not opened', 'Nobody'. */
export function readersWords(
  { people, openedAt }: Pick<FileReaders, 'people' | 'openedAt'>,
  now: Date = new Date(),
): string {
  const opened = openedAt === null ? null : `opened ${shortDay(openedAt, now)}`;
  if (people === 0 && opened === null) return peopleWords(people);
  return `${peopleWords(people)}, ${opened ?? 'not opened'}`;
}
