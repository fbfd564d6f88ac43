// A PDF with all its pages.
import { type ReactNode, useMemo } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { PdfDocument } from './pdf-document.tsx';
import { PdfPages } from './pdf-pages.tsx';
import { PrintButton } from './print-button.tsx';
import classes from './viewer.module.css';

export interface PdfViewProps {
  blob: Blob;
  name: string;
  /** Shown where the file cannot be read. */
  unreadable: ReactNode;
  /** The page that is shown first. */
  page?: number | undefined;
  /** The search whose words are marked. */
  foundBy?: string | undefined;
}

export function PdfView({ blob, name, unreadable, page, foundBy = '' }: PdfViewProps) {
  // Other words of the same page are gone to as well.
  const target = useMemo(() => (page === undefined ? null : { page, foundBy }), [page, foundBy]);
  return (
    <PdfDocument source={blob} unreadable={unreadable}>
      {({ file, count, first }) => (
        <>
          {/* By the menu of the browser only what is drawn is printed. */}
          {count > 1 ? (
            <p className={classes.onPaper}>
              {`Only what was in sight is printed here. Print, above the pages, prints all ${formatCount(count)}.`}
            </p>
          ) : null}
          <PdfPages
            name={name}
            count={count}
            first={first}
            foundBy={foundBy}
            tools={<PrintButton pdf={file} />}
            target={target === null || target.page > count ? null : target}
          />
        </>
      )}
    </PdfDocument>
  );
}
