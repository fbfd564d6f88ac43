// Makes PDFs of their own out of ranges of another's pages.
import { movable, Thread, ThreadLimit } from '#server/platform/jobs/thread.ts';
import type { OriginalAnswer, OriginalQuestion } from './original-thread.ts';
import { isSame, type PageRange } from './piece-check.ts';
import type { SplitAnswer, SplitQuestion } from './split-thread.ts';

/** The file cannot be split. `tooLong`: it takes more time or memory than any honest one. */
export class CannotSplit extends Error {
  override readonly name = 'CannotSplit';
  readonly reason: 'password' | 'damaged' | 'tooLong';

  constructor(reason: 'password' | 'damaged' | 'tooLong') {
    super(`The file cannot be split: ${reason}`);
    this.reason = reason;
  }
}

/** What was made of a range is not what was read there. Nothing of it may be used. */
export class PieceDiffers extends Error {
  override readonly name = 'PieceDiffers';
  readonly range: PageRange;

  constructor(range: PageRange) {
    super(`What was made of pages ${range.from} to ${range.to} is not what was read there`);
    this.range = range;
  }
}

export interface SplitOptions {
  /** Tried, and not kept. */
  readonly password?: string | undefined;
  /** How many pages were read of it: a file in which the splitter sees other pages is not split. */
  readonly pages?: number | undefined;
  readonly signal: AbortSignal;
  /** Beside the bytes themselves, and the two copies that are made of them. */
  readonly memoryBytes?: number;
}

const OPEN_MS = 60_000;
const PIECE_MS = 60_000;
const MEMORY_BYTES = 256 * 1024 * 1024;
/** Each piece is some megabytes of words and objects that are dropped with it: collected less often, it takes less of a processor. It takes up to three times as much. */
const YOUNG_MEBIBYTES = 2;

const THREAD = new URL('./split-thread.ts', import.meta.url);
const ORIGINAL_THREAD = new URL('./original-thread.ts', import.meta.url);

/** So many pieces are asked for before the first of them is used: neither thread waits for the other, nor for whoever stores a piece. */
const AHEAD = 2;

/** Questions to a thread, which answers one at a time: each is asked once the one before is answered. */
function inOrder<Input, Output>(thread: Thread<Input, Output>, processorMs: number) {
  let last: Promise<unknown> = Promise.resolve();
  return (input: Input): Promise<Output> => {
    const answer = last.then(() => thread.ask(input, { processorMs }));
    last = answer;
    // Where nobody takes it any more, nobody hears of its end.
    answer.catch(() => {});
    return answer;
  };
}

/**
 * The bytes of each range as a PDF, in the order of `ranges`; the next ones are made while one is used. `bytes` are gone from
 * this side afterwards. Throws `CannotSplit`, `PieceDiffers` and the reason of the signal.
 */
export async function* splitPdf(
  bytes: Uint8Array,
  ranges: readonly PageRange[],
  { password, pages, signal, memoryBytes = MEMORY_BYTES }: SplitOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const options = {
    signal,
    memoryBytes: memoryBytes + 3 * bytes.length,
    isKept: password === undefined,
  };
  const roomy = { ...options, youngMebibytes: YOUNG_MEBIBYTES };
  await using splitting = new Thread<SplitQuestion, SplitAnswer>(THREAD, roomy);
  const answered = async <Answer extends object>(asked: Promise<Answer>) => {
    try {
      const answer = await asked;
      if ('unreadable' in answer) throw new CannotSplit(answer.unreadable as CannotSplit['reason']);
      return answer as Exclude<Answer, { unreadable: unknown }>;
    } catch (error) {
      throw error instanceof ThreadLimit ? new CannotSplit('tooLong') : error;
    }
  };
  await splitting.begun();
  // Beside it: to read a page again takes as long as to make a piece of it and to read that. It drops no more than any reader.
  await using original = new Thread<OriginalQuestion, OriginalAnswer>(ORIGINAL_THREAD, options);
  const open = movable(bytes);
  const copy = open.slice();
  await answered(splitting.ask({ open, password, pages }, { processorMs: OPEN_MS, transfer: [open.buffer] }));
  await answered(original.ask({ open: copy, password }, { processorMs: OPEN_MS, transfer: [copy.buffer] }));
  const [askPiece, askPrinted] = [inOrder(splitting, PIECE_MS), inOrder(original, PIECE_MS)];
  const ahead = ranges.values();
  const asked: { readonly piece: Promise<SplitAnswer>; readonly printed: Promise<OriginalAnswer> }[] = [];
  const ask = () => {
    const { value: range } = ahead.next();
    if (range !== undefined) asked.push({ piece: askPiece(range), printed: askPrinted(range) });
  };
  for (let nth = 0; nth < AHEAD; nth += 1) ask();
  for (const { from, to } of ranges) {
    const next = asked.shift();
    if (next === undefined) return;
    const made = await answered(next.piece);
    const read = await answered(next.printed);
    ask();
    if (!('piece' in made) || !('printed' in read) || read.printed === null) throw new Error('It answered no piece');
    if (!isSame(made.printed, read.printed)) throw new PieceDiffers({ from, to });
    yield made.piece;
  }
}
