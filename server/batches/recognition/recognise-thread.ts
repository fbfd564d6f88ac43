// Recognises the documents of a batch in a thread, so that requests are answered meanwhile. It is told the files one after the
// other and some of their pages at a time: a whole print file at once would be copied while everybody waits.
import { asLookedAt } from '../reading/looked-at.ts';
import { type PackedPage, pageIn } from '../reading/packed-page.ts';
import type { PageText } from '../reading/page-text.ts';
import type { Known, Mark, ProposedDocument, ReadFile, Signal } from './proposal.ts';
import { recognise } from './recognise.ts';

export type RecogniseQuestion =
  | { readonly file: Omit<ReadFile, 'pages'> }
  /** What follows of the file that was told last. */
  | { readonly pages: readonly PackedPage[] }
  /** The end: what the files are to whom. They are gone afterwards. */
  | { readonly known: Known };

const files: (Omit<ReadFile, 'pages'> & { readonly pages: PackedPage[] })[] = [];

/** The pages of a file that were read turned, by their numbers: how far, and how large they were then. */
type TurnedPages = Map<number, Pick<PageText, 'width' | 'height'> & { readonly degrees: number }>;

export function work(question: RecogniseQuestion): ProposedDocument[] {
  if ('known' in question) {
    const turned = new Map<number, TurnedPages>();
    const given = files.splice(0).map((file) => {
      const ofFile: TurnedPages = new Map();
      turned.set(file.key, ofFile);
      return { ...file, pages: letGo(file.pages, ofFile) };
    });
    const proposed = recognise(given, question.known);
    return proposed.map((document) => markedAsLookedAt(document, turned.get(document.fileKey)));
  }
  if ('file' in question) files.push({ ...question.file, pages: [] });
  else files.at(-1)?.pages.push(...question.pages);
  return [];
}

/** One page after the other, unpacked when it is read and gone once it is: what is found on it takes its room. */
function* letGo(pages: PackedPage[], turned: TurnedPages): Generator<PageText> {
  const count = pages.length;
  pages.reverse();
  for (let packed = pages.pop(); packed !== undefined; packed = pages.pop()) {
    const page = pageIn(packed);
    const { width, height, turned: degrees } = page;
    if (degrees !== undefined) turned.set(count - pages.length, { width, height, degrees });
    yield page;
  }
}

/** With its marks where they are on the pages as a reviewer sees them. */
function markedAsLookedAt(document: ProposedDocument, turned: TurnedPages | undefined): ProposedDocument {
  if (turned === undefined || turned.size === 0) return document;
  const markOf = (mark: Mark) => {
    const page = turned.get(mark.page);
    return page === undefined ? mark : asLookedAt(mark, page, page.degrees);
  };
  const signalOf = (signal: Signal): Signal => ({ ...signal, marks: signal.marks.map(markOf) });
  return {
    ...document,
    clients: document.clients.map((client) => ({ ...client, signals: client.signals.map(signalOf) })),
    typeSignals: document.typeSignals.map(signalOf),
    periodSignals: document.periodSignals.map(signalOf),
  };
}

export function forget(): boolean {
  files.length = 0;
  return true;
}
