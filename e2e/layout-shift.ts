// Watches whether visible content moves when something else arrives.
import type { Page } from '@playwright/test';

export interface LayoutShift {
  /** The browser's score: the share of the window that moved, by how far. */
  readonly value: number;
  /** What moved, from where to where, as far as the browser reports it. */
  readonly sources: readonly string[];
}

/** Runs in the page before anything else does. */
const WATCH = `
  const moves = [];
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  const nameOf = (node) => (node ? node.nodeName.toLowerCase() + ' ' + node.textContent.trim().slice(0, 40) : 'gone');
  const note = (entries) => {
    for (const { hadRecentInput, value, sources } of entries) {
      if (hadRecentInput) continue;
      const moved = sources.map((s) => nameOf(s.node) + ': ' + place(s.previousRect) + ' -> ' + place(s.currentRect));
      moves.push({ value, sources: moved });
    }
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  window.readLayoutShifts = () => {
    note(observer.takeRecords());
    return moves;
  };
`;

/** A shift is recorded at the end of the frame in which it was drawn. */
const READ = `new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.readLayoutShifts())));
})`;

/**
 * Watches a page from its next navigation on; the answer gives all that has moved since the latest one. What moves
 * within half a second of a press is the press's own doing, as the browser counts it: to judge the arrival of an
 * answer, navigate with `goto`, or let the answer come later than that.
 */
export async function watchLayoutShifts(page: Page): Promise<() => Promise<readonly LayoutShift[]>> {
  await page.addInitScript({ content: WATCH });
  return () => page.evaluate<LayoutShift[]>(READ);
}
