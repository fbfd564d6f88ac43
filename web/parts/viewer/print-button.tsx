// Prints a PDF with all its pages, by its button and by the keys that print a page.
import { ActionIcon, Loader, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { toastFault } from '#web/data/toast-fault.ts';
import { formatCount } from '#web/lib/format.ts';
import { failed } from '#web/lib/messages.ts';
import { toast } from '#web/ui/toast.tsx';
import type { PdfFile } from './pdf-document.tsx';
import { PRINTED_PAGES_MAX, printPdf } from './print-pdf.ts';

const isPrintKey = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'p';

export function PrintButton({ pdf }: { pdf: PdfFile }) {
  const [page, setPage] = useState<number | null>(null);
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);

  const print = async () => {
    if (work.current) return;
    if (pdf.numPages > PRINTED_PAGES_MAX) {
      toast.error(failed.printTooLong(formatCount(pdf.numPages)));
      return;
    }
    const own = new AbortController();
    work.current = own;
    try {
      await printPdf(pdf, setPage, own.signal);
    } catch (error) {
      if (!own.signal.aborted) toastFault(error, failed.printFile);
    } finally {
      work.current = null;
      setPage(null);
    }
  };

  const latest = useRef(print);
  useEffect(() => {
    latest.current = print;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isPrintKey(event)) return;
      event.preventDefault();
      void latest.current();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  const busy = page !== null;
  return (
    <>
      <Tooltip label={busy ? `Preparing page ${page} of ${pdf.numPages}` : 'Print'}>
        <ActionIcon
          aria-label="Print"
          aria-keyshortcuts="Control+P Meta+P"
          aria-busy={busy || undefined}
          aria-disabled={busy || undefined}
          onClick={() => void print()}
        >
          {busy ? <Loader size={16} color="gray" aria-hidden /> : <IconPrinter size={18} stroke={1.6} aria-hidden />}
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden role="status">{busy ? 'Preparing to print...' : ''}</VisuallyHidden>
    </>
  );
}
