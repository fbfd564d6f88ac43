// All that one page says, found once: whoever looks at the batch as a whole reads this and no longer the page.
import type { PageText, PictureFault } from '../reading/page-text.ts';
import { readAchFile } from './ach-file.ts';
import { type FoundName, type FoundStranger, findNames } from './client-names.ts';
import { type FoundId, type FoundMask, findFederalIds, findMaskedIds } from './federal-ids.ts';
import type { FoundPeriod, UnreadDay } from './found-periods.ts';
import { thirdPartyZones } from './labels.ts';
import type { NameIndex } from './name-index.ts';
import { headingOf } from './page-heading.ts';
import { type PageNumber, pageNumberOf } from './page-numbers.ts';
import { findPeriods } from './page-periods.ts';
import { endOf, type PageTable, tableOf } from './page-table.ts';
import { findTypes, type TypeHit } from './page-type.ts';
import { type Box, type PageWords, readWords } from './page-words.ts';
import { type FoundStateId, findStateIds, type StateIdIndex } from './state-ids.ts';
import type { TypeIndex } from './type-index.ts';

export interface PageFacts {
  /** In its file, the first being 1. */
  readonly page: number;
  readonly ids: readonly FoundId[];
  readonly maskedIds: readonly FoundMask[];
  readonly names: readonly FoundName[];
  readonly strangers: readonly FoundStranger[];
  readonly stateIds: readonly FoundStateId[];
  readonly heading: string | null;
  readonly types: readonly TypeHit[];
  /** Titles of what is not known, or of another paper than they seem, in plain letters without digits. */
  readonly otherTitles: readonly string[];
  readonly periods: readonly FoundPeriod[];
  readonly unreadDays: readonly UnreadDay[];
  /** It is for less than a month: no wider period says enough. */
  readonly isPartial: boolean;
  readonly pageNumber: PageNumber | null;
  readonly hasText: boolean;
  /** The back of a sheet: nothing stands on it at all. */
  readonly isBlank: boolean;
  /** Why it could not be read; null where it could. */
  readonly unread: PictureFault | null;
  readonly isSeparator: boolean;
  /** Its first and last lines without digits: pages of one report have them in common. */
  readonly frame: readonly string[];
  readonly table: PageTable | null;
  /** What else stands on it above its table, where it says that a report ends here; null where it does not. */
  readonly end: ReadonlySet<string> | null;
  /** It says at its top that it goes on with the page before it. */
  readonly isContinued: boolean;
}

const SEPARATOR =
  /separator|patch (?:code|t\b)|end of (?:batch|client|company)|intentionally (?:left )?blank|document break|cover sheet/i;
/** Said of the page: by itself, in brackets, after a dash, a number or the title of a report, or where from; within a name it says nothing. */
const CONTINUED = [
  /\bcont[’']d\b/i,
  /\bcontinued from\b/i,
  /[([]\s*continued\b/i,
  /(?:^|[-–—,.…\d]|\b(?:journal|register|report|summary|statement|ledger|listing|list|details?|schedule|form|page))\W*\bcontinued\W*$/i,
];
/** So many lines are the top of a page. */
const TOP_LINES = 3;
/** A sheet that parts documents says little else. */
const SEPARATOR_LETTERS = 160;
/** A line this short is found on any page. */
const FRAME_LETTERS = 8;

function frameOf(page: PageWords): string[] {
  const lines = [...page.lines.slice(0, 3), ...page.lines.slice(-1)].map((line) =>
    line
      .flatMap((cell) => cell.words.map(({ plain }) => plain))
      .join('')
      .replace(/\d+/g, ''),
  );
  return lines.filter((line) => line.length >= FRAME_LETTERS);
}

function saysSeparator(page: PageWords): boolean {
  const text = page.cells.map((cell) => cell.text).join(' ');
  return text.length <= SEPARATOR_LETTERS && SEPARATOR.test(text);
}

/** Beside the names of clients in it, which may end so themselves. */
function saysContinued({ text }: { readonly text: string }, names: readonly FoundName[]): boolean {
  const beside = names.reduce((rest, name) => (name.how === 'part' ? rest : rest.replaceAll(name.text, '')), text);
  return CONTINUED.some((words) => words.test(beside));
}

/** What clients and report types are found by. */
export interface Indexes {
  readonly names: NameIndex;
  readonly stateIds: StateIdIndex;
  readonly types: TypeIndex;
}

/** What no file says of itself that is made for programs. */
const NO_PAGE = {
  maskedIds: [],
  stateIds: [],
  otherTitles: [],
  heading: null,
  hasText: true,
  isBlank: false,
  unread: null,
  isSeparator: false,
  frame: [],
  table: null,
  end: null,
  isContinued: false,
} as const;

export function readFacts(text: PageText, page: number, { names, stateIds, types }: Indexes): PageFacts {
  const achFile = readAchFile(text, names, types);
  if (achFile !== null) {
    const { unread: unreadDays, ...said } = achFile;
    return { ...NO_PAGE, ...said, page, unreadDays };
  }
  const words = readWords(text);
  const zones = thirdPartyZones(words);
  const found = findNames(words, zones, names);
  const { types: hits, otherTitles } = findTypes(words, types, found.clients);
  const best = hits[0];
  const onPage = <Found extends { readonly box: Box }>(all: readonly Found[]) =>
    all.map((each) => ({ ...each, box: words.onPage(each.box) }));
  const { periods, unread, isPartial } = findPeriods(words, best !== undefined && best.rank > 1 ? best.line : null);
  return {
    page,
    ids: onPage(findFederalIds(words, zones)),
    maskedIds: findMaskedIds(words, zones),
    names: onPage(found.clients),
    strangers: onPage(found.strangers),
    stateIds: onPage(findStateIds(words, zones, stateIds)),
    heading: headingOf(words, zones, { ...found, types: hits }, text.tableTop),
    types: onPage(hits),
    otherTitles,
    periods: onPage(periods),
    unreadDays: onPage(unread),
    isPartial,
    pageNumber: pageNumberOf(words),
    hasText: words.cells.length > 0,
    isBlank: text.blank === true && words.cells.length === 0,
    unread: text.unread ?? null,
    isSeparator: saysSeparator(words),
    frame: frameOf(words),
    table: tableOf(words),
    end: endOf(words),
    isContinued: words.lines
      .slice(0, TOP_LINES)
      .some((line) => line.some((cell) => saysContinued(cell, found.clients))),
  };
}
