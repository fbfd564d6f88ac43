// The pages of one document within the PDF of a batch, fetched by parts as they come in sight.
import { type ReactNode, useCallback, useMemo } from 'react';
import type { BatchFileRow, DocumentRow, Mark } from '#contract/batches.ts';
import { apiUrl } from '#web/lib/api.ts';
import { PdfDocument } from '#web/parts/viewer/pdf-document.tsx';
import { PdfPages } from '#web/parts/viewer/pdf-pages.tsx';
import { Marks } from './marks.tsx';

export interface DocumentPagesProps {
  document: DocumentRow;
  file: BatchFileRow;
  marks: readonly Mark[];
  pointed: readonly Mark[];
  target: { readonly page: number } | null;
  onPage: (page: number) => void;
  /** Shown where the file cannot be read. */
  unreadable: ReactNode;
}

export function DocumentPages({ document, file, marks, pointed, target, onPage, unreadable }: DocumentPagesProps) {
  const { id, fromPage, toPage, name } = document;
  // Of a file that is not opened whole, the pages of the document come by themselves, counted from 1.
  const before = file.closed && fromPage > 0 ? fromPage - 1 : 0;
  // The same as long as it is: each new one is gone to.
  const shown = useMemo(() => (target === null ? null : { ...target, page: target.page - before }), [target, before]);
  const tell = useCallback((page: number) => onPage(page + before), [onPage, before]);
  return (
    // The documents of one file share what was fetched of it, until it is kept without its password.
    <PdfDocument
      key={file.closed ? `${file.sha256} ${id} ${fromPage} ${toPage}` : file.sha256}
      source={apiUrl('batches.open-file', { id: file.id }, { view: 'true', ...(file.closed ? { document: id } : {}) })}
      unreadable={unreadable}
    >
      {({ count, first }) => (
        <PdfPages
          key={`${id} ${fromPage} ${toPage}`}
          name={name}
          count={count}
          first={first}
          {...(fromPage > 0 ? { from: fromPage - before, to: toPage - before } : {})}
          target={shown}
          onPage={tell}
          over={(page, size) => (
            <Marks marks={marks.filter((mark) => mark.page === page + before)} pointed={pointed} size={size} />
          )}
        />
      )}
    </PdfDocument>
  );
}
