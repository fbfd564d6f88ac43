// A PDF that is opened, with the password it may need; what shows its pages is inside of it.

import { Button, PasswordInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Document, type DocumentProps, pdfjs } from 'react-pdf';
import { Spinner } from '#web/ui/spinner.tsx';
import type { PageSize } from './page-layout.ts';
import { type PdfPage, sizeOf } from './pdf-pages.tsx';
import classes from './viewer.module.css';

pdfjs.GlobalWorkerOptions.workerSrc = new URL('pdfjs-dist/legacy/build/pdf.worker.min.mjs', import.meta.url).toString();

const DATA = `/assets/pdfjs-${pdfjs.version}`;

/** Drawing only: no interactive forms, no compiled code, and fonts from this server alone. */
const OPTIONS: NonNullable<DocumentProps['options']> = {
  enableXfa: false,
  useWasm: false,
  cMapUrl: `${DATA}/cmaps/`,
  standardFontDataUrl: `${DATA}/standard_fonts/`,
  wasmUrl: `${DATA}/wasm/`,
  // A PDF's flaws are no concern of the browser's console.
  verbosity: 0,
};

/** From an address, only what the pages in sight need is fetched. */
const OPTIONS_BY_PARTS: typeof OPTIONS = {
  ...OPTIONS,
  disableAutoFetch: true,
  disableStream: true,
  rangeChunkSize: 256 * 1024,
};

/** The file as pdf.js has opened it. */
export type PdfFile = Parameters<NonNullable<DocumentProps['onLoadSuccess']>>[0];

export interface OpenedPdf {
  readonly file: PdfFile;
  readonly count: number;
  readonly first: PageSize;
}

export interface PdfDocumentProps {
  /** The bytes, or the address they are at. */
  source: Blob | string;
  /** Shown where the file cannot be read. */
  unreadable: ReactNode;
  children: (pdf: OpenedPdf) => ReactNode;
}

export function PdfDocument({ source, unreadable, children }: PdfDocumentProps) {
  const [pdf, setPdf] = useState<OpenedPdf>();
  const [failed, setFailed] = useState(false);
  /** Shown until the file opens or fails: a password is judged while its field stays where it is. */
  const [asking, setAsking] = useState<{ answer: (password: string) => void; wrong: number }>();

  if (failed) return unreadable;
  return (
    <>
      {asking ? <PasswordForm wrong={asking.wrong} onAnswer={asking.answer} /> : null}
      <Document
        file={source}
        options={typeof source === 'string' ? OPTIONS_BY_PARTS : OPTIONS}
        suspense={false}
        loading={asking ? null : <Spinner label="Loading file..." />}
        error={null}
        className={classes.document ?? ''}
        onLoadSuccess={(loaded) => {
          setAsking(undefined);
          loaded.getPage(1).then(
            (page: PdfPage) => setPdf({ file: loaded, count: loaded.numPages, first: sizeOf(page) }),
            () => setFailed(true),
          );
        }}
        onLoadError={() => setFailed(true)}
        onSourceError={() => setFailed(true)}
        onPassword={(answer, reason) =>
          setAsking((before) => ({ answer, wrong: reason === 2 ? (before?.wrong ?? 0) + 1 : 0 }))
        }
      >
        {pdf ? children(pdf) : <Spinner label="Loading file..." />}
      </Document>
    </>
  );
}

/** `wrong`: how many passwords did not open it. */
function PasswordForm({ wrong, onAnswer }: { wrong: number; onAnswer: (password: string) => void }) {
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // Said where the next one is typed.
  useEffect(() => {
    if (wrong === 0) return;
    field.current?.focus();
    field.current?.select();
  }, [wrong]);
  return (
    <form
      className={classes.password}
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(password);
      }}
    >
      <PasswordInput
        ref={field}
        label="This PDF is protected by a password"
        autoComplete="off"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={wrong > 0 ? 'That password does not open it' : undefined}
        w={280}
      />
      <Button type="submit" disabled={password === ''}>
        Open
      </Button>
    </form>
  );
}
