// The thread that reads the first pages of an upload and says which clients they name. It answers one upload after another.

import { byLetters, lettersOn, type PageText } from '../reading/page-text.ts';
import type * as PdfThread from '../reading/pdf-thread.ts';
import { pageOfText } from '../reading/text-file.ts';
import { clientBook, companiesOf } from '../recognition/batch-view.ts';
import { NameIndex } from '../recognition/name-index.ts';
import { type Indexes, type PageFacts, readFacts } from '../recognition/page-facts.ts';
import type { KnownClient } from '../recognition/proposal.ts';
import { StateIdIndex } from '../recognition/state-ids.ts';
import { TypeIndex } from '../recognition/type-index.ts';

/** What follows on later pages names nobody who is not named on the first. */
const PAGES_READ = 10;
/** No document of one company has as many federal ids on its first pages: it is a list, or somebody tries which of them are clients'. */
const FEDERAL_IDS_MAX = 100;

export type GuardQuestion =
  | { readonly clients: readonly KnownClient[] }
  | (Judging & { readonly bytes: Uint8Array<ArrayBuffer>; readonly contentType: string; readonly isWorkbook: boolean })
  /** What was read of it elsewhere. */
  | (Judging & { readonly pages: readonly PageText[] });

export interface Judging {
  readonly byNamesAlone: boolean;
}

/** How a document names a client. */
export interface NamedClient {
  readonly id: number;
  readonly byFederalId: boolean;
  /** By its whole legal name. */
  readonly byName: boolean;
}

/** What the first pages of a document say. */
export interface Naming {
  /** One of them perhaps by a cut or another name alone. */
  readonly named: readonly NamedClient[];
  /** The pages that may be scans, the first being 1: they are recognised elsewhere. */
  readonly pictures: readonly number[];
  /** Those of them with a few letters, as a fax or a stamp leaves over a scan. */
  readonly lettered: readonly number[];
}

/** Null where nothing could be read. */
export type GuardAnswer = Naming | null;

const NO_CLIENTS: Indexes = { names: new NameIndex([]), stateIds: new StateIdIndex([]), types: new TypeIndex([]) };
let indexes = NO_CLIENTS;
let book = clientBook([]);
/** Loaded with the first PDF: most of a start would go into it. */
let pdfThread: Promise<typeof PdfThread> | undefined;

export async function work(question: GuardQuestion): Promise<GuardAnswer> {
  if ('clients' in question) {
    const { clients } = question;
    indexes = { ...indexes, names: new NameIndex(clients), stateIds: new StateIdIndex(clients) };
    book = clientBook(question.clients);
    return null;
  }
  const pages = 'pages' in question ? question.pages : await pagesOf(question);
  if (pages === null) return null;
  const { withoutText, withFewLetters } = byLetters(pages.map(lettersOn));
  // What is no PDF has no picture below its letters.
  const lettered = 'contentType' in question && question.contentType === 'application/pdf' ? withFewLetters : [];
  const pictures = [...withoutText, ...lettered].sort((a, b) => a - b);
  return { named: clientsNamed(pages, question), pictures, lettered };
}

export async function forget(): Promise<boolean> {
  indexes = NO_CLIENTS;
  book = clientBook([]);
  return (await (await pdfThread)?.forget()) ?? true;
}

type Document = Extract<GuardQuestion, { bytes: unknown }>;

async function pagesOf({ bytes, contentType, isWorkbook }: Document): Promise<readonly PageText[] | null> {
  if (isWorkbook) {
    const { work: readWorkbook } = await import('../reading/xlsx-thread.ts');
    const answer = await readWorkbook(bytes);
    return 'page' in answer ? [answer.page] : null;
  }
  if (contentType !== 'application/pdf') return [pageOfText(bytes, contentType)];
  pdfThread ??= import('../reading/pdf-thread.ts');
  const { work: askPdf } = await pdfThread;
  const opened = await askPdf({ open: bytes, password: undefined, pagesMax: Number.MAX_SAFE_INTEGER });
  if (!('opened' in opened)) return null;
  const pages: PageText[] = [];
  for (let page = 1; page <= Math.min(PAGES_READ, opened.opened.pages); page += 1) {
    const answer = await askPdf({ page });
    if (!('page' in answer)) return null;
    pages.push(answer.page);
  }
  return pages;
}

const NOBODY: ReadonlySet<string> = new Set();

/** Whether so many numbers are, or may be, the federal id of a company that none of them says whose document it is. */
function listsFederalIds(pages: readonly PageFacts[]): boolean {
  const ids = pages.flatMap(({ ids }) => ids.filter(({ role }) => role === 'company' || role === 'plain'));
  return new Set(ids.map(({ digits }) => digits)).size > FEDERAL_IDS_MAX;
}

function clientsNamed(pages: readonly PageText[], { byNamesAlone }: Judging): NamedClient[] {
  const found = new Map<number, { byFederalId: boolean; byName: boolean }>();
  const note = (id: number, how: Partial<Omit<NamedClient, 'id'>>) => {
    found.set(id, { ...(found.get(id) ?? { byFederalId: false, byName: false }), ...how });
  };
  const facts = pages.map((page, index) => readFacts(page, index + 1, indexes));
  const byFederalIds = !byNamesAlone && !listsFederalIds(facts);
  for (const page of facts) {
    const companies = companiesOf(page, book, NOBODY);
    for (const { digits } of byFederalIds ? companies.ids : []) {
      for (const id of book.byFederalId.get(digits) ?? []) note(id, { byFederalId: true });
    }
    // A state id alone speaks for the chosen client, and against nobody.
    for (const { clientId } of companies.stateIds) note(clientId, {});
    for (const { how, names: known } of companies.names) {
      // Whatever may be its name speaks for the chosen client; only a whole name speaks of another one.
      if (how === 'otherKind') continue;
      for (const { clientId, kind } of known) {
        note(clientId, how === 'whole' && kind === 'legalName' ? { byName: true } : {});
      }
    }
  }
  return [...found].map(([id, how]) => ({ id, ...how }));
}
