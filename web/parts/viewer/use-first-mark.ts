// Brings the first marked word of the page that was asked for into sight, once the text of that page is there.
import { type RefObject, useCallback, useEffect, useRef } from 'react';

interface FirstMarkOptions {
  /** Each new one leads to its mark once. */
  readonly target: { readonly page: number } | null;
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLElement | null>;
  /** Called once it was scrolled. */
  readonly follow: () => void;
}

/** What it returns is to be called whenever the text of a page has been laid. */
export function useFirstMark({ target, scroller, follow }: FirstMarkOptions): () => void {
  const latest = useRef({ target, follow });
  useEffect(() => {
    latest.current = { target, follow };
  });
  const led = useRef<FirstMarkOptions['target']>(null);
  const lead = useCallback(() => {
    const asked = latest.current.target;
    const pane = scroller.current;
    if (asked === null || asked === led.current || pane === null) return;
    const mark = pane.querySelector(`[data-page-number="${asked.page}"] mark`);
    if (mark === null) return;
    led.current = asked;
    const [seen, found] = [pane.getBoundingClientRect(), mark.getBoundingClientRect()];
    // The end of the pane may be below that of the window, as on a phone.
    if (found.top >= seen.top && found.bottom <= Math.min(seen.bottom, window.innerHeight)) return;
    pane.scrollTop += (found.top + found.bottom - seen.top - seen.bottom) / 2;
    // Before sizes of pages are learned, which would lead back.
    latest.current.follow();
  }, [scroller]);
  // The text may be there already.
  useEffect(() => {
    if (target !== null) lead();
  }, [target, lead]);
  return lead;
}
