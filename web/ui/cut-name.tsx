// A name in a table: where its column is too narrow its end is on a second line, and what stands before it is cut, because the end tells as much as the beginning.
import { Breakable } from './breakable.tsx';

/** Shorter names are left to wrap: no column is so narrow that they need three lines. */
const CUT_FROM = 32;
/** The end is as few whole words as tell names apart: '2026-11-20_PP24.pdf', 'Car Wash LLC.pdf'; of a last word that is longer, so much. */
const END_LEAST = 10;
const END_MOST = 25;
const WORDS = /(?<=[ _])[\p{L}\p{N}(]/gu;

function endOf(text: string): string {
  const ends = [...text.matchAll(WORDS)].map(({ index }) => text.slice(index));
  const short = ends.filter(({ length }) => length <= END_MOST);
  return short.findLast(({ length }) => length >= END_LEAST) ?? short[0] ?? [...text].slice(-END_LEAST).join('');
}

/** The name as one text, for those who hear it; nothing where it is never cut. */
export const wholeName = (text: string) => (text.length < CUT_FROM ? undefined : text);

/**
 * The whole name is in the page, and seen on hover; the styles of a table cut it in columns that say so (`Column.cut`), and
 * nowhere else. The two parts are apart, so that letters which turn the direction of writing cannot disguise the ending.
 */
export function CutName({ text }: { text: string }) {
  if (text.length < CUT_FROM) return <Breakable text={text} />;
  const end = endOf(text);
  return (
    <span title={text} data-name>
      <span>
        <Breakable text={text.slice(0, -end.length)} plain />
      </span>
      <wbr />
      <span>
        <Breakable text={end} />
      </span>
    </span>
  );
}
