// Recognises the documents of a batch in a thread, so that requests are answered meanwhile. It is told the files one after the
// other and their pages in parts: a whole print file at once would be copied while everybody waits.
import { addPart, type OwnPage, type PagesPart } from '../reading/page-text.ts';
import type { Known, ProposedDocument, ReadFile } from './proposal.ts';
import { recognise } from './recognise.ts';

export type RecogniseQuestion =
  | { readonly file: Omit<ReadFile, 'pages'> }
  /** What follows of the file that was told last. */
  | PagesPart
  /** The end: what the files are to whom. */
  | { readonly known: Known };

const files: (Omit<ReadFile, 'pages'> & { readonly pages: OwnPage[] })[] = [];

export function work(question: RecogniseQuestion): ProposedDocument[] {
  if ('known' in question) return recognise(files, question.known);
  if ('file' in question) files.push({ ...question.file, pages: [] });
  else addPart(files.at(-1)?.pages ?? [], question);
  return [];
}

export function forget(): boolean {
  files.length = 0;
  return true;
}
