// The elements of an XML text, one after the other, as far as they can be told apart: nothing is looked up and nothing is replaced by
// what the text itself defines.

export interface Element {
  /** Without its prefix. */
  readonly name: string;
  readonly closes: boolean;
  /** It has no content and is not closed by another. */
  readonly isEmpty: boolean;
  /** What stands between it and the next. */
  readonly text: string;
  /** Empty where it has none of this name. */
  attribute(name: string): string;
}

const TAG = /<(\/?)(?:[\w.-]+:)?([A-Za-z_][\w.-]*)([^<>]*)>/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function* elementsOf(xml: string): Generator<Element> {
  let before: { readonly element: Omit<Element, 'text'>; readonly end: number } | undefined;
  for (const match of xml.matchAll(TAG)) {
    const [whole, slash = '', name = '', rest = ''] = match;
    if (before !== undefined) yield { ...before.element, text: plain(xml.slice(before.end, match.index)) };
    const attribute = (wanted: string) => attributeOf(rest, wanted);
    const element = { name, closes: slash !== '', isEmpty: rest.endsWith('/'), attribute };
    before = { element, end: match.index + whole.length };
  }
  if (before !== undefined) yield { ...before.element, text: '' };
}

function attributeOf(rest: string, wanted: string): string {
  for (const [, name, value = ''] of rest.matchAll(/([\w.:-]+)\s*=\s*["']([^"']*)["']/g)) {
    if (name === wanted) return plain(value);
  }
  return '';
}

function plain(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,6}));/gi, (all, decimal, hex, named) => {
    if (named !== undefined) return NAMED[named] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}
