// The mark beside the name of an upload that names another company: for staff alone, and read after the rows of the list.
import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { FileRow } from '#contract/files.ts';
import { mayAttempt } from '#contract/policy.ts';
import { marksQuery } from '#web/data/marked.ts';
import { NAMES_ANOTHER } from '#web/lib/marked-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { PageLink } from '#web/ui/page-link.ts';
import classes from './names-another.module.css';

const NONE: ReadonlySet<number> = new Set();
const Marked = createContext(NONE);

/** Around a list: its marked files are known to the cells. A list without marks is one all the same. */
export function MarksOf({ files, children }: { files: readonly FileRow[] | undefined; children: ReactNode }) {
  const user = useSessionUser();
  const ids = useMemo(() => (files ?? []).map(({ id }) => id), [files]);
  const { data } = useQuery({
    ...marksQuery(ids),
    enabled: ids.length > 0 && mayAttempt(user, 'files.read-marks'),
  });
  const marked = useMemo(() => (data === undefined ? NONE : new Set(data.rows.map(({ file }) => file.id))), [data]);
  return <Marked value={marked}>{children}</Marked>;
}

/** Leads to the page of the file, where it is settled. */
export function NamesAnother({ file, children }: { file: Pick<FileRow, 'id' | 'originalName'>; children: ReactNode }) {
  const marked = useContext(Marked);
  if (!marked.has(file.id)) return children;
  return (
    <span className={classes.named}>
      <span className={classes.name}>{children}</span>
      <Badge
        component={PageLink}
        to="/cpa-dashboard/report/$id"
        params={{ id: String(file.id) }}
        className={classes.mark ?? ''}
        aria-label={`${NAMES_ANOTHER}: ${file.originalName}`}
      >
        {NAMES_ANOTHER}
      </Badge>
    </span>
  );
}
