// Separation: which pages of a file are one document.
import { PERIOD_KINDS, type PeriodKind } from '#contract/period.ts';
import type { ReasonKind } from '#contract/recognition-words.ts';
import type { Bookmark } from '../reading/page-text.ts';
import type { PageFacts } from './page-facts.ts';
import { compare, type Identity, namesSomebody } from './page-identity.ts';
import { goesOnWith } from './page-table.ts';
import type { TypeHit } from './page-type.ts';

export interface PageOfFile {
  readonly facts: PageFacts;
  readonly identity: Identity;
}

export interface Piece {
  readonly pages: readonly PageOfFile[];
  readonly bookmarks: readonly string[];
  /** What is wrong with the pages themselves. */
  readonly reasons: readonly ReasonKind[];
}

interface OpenPiece {
  readonly pages: PageOfFile[];
  readonly bookmarks: string[];
  readonly kind: keyof typeof KIND_REASONS;
  /** It has pages that look like its own and do not say whose they are. */
  isDoubtful: boolean;
  /** The page after it says that it goes on with one, and names somebody else, or was misread. */
  lacksNext: boolean;
}

const isFront = ({ facts }: PageOfFile) => !facts.isBlank;
const headOf = (facts: PageFacts): TypeHit | undefined => facts.types.find(({ rank }) => rank > 1);
const laterOf = (facts: PageFacts): TypeHit | undefined => facts.types.find(({ laterPage }) => laterPage);

/** Whether the file speaks of several companies or things, so that it cannot be one document. */
function isMixed(pages: readonly PageOfFile[]): boolean {
  const named = pages.filter(({ identity }) => namesSomebody(identity));
  const heads = pages.flatMap(({ facts }) => headOf(facts) ?? []);
  // One return says what it is on its first page alone.
  const titled = pages.filter(({ facts }) => {
    const hit = headOf(facts);
    return hit?.isTitle === true && hit.form?.perPerson !== true;
  });
  const [first, head, title] = [named[0], heads[0], titled[0]];
  return (
    named.some(({ identity }) => first !== undefined && compare(identity, first.identity) === 'different') ||
    heads.some((other) => head !== undefined && otherHead(other, head)) ||
    titled.some(({ facts }) => title !== undefined && otherPeriod(facts, title.facts))
  );
}

/** Page numbers that run through a whole print file say nothing about its documents. */
function numbersWholeFile(pages: readonly PageOfFile[]): boolean {
  // As whoever printed it counted: without the backs.
  const fronts = pages.filter(isFront);
  const numbered = fronts.filter(({ facts }) => facts.pageNumber !== null);
  return (
    numbered.length > 1 &&
    fronts.every(({ facts: { pageNumber, page } }, index) => {
      if (pageNumber === null) return true;
      const counts = [page, index + 1].includes(pageNumber.number);
      return counts && (pageNumber.of === null || pageNumber.of === pages.length || pageNumber.of === fronts.length);
    })
  );
}

const isFirstPage = ({ pageNumber }: PageFacts, useNumbers: boolean) => useNumbers && pageNumber?.number === 1;

/** Whether a page's number follows the last one's, as 'Page 2 of 3' follows 'Page 1 of 3'. */
function numberFollows(facts: PageFacts, before: PageFacts, useNumbers: boolean): boolean | null {
  const [now, last] = [facts.pageNumber, before.pageNumber];
  if (!useNumbers || now === null) return null;
  if (last === null) return now.number === 1 ? false : null;
  return now.number === last.number + 1 && now.of === last.of;
}

/** Two heads that name different things. */
function otherHead(one: TypeHit, other: TypeHit): boolean {
  if (one.form !== null && other.form !== null) return one.form.name !== other.form.name;
  return one.reportTypeId !== other.reportTypeId;
}

/** Pay dates, months, quarters or years that a page and the document before it cannot both be for. */
function otherPeriod(one: PageFacts, other: PageFacts): boolean {
  const periods = (facts: PageFacts, kind: PeriodKind) =>
    new Set(facts.periods.filter((found) => found.kind === kind).map(({ period }) => period));
  return PERIOD_KINDS.some((kind) => {
    const [mine, others] = [periods(one, kind), periods(other, kind)];
    return mine.size === 1 && others.size === 1 && ![...mine].some((period) => others.has(period));
  });
}

type Step = 'starts' | 'goesOn' | 'maybeGoesOn' | 'unclaimed';

/**
 * Whether a later page of a form goes on with a document: where it is of that form, and the page is not there yet. What each person gets
 * one of has its notices and instructions as often.
 */
