// The pages of a PDF, or some of them: only the visible ones are drawn, with their selectable text.

import { TextInput } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { type DocumentProps, Page } from 'react-pdf';
import 'react-pdf/dist/Page/TextLayer.css';
import { formatCount } from '#web/lib/format.ts';
import { textMarker } from './mark-words.ts';
import { GAP, layPages, type PageSize, PX_PER_POINT } from './page-layout.ts';
import { Stage } from './stage.tsx';
import { useFirstMark } from './use-first-mark.ts';
import { usePaneSize } from './use-pane-size.ts';
import { useReadingPosition } from './use-reading-position.ts';
import classes from './viewer.module.css';
import { useZoom } from './zoom.ts';
import { ZoomButtons } from './zoom-buttons.tsx';

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
export type PdfPage = Awaited<ReturnType<Loaded['getPage']>>;

export function sizeOf(page: PdfPage): PageSize {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}

export interface PdfPagesProps {
  name: string;
  /** How many pages the PDF has. */
  count: number;
  /** The size of its first page. */
  first: PageSize;
  /** The pages that are shown, from 1 and both included; all of them unless said otherwise. */
  from?: number;
  to?: number;
  /** What lies over a page, in parts of its size. */
  over?: (page: number, size: PageSize) => ReactNode;
  /** Called with the page in the middle of the pane whenever that is another one. */
  onPage?: (page: number) => void;
  /** The search whose words are marked in the text; the first of the page that is gone to is brought into sight. */
  foundBy?: string;
  /** More buttons of the toolbar. */
  tools?: ReactNode;
  /** A page to go to: each new object leads there once. */
  target?: { readonly page: number } | null;
}

export function PdfPages(props: PdfPagesProps) {
  const {
    name,
    count: all,
    first,
    from: begin = 1,
    to: end = all,
    over,
    onPage,
    foundBy = '',
    tools,
    target = null,
  } = props;
  const count = Math.max(1, Math.min(end, all) - begin + 1);
  const markText = useMemo(() => textMarker(foundBy), [foundBy]);
  const pane = usePaneSize();
  const [sizes, setSizes] = useState<ReadonlyMap<number, PageSize>>(new Map());

  const room = Math.max(120, Math.min(pane.width - 2 * GAP, FIT_MAX_WIDTH));
  const control = useZoom(pane.width > 0 ? room / (first.width * PX_PER_POINT) : undefined);
  const layout = useMemo(
    () => layPages({ count, sizes, first, zoom: control.zoom, room }),
    [count, sizes, first, control.zoom, room],
  );
  const inner = Math.max(layout.width, pane.width);

  const { scroller, inSight, follow, goTo } = useReadingPosition(layout, pane.height);
  const paneRef = useMergedRef(pane.ref, scroller);
  const latest = useRef({ goTo, onPage });
  useEffect(() => {
    latest.current = { goTo, onPage };
  });
  const page = begin + inSight.current;
  useEffect(() => latest.current.onPage?.(page), [page]);
  const measured = pane.width > 0;
  useEffect(() => {
    if (target !== null && measured) latest.current.goTo(target.page - begin);
  }, [target, measured, begin]);
  const showMark = useFirstMark({ target, scroller, follow });

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
          <PageNumber current={page} from={begin} to={begin + count - 1} onGo={(next) => goTo(next - begin)} />
          <ZoomButtons control={control} fitLabel="Fit width" />
          {tools}
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
                aria-label={`Page ${begin + index} of ${all}`}
                className={classes.page}
                style={{ top, width, height, left: (inner - width) / 2 }}
              >
                <Page
                  pageNumber={begin + index}
                  width={width}
                  devicePixelRatio={pixelRatioFor(width, height)}
                  suspense={false}
                  renderAnnotationLayer={false}
                  {...(markText ? { customTextRenderer: markText, onRenderTextLayerSuccess: showMark } : {})}
                  loading={null}
                  error={<p className={classes.empty}>This page cannot be shown.</p>}
                  onLoadSuccess={(loaded) => learn(index, sizeOf(loaded))}
                />
                {over?.(begin + index, sizes.get(index) ?? first)}
              </div>
            );
          })}
        </div>
      ) : null}
    </Stage>
  );
}

interface PageNumberProps {
  current: number;
  /** The first and the last that are shown. */
  from: number;
  to: number;
  onGo: (page: number) => void;
}

/** What stands after the number of a page: 'of N', or '(M to N)' within a larger file. */
function whichPages(from: number, to: number): string {
  if (from === 1) return `of ${formatCount(to)}`;
  return from === to ? '' : `(${formatCount(from)} to ${formatCount(to)})`;
}

/** The page in sight, where another can be typed. */
function PageNumber({ current, from, to, onGo }: PageNumberProps) {
  const [typed, setTyped] = useState<string>();
  const go = () => {
    const page = Number(typed);
    setTyped(undefined);
    if (typed !== undefined && Number.isInteger(page) && page >= from && page <= to && page !== current) onGo(page);
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
        w={`${String(to).length + 3}ch`}
        styles={{ input: { textAlign: 'center', paddingInline: 4 } }}
      />
      <span>{whichPages(from, to)}</span>
    </form>
  );
}
