// The thread that reads the text of files, one after another: page by page, as it is searched and shown.
import type { PageText } from '../../batches/reading/page-text.ts';
import { work as askPdf, forget as forgetPdf } from '../../batches/reading/pdf-thread.ts';
import { pageOfText } from '../../batches/reading/text-file.ts';

export interface TextQuestion {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly pagesMax: number;
}

/** The text of each page; null where the file cannot be read. `withoutText`: pages of pictures alone, from 1. */
export type TextAnswer = { readonly pages: readonly string[]; readonly withoutText: readonly number[] } | null;

const READABLE = /[\p{L}\p{N}]/u;

export async function work({ bytes, contentType, pagesMax }: TextQuestion): Promise<TextAnswer> {
  if (contentType !== 'application/pdf') return answerOf([textOfPage(pageOfText(bytes, contentType))]);
  const opened = await askPdf({ open: bytes, password: undefined, pagesMax: Number.MAX_SAFE_INTEGER });
  if (!('opened' in opened)) return null;
  const pages: string[] = [];
  for (let page = 1; page <= Math.min(pagesMax, opened.opened.pages); page += 1) {
    const answer = await askPdf({ page });
    if (!('page' in answer)) return null;
    pages.push(textOfPage(answer.page));
  }
  return answerOf(pages);
}

export const forget = forgetPdf;

function answerOf(pages: readonly string[]): TextAnswer {
  return { pages, withoutText: pages.flatMap((text, index) => (READABLE.test(text) ? [] : [index + 1])) };
}

/** As much of a page is kept. */
const PAGE_LENGTH_MAX = 20_000;

/** The pieces of a page in their order, each line below the one before. */
export function textOfPage({ runs }: PageText): string {
  let text = '';
  let last: PageText['runs'][number] | undefined;
  for (const run of runs) {
    const sameLine = last !== undefined && Math.abs(run.y - last.y) < Math.max(run.height, last.height) / 2;
    const touches = sameLine && last !== undefined && Math.abs(run.x - last.x - last.width) < run.height / 10;
    if (last !== undefined && !touches) text += sameLine ? ' ' : '\n';
    text += run.text;
    last = run;
    if (text.length > PAGE_LENGTH_MAX) return text.slice(0, PAGE_LENGTH_MAX);
  }
  return text;
}
