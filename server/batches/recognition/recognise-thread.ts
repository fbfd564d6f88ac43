// Recognises the documents of a batch in a thread, so that requests are answered meanwhile. It is told the files one after the
// other and their pages in parts: a whole print file at once would be copied while everybody waits.
import { addPart, type OwnPage, type PagesPart } from '../reading/page-text.ts';
import type { Known, ProposedDocument, ReadFile } from './proposal.ts';
import { recognise } from './recognise.ts';

export type RecogniseQuestion =
  | { readonly file: Omit<ReadFile, 'pages'> }
  /** What follows of the file that was told last. */
  | PagesPart
  /** The end: what the files are to whom. They are gone afterwards. */
  | { readonly known: Known };

const files: (Omit<ReadFile, 'pages'> & { readonly pages: OwnPage[] })[] = [];

export function work(question: RecogniseQuestion): ProposedDocument[] {
  if ('known' in question) {
    const given = files.splice(0).map((file) => ({ ...file, pages: letGo(file.pages) }));
    return recognise(given, question.known);
  }
  if ('file' in question) files.push({ ...question.file, pages: [] });
  else addPart(files.at(-1)?.pages ?? [], question);
  return [];
}

/** One page after the other, each gone once it is read: what is found on it takes its room. */
function* letGo(pages: OwnPage[]): Generator<OwnPage> {
  pages.reverse();
  for (let page = pages.pop(); page !== undefined; page = pages.pop()) yield page;
}

export function forget(): boolean {
  files.length = 0;
  return true;
}
