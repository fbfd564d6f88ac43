// Where somebody reads among the pages of a PDF: the pages in sight, and the place that stays when sizes change.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { GAP, type PageLayout, pageAt } from './page-layout.ts';

/** The reading position: in terms of pages, so that it holds when their sizes change. */
interface Anchor {
  page: number;
  /** How far down the page the upper edge of the pane is, in parts of the page's height. */
  down: number;
  /** The middle of the pane, in parts of the whole width. */
  across: number;
}

interface ReadingPosition {
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLElement | null>;
  /** The pages in sight by their place, from 0 and both included, and the one in the middle. */
  readonly inSight: { readonly from: number; readonly to: number; readonly current: number };
  /** To be called when it is scrolled. */
  readonly follow: () => void;
  readonly goTo: (page: number) => void;
}

export function useReadingPosition(layout: PageLayout, paneHeight: number): ReadingPosition {
  const scroller = useRef<HTMLElement>(null);
  const [inSight, setInSight] = useState({ from: 0, to: 0, current: 0 });
  const anchor = useRef<Anchor>({ page: 0, down: 0, across: 0.5 });

  const look = useCallback((placed: PageLayout) => {
    const node = scroller.current;
    if (node === null) return;
    const { scrollTop, clientHeight, scrollHeight } = node;
    const from = pageAt(placed, scrollTop);
    const to = pageAt(placed, scrollTop + clientHeight);
    const atEnd = scrollTop + clientHeight >= scrollHeight - 2;
    const middle = pageAt(placed, scrollTop + clientHeight / 2);
    // Where several pages are in sight at once, the first and the last are met at the ends alone.
    const current = scrollTop <= 0 ? 0 : atEnd ? placed.pages.length - 1 : middle;
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
    if (paneHeight > 0) look(layout);
  }, [paneHeight, layout, look]);

  const goTo = (page: number) => {
    const top = layout.pages[page]?.top ?? 0;
    scroller.current?.scrollTo({ top: page === 0 ? 0 : top - GAP / 2 });
  };
  return { scroller, inSight, follow, goTo };
}
