// Pages at which nobody looks on the event loop: packed where they are read, kept and passed on as bytes, and unpacked one after the other
// where they are recognised.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import {
  addPart,
  asFarAsRecognised,
  isPlaced,
  lettersOn,
  type OwnPage,
  type PagesPart,
  type PageText,
  partsOf,
  piecesOn,
} from './page-text.ts';

/** What `pageIn` reads. As objects, a page takes many times as much, and is there until the event loop collects it. */
export type PackedPage = Uint8Array<ArrayBuffer>;

/** A page that was read, and what is asked about it without looking at it again. */
export interface ReadPage {
  /** As far as it is recognised. */
  readonly packed: PackedPage;
  /** How many pieces of text stand on it, recognised or not. */
  readonly pieces: number;
  /** As `lettersOn` counts them. */
  readonly letters: number;
}

const FAST = { level: 1 };
const deflated = promisify(deflateRaw);
const inflated = promisify(inflateRaw);

/** A line for each part: a list of the page, or more of it. */
function* linesOf(page: PageText): Generator<string> {
  const told = asFarAsRecognised(page);
  // JSON has no number that is none: such a piece would stand at the edge of the page.
  const runs = told.runs.filter(isPlaced);
  for (const part of partsOf([{ ...told, runs }])) yield JSON.stringify('pages' in part ? part.pages : part);
}

/** In memory of its own: what packs may hand out a part of much more. */
const readAs = (page: PageText, bytes: Uint8Array): ReadPage => ({
  packed: new Uint8Array(bytes),
  pieces: piecesOn([page]),
  letters: lettersOn(page),
});

export function packedPage(page: PageText): ReadPage {
  return readAs(page, deflateRawSync([...linesOf(page)].join('\n'), FAST));
}

/** The same on the event loop: others are served in between. */
export async function packedPageInTurns(page: PageText): Promise<ReadPage> {
  const lines: string[] = [];
  for (const line of linesOf(page)) {
    if (lines.length > 0) await nextTurn();
    lines.push(line);
  }
  return readAs(page, await deflated(lines.join('\n'), FAST));
}

function* unpacked(text: string): Generator<undefined, PageText> {
  const pages: OwnPage[] = [];
  for (const line of text.split('\n')) {
    const part = JSON.parse(line) as readonly PageText[] | Extract<PagesPart, { readonly runs: unknown }>;
    addPart(pages, 'runs' in part ? part : { pages: part });
    yield;
  }
  const [page] = pages;
  if (page === undefined) throw new Error('No page is packed there');
  return page;
}

export function pageIn(packed: PackedPage): PageText {
  const unpacking = unpacked(inflateRawSync(packed).toString());
  let step = unpacking.next();
  while (!step.done) step = unpacking.next();
  return step.value;
}

/** The same on the event loop. */
export async function pageInTurns(packed: PackedPage): Promise<PageText> {
  const unpacking = unpacked((await inflated(packed)).toString());
  let step = unpacking.next();
  while (!step.done) {
    await nextTurn();
    step = unpacking.next();
  }
  return step.value;
}
