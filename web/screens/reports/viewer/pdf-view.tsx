// The pages of a PDF: only the visible ones are drawn, with their selectable text.

import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Document, type DocumentProps, Page, pdfjs } from 'react-pdf';
import 'react-pdf/dist/Page/TextLayer.css';
import { Spinner } from '#web/ui/spinner.tsx';
import { GAP, layPages, type PageLayout, type PageSize, PX_PER_POINT, pageAt } from './page-layout.ts';
import { Stage } from './stage.tsx';
import { usePaneSize } from './use-pane-size.ts';
import classes from './viewer.module.css';
import { useZoom } from './zoom.ts';
import { ZoomButtons } from './zoom-buttons.tsx';

pdfjs.GlobalWorkerOptions.workerSrc = new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url).toString();

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

/** Pages drawn beyond those in sight, on either side. */
const SPARE_PAGES = 2;
/** Wider than this a page is no easier to read. */
const FIT_MAX_WIDTH = 1100;
/** The most pixels of one page's drawing; beyond it, it is drawn coarser. */
const PAGE_PIXELS_MAX = 12_000_000;

function pixelRatioFor(width: number, height: number): number {
  return Math.min(window.devicePixelRatio || 1, 2.5, Math.sqrt(PAGE_PIXELS_MAX / (width * height)));
}

type Loaded = Parameters<NonNullable<DocumentProps['onLoadSuccess']>>[0];
type PageProxy = Awaited<ReturnType<Loaded['getPage']>>;

function sizeOf(page: PageProxy): PageSize {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}

export interface PdfViewProps {
  blob: Blob;
  name: string;
  /** Shown where the file cannot be read. */
  unreadable: ReactNode;
}

export function PdfView({ blob, name, unreadable }: PdfViewProps) {
  const [pdf, setPdf] = useState<{ count: number; first: PageSize }>();
  const [failed, setFailed] = useState(false);
  const [asking, setAsking] = useState<{ answer: (password: string) => void; wrong: boolean }>();

  if (failed) return unreadable;
  return (
    <>
      {asking ? <PasswordForm key={String(asking.wrong)} wrong={asking.wrong} onAnswer={asking.answer} /> : null}
      <Document
        file={blob}
        options={OPTIONS}
        suspense={false}
        loading={asking ? null : <Spinner label="Loading file..." />}
        error={null}
        className={classes.document ?? ''}
        onLoadSuccess={(loaded) => {
          setAsking(undefined);
          loaded.getPage(1).then(
            (page) => setPdf({ count: loaded.numPages, first: sizeOf(page) }),
            () => setFailed(true),
          );
        }}
        onLoadError={() => setFailed(true)}
        onSourceError={() => setFailed(true)}
        onPassword={(answer, reason) =>
          setAsking({
            wrong: reason === 2,
            answer: (password) => {
              setAsking(undefined);
              answer(password);
            },
          })
        }
      >
        {pdf ? <Pages name={name} count={pdf.count} first={pdf.first} /> : <Spinner label="Loading file..." />}
      </Document>
    </>
  );
}

/** The reading position: in terms of pages, so that it holds when their sizes change. */
interface Anchor {
  page: number;
  /** How far down the page the upper edge of the pane is, in parts of the page's height. */
  down: number;
  /** The middle of the pane, in parts of the whole width. */
  across: number;
}