const hasPlaceFor = ({ types }: PageFacts, pages: readonly PageOfFile[]): boolean =>
  types.some(
    (later) =>
      later.laterPage &&
      pages.some(({ facts }) => headOf(facts)?.form?.name === later.form?.name) &&
      (later.form?.perPerson === true || !pages.some(({ facts }) => laterOf(facts)?.text === later.text)),
  );

/** Whether what a last page says beside its table stands on the first page too: what is not recognised there may be another company. */
const namesNoOther = ({ end }: PageFacts, { table }: PageFacts): boolean =>
  [...(end ?? [])].every((text) => table?.above.has(text) === true);

/** Whether a page has nothing but the table of a document's first page, and names nobody who does not stand there. */
const goesOnWithTable = ({ facts, identity }: PageOfFile, first: PageOfFile): boolean =>
  goesOnWith(facts.table, first.facts.table) &&
  namesNoOther(facts, first.facts) &&
  !otherPeriod(facts, first.facts) &&
  [...identity.keys].every((key) => first.identity.keys.has(key)) &&
  [...identity.strangers].every((key) => first.identity.strangers.has(key));

/** Whether a page says that a report ends, and `namesNoOther`. */
const ends = (facts: PageFacts, first: PageFacts, last: PageFacts): boolean =>
  facts.end !== null && last.end === null && namesNoOther(facts, first) && !otherPeriod(facts, first);

/** Whether a page without a known heading is titled as something that a document's first page is not. */
const isTitledOtherwise = (facts: PageFacts, first: PageFacts): boolean =>
  headOf(facts) === undefined && facts.otherTitles.some((title) => !first.otherTitles.includes(title));

/** Whether a page begins a document, goes on with the one before it, looks as if it did, or says nothing. */
function stepOf(page: PageOfFile, open: OpenPiece, useNumbers: boolean, bookmarked: boolean): Step {
  const { facts } = page;
  const first = open.pages[0] as PageOfFile;
  const last = open.pages.findLast(isFront) ?? first;
  const likenesses = open.pages.map(({ identity }) => compare(page.identity, identity));
  const likeness = likenesses.includes('different') ? 'different' : likenesses.includes('same') ? 'same' : 'silent';
  const follows = numberFollows(facts, last.facts, useNumbers);
  if (goesOnWithTable(page, first)) return 'goesOn';
  if (likeness === 'different') return 'starts';
  if (page.identity.mixed !== first.identity.mixed && follows !== true) return 'starts';
  if (isFirstPage(facts, useNumbers)) return 'starts';
  if (bookmarked && follows !== true) return 'starts';
  const head = headOf(facts);
  const firstHead = headOf(first.facts);
  if (laterOf(facts) !== undefined) return follows === true || hasPlaceFor(facts, open.pages) ? 'goesOn' : 'starts';
  if (head !== undefined) {
    const changes = firstHead === undefined || otherHead(head, firstHead);
    if (changes && follows !== true) {
      const goesWith =
        head.form?.goesWith?.includes(firstHead?.form?.name ?? '') === true &&
        head.reportTypeId === firstHead?.reportTypeId &&
        likeness === 'same' &&
        !otherPeriod(facts, first.facts);
      return goesWith ? 'goesOn' : 'starts';
    }
    if (!changes && follows !== true) {
      if (head.isTitle && head.form?.perPerson !== true) return 'starts';
      if (otherPeriod(facts, first.facts)) return 'starts';
    }
  }
  if (follows === true) return 'goesOn';
  if (follows === false && facts.pageNumber?.number !== 1 && likeness !== 'same') return 'unclaimed';
  if (likeness === 'same') return isTitledOtherwise(facts, first.facts) ? 'maybeGoesOn' : 'goesOn';
  if (head === undefined && likeness === 'silent' && ends(facts, first.facts, last.facts)) return 'goesOn';
  if (head?.form?.perPerson === true) return namesSomebody(first.identity) ? 'unclaimed' : 'goesOn';
  const framed = facts.frame.some((line) => first.facts.frame.includes(line) || last.facts.frame.includes(line));
  // Another company's page of the same report looks the same, where its name is not recognised.
  return framed || head !== undefined ? 'maybeGoesOn' : 'unclaimed';
}

