// A name in a table: where its column is too narrow it is cut in the middle, because its end tells as much as its beginning.
import type { CSSProperties } from 'react';
import { Breakable } from './breakable.tsx';

/** Shorter names are left to wrap: no column is so narrow that they need three lines. */
const CUT_FROM = 32;
/** What stays of the end begins after a space or an underscore near it, else is this long. */
const END_LENGTH = 12;
/** '2026-11-20.pdf', 'LLC', and '2026-11-20_PP24.pdf', because it is the number that tells such names apart. */
const END = /(?<=[ _])(?:(?=[^ _]*\d)[^ _]{2,10}[ _])?[^ _]{3,16}$/u;

/** How wide `text` is at most, in digits: nothing is measured, so a little room may stay. */
const digitsWide = (text: string) =>
  [...text].reduce((sum, letter) => sum + (letter > '\u10ff' ? 1.8 : /[A-Z@%mw]/.test(letter) ? 1.25 : 1), 0);

/** The name as one text, for those who hear it; nothing where it is never cut. */
export const wholeName = (text: string) => (text.length < CUT_FROM ? undefined : text);

/**
 * The whole name is in the page, and seen on hover; the styles of a table cut it in columns that say so (`Column.cut`), and
 * nowhere else. The two parts are apart, so that letters which turn the direction of writing cannot disguise the ending.
 */
export function CutName({ text }: { text: string }) {
  if (text.length < CUT_FROM) return <Breakable text={text} />;
  const end = END.exec(text)?.[0] ?? [...text].slice(-END_LENGTH).join('');
  return (
    <span title={text} data-name style={{ '--end-width': `${digitsWide(end)}ch` } as CSSProperties}>
      <span>
        {/* What is cut off is still read aloud as the name; an element that is cut off whole is not. */}
        <span>
          <Breakable text={text.slice(0, -end.length)} plain />
        </span>
      </span>
      <wbr />
      <span>
        <Breakable text={end} />
      </span>
    </span>
  );
}