function Pages({ name, count, first }: { name: string; count: number; first: PageSize }) {
  const pane = usePaneSize();
  const scroller = useRef<HTMLElement>(null);
  const paneRef = useMergedRef(pane.ref, scroller);
  const [sizes, setSizes] = useState<ReadonlyMap<number, PageSize>>(new Map());
  const [inSight, setInSight] = useState({ from: 0, to: 0, current: 0 });
  const anchor = useRef<Anchor>({ page: 0, down: 0, across: 0.5 });

  const room = Math.max(120, Math.min(pane.width - 2 * GAP, FIT_MAX_WIDTH));
  const control = useZoom(pane.width > 0 ? room / (first.width * PX_PER_POINT) : undefined);
  const layout = useMemo(
    () => layPages({ count, sizes, first, zoom: control.zoom, room }),
    [count, sizes, first, control.zoom, room],
  );
  const inner = Math.max(layout.width, pane.width);

  const look = useCallback((placed: PageLayout) => {
    const node = scroller.current;
    if (node === null) return;
    const { scrollTop, clientHeight, scrollHeight } = node;
    const from = pageAt(placed, scrollTop);
    const to = pageAt(placed, scrollTop + clientHeight);
    const atEnd = scrollTop + clientHeight >= scrollHeight - 2;
    const current = scrollTop > 0 && atEnd ? placed.pages.length - 1 : pageAt(placed, scrollTop + clientHeight / 2);
    setInSight((before) =>
      before.from === from && before.to === to && before.current === current ? before : { from, to, current },
    );
  }, []);

  useLayoutEffect(() => {
    const node = scroller.current;
    if (node === null) return;
    const { page, down, across } = anchor.current;
    const placed = layout.pages[page];
    if (placed) node.scrollTop = page === 0 && down <= 0 ? 0 : placed.top + down * placed.height;
    node.scrollLeft = across * node.scrollWidth - node.clientWidth / 2;
    look(layout);
  }, [layout, look]);

  const follow = () => {
    const node = scroller.current;
    if (node === null) return;
    const page = pageAt(layout, node.scrollTop);
    const placed = layout.pages[page];
    if (placed) {
      anchor.current = {
        page,
        down: (node.scrollTop - placed.top) / placed.height,
        across: (node.scrollLeft + node.clientWidth / 2) / node.scrollWidth,
      };
    }
    look(layout);
  };
  useEffect(() => {
    if (pane.height > 0) look(layout);
  }, [pane.height, layout, look]);

  const goTo = (page: number) => {
    const top = layout.pages[page]?.top ?? 0;
    scroller.current?.scrollTo({ top: page === 0 ? 0 : top - GAP / 2 });
  };

  const learn = (index: number, size: PageSize) => {
    const known = sizes.get(index) ?? first;
    if (known.width === size.width && known.height === size.height) return;
    setSizes((before) => new Map(before).set(index, size));
  };

  const start = Math.max(0, inSight.from - SPARE_PAGES);
  const drawn = layout.pages.slice(start, inSight.to + SPARE_PAGES + 1);
  return (
    <Stage
      label={`Pages of ${name}`}
      paneRef={paneRef}
      onScroll={follow}
      toolbar={
        <>
          <PageNumber current={inSight.current + 1} count={count} onGo={(page) => goTo(page - 1)} />
          <ZoomButtons control={control} fitLabel="Fit width" />
        </>
      }
    >
      {pane.width > 0 ? (
        <div className={classes.pages} style={{ width: inner, height: layout.height }}>
          {drawn.map(({ top, width, height }, offset) => {
            const index = start + offset;
            return (
              // biome-ignore lint/a11y/useSemanticElements: a page is a group, and no set of fields
              <div
                key={index}
                role="group"
                aria-label={`Page ${index + 1} of ${count}`}
                className={classes.page}
                style={{ top, width, height, left: (inner - width) / 2 }}
              >
                <Page
                  pageNumber={index + 1}
                  width={width}
                  devicePixelRatio={pixelRatioFor(width, height)}
                  suspense={false}
                  renderAnnotationLayer={false}
                  loading={null}
                  error={<p className={classes.empty}>This page cannot be shown.</p>}
                  onLoadSuccess={(page) => learn(index, sizeOf(page))}
                />
              </div>
            );
          })}
        </div>
      ) : null}
    </Stage>
  );
}

interface PageNumberProps {
  /** From 1. */
  current: number;
  count: number;
  onGo: (page: number) => void;
}

/** 'Page n of N', where n can be typed. */
function PageNumber({ current, count, onGo }: PageNumberProps) {
  const [typed, setTyped] = useState<string>();
  const go = () => {
    const page = Number(typed);
    setTyped(undefined);
    if (typed !== undefined && Number.isInteger(page) && page >= 1 && page <= count && page !== current) onGo(page);
  };
  return (
    <form
      className={classes.pageNumber}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <span aria-hidden>Page</span>
      <TextInput
        size="xs"
        aria-label="Page"
        inputMode="numeric"
        value={typed ?? String(current)}
        onChange={(event) => setTyped(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={go}
        w={`${String(count).length + 3}ch`}
        styles={{ input: { textAlign: 'center', paddingInline: 4 } }}
      />
      <span>of {count.toLocaleString('en-US')}</span>
    </form>
  );
}

function PasswordForm({ wrong, onAnswer }: { wrong: boolean; onAnswer: (password: string) => void }) {
  const [password, setPassword] = useState('');
  return (
    <form
      className={classes.password}
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(password);
      }}
    >
      <PasswordInput
        label="This PDF is protected by a password"
        autoComplete="off"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={wrong ? 'That password does not open it' : undefined}
        w={280}
      />
      <Button type="submit" disabled={password === ''}>
        Open
      </Button>
    </form>
  );
}
