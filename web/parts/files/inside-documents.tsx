// Below a list of files that is searched: the files in whose pages the words stand.
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FileMatching } from '#contract/files.ts';
import type { InsideHit } from '#contract/inside.ts';
import { insideQuery } from '#web/data/inside.ts';
import { formatClientName, formatDate } from '#web/lib/format.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { MarkedText } from '#web/ui/marked-text.tsx';
import classes from './inside-documents.module.css';
import { pageOfReport } from './page-of-report.ts';

const SHOWN = 20;
/** `filters` are those of the list, with its words. */
export function InsideDocuments({ filters }: { filters: FileMatching }) {
  const { data, error, isFetching, refetch } = useQuery(insideQuery(filters, SHOWN));
  if (data?.searched === false) return null;
  return (
    <section className={classes.section} aria-labelledby="inside-documents">
      <h3 id="inside-documents" className={classes.title}>
        Inside documents
      </h3>
      {error !== null && data === undefined ? (
        <ErrorState
          message="Failed to search inside documents"
          hint={error.message}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : data === undefined ? (
        <Skeleton height={44} role="status" aria-label="Searching inside documents..." />
      ) : data.rows.length === 0 ? (
        <p className={classes.none}>These words stand in no document that you see.</p>
      ) : (
        <>
          <ul className={classes.hits} aria-label="Inside documents">
            {data.rows.map((hit) => (
              <Hit key={hit.fileId} hit={hit} search={filters.q ?? ''} />
            ))}
          </ul>
          {data.more ? <p className={classes.none}>There may be others. Add a word to find them.</p> : null}
        </>
      )}
    </section>
  );
}

function Hit({ hit, search }: { hit: InsideHit; search: string }) {
  const { originalName, clientName, reportTypeName, uploadedAt, page, snippet, marks } = hit;
  const facts = [formatClientName(clientName), reportTypeName, formatDate(uploadedAt)].filter(Boolean).join(', ');
  return (
    <li>
      <Link {...pageOfReport(hit, search)} className={classes.name ?? ''}>
        <Breakable text={originalName} />
      </Link>
      <span className={classes.facts}>
        {facts}, page {page}
      </span>
      <p className={classes.snippet}>
        <MarkedText text={snippet} marks={marks} />
      </p>
    </li>
  );
}
