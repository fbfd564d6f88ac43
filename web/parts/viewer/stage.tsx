// Where a file is shown: a toolbar or a notice on top, and below it a scrolling pane of fixed height.
import type { ReactNode, Ref, UIEventHandler } from 'react';
import classes from './viewer.module.css';

export interface StageProps {
  /** The pane's accessible name: 'Pages of W-2.pdf'. */
  label: string;
  toolbar?: ReactNode;
  /** A line that says what is not shown. */
  note?: string | undefined;
  children: ReactNode;
  paneRef?: Ref<HTMLElement>;
  onScroll?: UIEventHandler<HTMLElement>;
}

export function Stage({ label, toolbar, note, children, paneRef, onScroll }: StageProps) {
  return (
    <>
      {toolbar ? (
        <div role="toolbar" aria-label="View" className={classes.toolbar}>
          {toolbar}
        </div>
      ) : null}
      {note ? (
        <p role="note" className={classes.note}>
          {note}
        </p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too */}
      <section ref={paneRef} aria-label={label} tabIndex={0} data-pane className={classes.pane} onScroll={onScroll}>
        {children}
      </section>
    </>
  );
}
