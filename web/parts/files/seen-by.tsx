// The column that says who of its client's people sees a file and whether it was opened: for staff alone, and read after the rows of the list, where it is shown.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { FileRow } from '#contract/files.ts';
import { mayAttempt } from '#contract/policy.ts';
import { readersQuery } from '#web/data/readers.ts';
import { NOTHING } from '#web/lib/format.ts';
import { LONGEST_READERS, peopleWords, readersFault, readersWords, SEEN_BY } from '#web/lib/readers-words.ts';
import { useSessionUser } from '#web/lib/session.ts';
import type { Column } from '#web/ui/table-shape.ts';
import classes from './seen-by.module.css';

const Listed = createContext<readonly number[]>([]);

/** Around lists of files: their cells ask for all of them at once who sees each. */
export function ReadersOf({ files, children }: { files: readonly FileRow[] | undefined; children: ReactNode }) {
  const ids = useMemo(() => (files ?? []).map(({ id }) => id), [files]);
  return <Listed value={ids}>{children}</Listed>;
}

export const seenByColumn = (width: NonNullable<Column<FileRow>['width']>): Column<FileRow> => ({
  key: 'seenBy',
  header: SEEN_BY,
  cell: (file) => <SeenBy file={file} />,
  width,
  oneLine: LONGEST_READERS,
});

/** What nobody sees stands out. */
const lookOf = (people: number) => (people === 0 ? classes.nobody : classes.words) ?? '';

/** How many see it, where it is said of several reports together. */
export const SeenByCount = ({ people }: { people: number }) => (
  <span className={lookOf(people)}>{peopleWords(people)}</span>
);

/** Leads whoever may ask it to who sees the client. */
function SeenBy({ file }: { file: Pick<FileRow, 'id' | 'clientId' | 'originalName'> }) {
  const user = useSessionUser();
  const { data, isError } = useQuery(readersQuery(useContext(Listed)));
  if (data === undefined) {
    // As tall as the words that come.
    return isError ? <span className={classes.fault}>{readersFault}</span> : '\u00a0';
  }
  const readers = data.get(file.id);
  // What the client sent itself.
  if (readers === undefined) return NOTHING;
  const words = readersWords(readers);
  const className = lookOf(readers.people);
  if (!mayAttempt(user, 'permissions.explain')) return <span className={className}>{words}</span>;
  return (
    <Link
      to="/permissions"
      search={{ tab: 'who', by: 'client', client: String(file.clientId) }}
      className={className}
      aria-label={`${words}: who can see ${file.originalName}?`}
      title="Who can see this?"
    >
      {words}
    </Link>
  );
}