/** Fewer pages than `page 1 of 3` promises, no first page, or none beside one that says it goes on. */
function lacksPages({ pages, lacksNext }: OpenPiece, useNumbers: boolean): boolean {
  if (lacksNext || pages[0]?.facts.isContinued === true) return true;
  if (!useNumbers) return false;
  const numbers = pages.flatMap(({ facts }) => facts.pageNumber ?? []);
  const promised = Math.max(0, ...numbers.map(({ of }) => of ?? 0));
  const startsLate = (pages[0]?.facts.pageNumber?.number ?? 1) > 1;
  return (
    startsLate ||
    promised > pages.filter(isFront).length ||
    (pages[0] !== undefined && laterOf(pages[0].facts) !== undefined)
  );
}

/** Whether all pages that name a company name the same one, and one page at most begins a document. */
function isOneDocument(pieces: readonly OpenPiece[]): boolean {
  const documents = pieces.filter(({ kind }) => kind === 'document');
  return documents.length === 1 && pieces.every(({ kind }) => kind === 'document' || kind === 'unclaimed');
}

const KIND_REASONS = {
  document: [],
  unclaimed: ['unclaimedPages'],
  noText: ['noText'],
  tooLong: ['pageTooLong'],
  damaged: ['pageDamaged'],
  separator: ['separator'],
} as const;

/** A page that could not be read may be anything: it stands by itself, and says why. */
const kindWithoutText = ({ unread }: PageFacts) => unread ?? 'noText';

export function separate(pages: readonly PageOfFile[], bookmarks: readonly Bookmark[]): Piece[] {
  const useNumbers = !(numbersWholeFile(pages) && isMixed(pages));
  // One entry for the whole file parts nothing.
  const titles = new Map<number, string[]>();
  for (const { page, title } of bookmarks) titles.set(page, [...(titles.get(page) ?? []), title]);
  const parts = titles.size > 1;

  const pieces: OpenPiece[] = [];
  for (const page of pages) {
    const { facts } = page;
    const open = pieces.at(-1);
    const named = titles.get(facts.page) ?? [];
    const begin = (kind: OpenPiece['kind']) =>
      pieces.push({ kind, pages: [page], bookmarks: named, isDoubtful: false, lacksNext: false });
    // The back of a sheet goes with its front, whatever that is.
    if (facts.isBlank && open !== undefined && !(parts && named.length > 0)) {
      open.pages.push(page);
      continue;
    }
    if (!facts.hasText || facts.isSeparator) {
      const kind = facts.hasText ? 'separator' : kindWithoutText(facts);
      if (open?.kind === kind && !(parts && named.length > 0)) open.pages.push(page);
      else begin(kind);
      continue;
    }
    const isDocument = open?.kind === 'document';
    const step = isDocument ? stepOf(page, open, useNumbers, parts && named.length > 0) : 'starts';
    const goesOn = step === 'goesOn' || step === 'maybeGoesOn';
    if (open !== undefined && facts.isContinued) open.lacksNext ||= !goesOn;
    if (open !== undefined && goesOn) {
      open.pages.push(page);
      open.isDoubtful ||= step === 'maybeGoesOn';
    } else if (step === 'starts') begin(saysNothing(page) && open !== undefined ? 'unclaimed' : 'document');
    else begin('unclaimed');
    joinUnclaimed(pieces);
  }
  const joined = isOneDocument(pieces) ? [mergeAll(pieces)] : pieces;
  return joined.map((piece) => ({
    pages: piece.pages,
    bookmarks: piece.bookmarks,
    reasons: [
      ...KIND_REASONS[piece.kind],
      ...(piece.isDoubtful ? (['unclaimedPages'] as const) : []),
      ...(lacksPages(piece, useNumbers) ? (['missingPages'] as const) : []),
    ],
  }));
}

const saysNothing = ({ facts, identity }: PageOfFile) => !namesSomebody(identity) && headOf(facts) === undefined;

/** Pages that nobody claims, one after the other, are one piece. */
function joinUnclaimed(pieces: OpenPiece[]): void {
  const [before, last] = pieces.slice(-2);
  if (before?.kind !== 'unclaimed' || last?.kind !== 'unclaimed') return;
  before.pages.push(...last.pages);
  pieces.pop();
}

/** A file of one document: its pages without a word about themselves belong to it too, and a person sees that they do. */
function mergeAll(pieces: readonly OpenPiece[]): OpenPiece {
  return {
    kind: 'document',
    pages: pieces.flatMap((piece) => piece.pages),
    bookmarks: pieces.flatMap((piece) => piece.bookmarks),
    isDoubtful: pieces.some(({ kind, isDoubtful }) => isDoubtful || kind === 'unclaimed'),
    lacksNext: false,
  };
}
