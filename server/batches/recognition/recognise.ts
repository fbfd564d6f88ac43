// Recognition: from the text of a batch's files to the documents proposed to a person. Pure: the same batch gives the same proposals.
import { clientReader, type NamedClients, namesCorrection, reportTypeProposer } from '#contract/propose.ts';
import type { ReasonKind } from '#contract/recognition-words.ts';
import type { PageText } from '../reading/page-text.ts';
import { type ClientBook, clientBook, companiesOf, findThirdParties } from './batch-view.ts';
import { isInHead } from './labels.ts';
import { matchClient } from './match-client.ts';
import { NameIndex, tradeNames } from './name-index.ts';
import { type PageFacts, readFacts } from './page-facts.ts';
import { compare, identityOf, namesSomebody } from './page-identity.ts';
import type { Known, ProposedDocument, ReadFile, Reason } from './proposal.ts';
import { type PageOfFile, type Piece, separate } from './separate.ts';
import { settlePeriod } from './settle-period.ts';
import { type SettledType, settleType } from './settle-type.ts';
import { StateIdIndex } from './state-ids.ts';
import { TypeIndex } from './type-index.ts';

/** Numbers of forms in file names: a name that names one form is not of another. A form and the sum of such forms go by either. */
const FORM_IN_NAME = /(?<![\d-])(?:(94[01345])|(109[69]))(?!\d)|(?<![a-z\d])(w-?[23])c?(?!\d)/gi;

interface Readers {
  readonly book: ClientBook;
  readonly clientsIn: (name: string) => NamedClients | null;
  readonly typeIn: (name: string) => number | null;
  readonly types: TypeIndex;
  readonly lastYear: number;
}

const UNREAD: ReadonlySet<ReasonKind> = new Set(['pageTooLong', 'pageDamaged']);
const NO_DOCUMENT: ReadonlySet<ReasonKind> = new Set(['separator', 'noText', ...UNREAD]);
const isDocument = ({ reasons }: Piece) => !reasons.some((reason) => NO_DOCUMENT.has(reason));

/** Whether no two pages of a file are of different companies. */
function isOfOneCompany(pages: readonly PageOfFile[]): boolean {
  const named = pages.map(({ identity }) => identity).filter(namesSomebody);
  const [first, ...others] = named;
  return first === undefined || others.every((other) => compare(first, other) === 'same');
}

function formsInName(name: string): string[] {
  return [...name.matchAll(FORM_IN_NAME)].map(([, number, contractor]) => number ?? (contractor ? '109' : 'w-'));
}

function typeReasons(type: SettledType, byName: number | null, fileName: string | null): ReasonKind[] {
  const reasons = [...type.reasons];
  if (type.reportTypeId === null && byName !== null) {
    return [...reasons.filter((reason) => reason !== 'noType'), 'typeByFileName'];
  }
  const named = fileName === null ? [] : formsInName(fileName);
  const own = type.form?.name.toLowerCase() ?? '';
  const isForm = type.form === null || /\d/.test(own);
  if (isForm && own !== '' && named.length > 0 && !named.some((form) => own.startsWith(form)))
    reasons.push('severalTypes');
  return reasons;
}

/** In characters: the longest name that a client may have besides. */
const NAME_MAX = 200;

/**
 * The company that the first page with one names, and no client is called; one that is said to be the company goes first. Of several
 * that nothing introduces, the topmost may be whoever printed the page: then it is nobody.
 */
function printedNameOf(
  pages: readonly PageOfFile[],
  book: ClientBook,
  thirdParties: ReadonlySet<string>,
): string | null {
  for (const { facts } of pages) {
    const [first, ...others] = companiesOf(facts, book, thirdParties)
      .strangers.filter(
        ({ role, box, inFooter, isLow, text }) =>
          !inFooter && !isLow && text.length <= NAME_MAX && (role === 'company' || (role === 'plain' && isInHead(box))),
      )
      .sort(
        (one, other) => Number(other.role === 'company') - Number(one.role === 'company') || one.box.y - other.box.y,
      );
    if (first === undefined) continue;
    return first.role === 'plain' && others.some(({ key }) => key !== first.key) ? null : first.text;
  }
  return null;
}

