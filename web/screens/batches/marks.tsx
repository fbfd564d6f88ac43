// Words that decided, marked over the page they stand on.
import type { Ref } from 'react';
import type { Mark } from '#contract/batches.ts';
import type { PageSize } from '#web/parts/viewer/page-layout.ts';
import classes from './review.module.css';

/** Around a marked word, in points. */
const ROOM = 2;

const share = (part: number, whole: number) => `${(100 * part) / whole}%`;

export interface MarksProps {
  marks: readonly Mark[];
  /** Of the marks of the document, those that were asked for. */
  pointed: readonly Mark[];
  /** Of the page. */
  size: PageSize;
  /** The first that was asked for. */
  first?: Ref<HTMLSpanElement>;
}

export function Marks({ marks, pointed, size, first }: MarksProps) {
  return marks.map((mark) => (
    <span
      key={`${mark.x} ${mark.y} ${mark.width}`}
      ref={mark === pointed[0] ? first : undefined}
      aria-hidden
      className={classes.mark}
      data-pointed={pointed.includes(mark) || undefined}
      style={{
        left: share(mark.x - ROOM, size.width),
        top: share(mark.y - ROOM, size.height),
        width: share(mark.width + 2 * ROOM, size.width),
        height: share(mark.height + 2 * ROOM, size.height),
      }}
    />
  ));
}
