// A text with some of its words marked.
import { Fragment } from 'react';
import classes from './marked-text.module.css';

export interface MarkedTextProps {
  text: string;
  /** In their order, none over another; `to` is not included. */
  marks: readonly { readonly from: number; readonly to: number }[];
}

export function MarkedText({ text, marks }: MarkedTextProps) {
  const ends = marks.map(({ to }) => to);
  return (
    <>
      {marks.map(({ from, to }, nth) => (
        <Fragment key={from}>
          {text.slice(ends[nth - 1] ?? 0, from)}
          <mark className={classes.mark}>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(ends.at(-1) ?? 0)}
    </>
  );
}