function propose(
  file: Pick<ReadFile, 'key' | 'name'>,
  piece: Piece,
  readers: Readers,
  thirdParties: ReadonlySet<string>,
  alone: { readonly document: boolean; readonly company: boolean },
): ProposedDocument {
  const { pages } = piece;
  const clientsOf = (text: string) => {
    const clients = readers.clientsIn(text);
    return clients === null ? [] : [{ text, clients }];
  };
  const match = matchClient(pages, {
    book: readers.book,
    thirdParties,
    fileName: alone.company ? (clientsOf(file.name)[0] ?? null) : null,
    bookmarks: piece.bookmarks.flatMap(clientsOf),
  });
  const type = settleType(pages);
  const ownName = alone.document ? file.name : null;
  const byName = ownName === null || type.reportTypeId !== null ? null : readers.typeIn(ownName);
  const { period, ...settled } = settlePeriod(pages, {
    form: type.form,
    heading: type.signals[0]?.text ?? null,
    wants: readers.types.wantsPeriod(type),
    usual: readers.types.usualPeriod(type),
    fileName: ownName,
    lastYear: readers.lastYear,
  });
  // Of a page that could not be read, nobody knows what is missing.
  const found = piece.reasons.some((reason) => UNREAD.has(reason))
    ? []
    : [...match.reasons, ...typeReasons(type, byName, ownName), ...settled.reasons];
  const reasons: Reason[] = [...new Set<ReasonKind>([...piece.reasons, ...found])].map((kind) => ({ kind }));
  const named = byName === null ? [] : [{ kind: 'fileName' as const, text: file.name, marks: [] }];
  return {
    fileKey: file.key,
    fromPage: pages[0]?.facts.page ?? 0,
    toPage: pages.at(-1)?.facts.page ?? 0,
    clientId: match.clientId,
    clients: match.clients,
    reportTypeId: type.reportTypeId ?? byName,
    form: type.form?.name ?? null,
    typeSignals: [...type.signals, ...named],
    period,
    periodSignals: settled.signals,
    correction: type.isCorrection || (ownName !== null && namesCorrection(ownName)),
    heading: pages[0]?.facts.heading ?? null,
    printedName: printedNameOf(pages, readers.book, thirdParties),
    state: reasons.length === 0 ? 'ready' : 'toCheck',
    reasons,
  };
}

/** Its pages are taken one after the other, each once. */
type GivenFile = Omit<ReadFile, 'pages'> & { readonly pages: Iterable<PageText> };

/** The documents of a whole batch, by file and page: what stands on most of its pages is known only once all are read. */
export function recognise(files: readonly GivenFile[], known: Known): ProposedDocument[] {
  const types = new TypeIndex(known.reportTypes);
  const clients = known.clients.map((client) => ({ ...client, names: client.names.flatMap(tradeNames) }));
  const book = clientBook(clients);
  const indexes = { names: new NameIndex(clients), stateIds: new StateIdIndex(clients), types };
  const readers: Readers = {
    book,
    clientsIn: clientReader(clients),
    typeIn: reportTypeProposer(known.reportTypes),
    types,
    lastYear: known.lastYear,
  };
  const read = files.map(({ pages }) =>
    Array.from(pages, (page, index): PageFacts => readFacts(page, index + 1, indexes)),
  );
  const thirdParties = findThirdParties(read.flat(), book);
  return files.flatMap((file, index) => {
    const pages = (read[index] ?? []).map((facts) => ({ facts, identity: identityOf(facts, book, thirdParties) }));
    const pieces: readonly Piece[] =
      pages.length === 0 ? [{ pages: [], bookmarks: [], reasons: ['noText'] }] : separate(pages, file.bookmarks);
    const alone = { document: pieces.filter(isDocument).length <= 1, company: isOfOneCompany(pages) };
    return pieces.map((piece) => propose(file, piece, readers, thirdParties, alone));
  });
}
