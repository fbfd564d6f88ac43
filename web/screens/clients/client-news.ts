// What the page of a client says of the last seven days.
import dayjs from 'dayjs';
import type { FileRow } from '#contract/files.ts';
import type { ListPage } from '#web/lib/api.ts';
import { formatCount } from '#web/lib/format.ts';

const DAYS = 7;

const isOfLate = ({ uploadedAt }: FileRow) => dayjs(uploadedAt).isAfter(dayjs().subtract(DAYS, 'day'));

/** '2 reports', '8 or more reports' where all that were loaded are new and there are others, '' for none. */
function newOf(page: ListPage<FileRow>, noun: string): string {
  const count = page.rows.filter(isOfLate).length;
  if (count === 0) return '';
  const more = count === page.rows.length && page.total > count ? ' or more' : '';
  return `${formatCount(count)}${more} ${noun}${count === 1 && more === '' ? '' : 's'}`;
}

/** One sentence about both lists, newest first. */
export function newsOf(reports: ListPage<FileRow>, documents: ListPage<FileRow>): string {
  const parts = [newOf(reports, 'report'), newOf(documents, 'company document')].filter(Boolean);
  return parts.length === 0 ? 'Nothing new in the last 7 days' : `New in the last 7 days: ${parts.join(' and ')}`;
}
