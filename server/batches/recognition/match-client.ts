// Matching: whose a document is. Two signals that agree make it a client's; anything that speaks against it sends it to a person.

import type { NamedClients } from '#contract/propose.ts';
import type { ReasonKind, SignalKind } from '#contract/recognition-words.ts';
import { type ClientBook, companiesOf, nameKeys, type PageCompanies, strangerKey } from './batch-view.ts';
import type { FoundName } from './client-names.ts';
import { digitsOf, type FoundMask } from './federal-ids.ts';
import { isInHead } from './labels.ts';
import type { Box } from './page-words.ts';
import type { ClientCandidate, Mark, Signal } from './proposal.ts';
import type { PageOfFile } from './separate.ts';

/** What is known of a document besides its pages. */
export interface Around {
  readonly book: ClientBook;
  readonly thirdParties: ReadonlySet<string>;
  /** The file's name with the clients it speaks of; null where the file holds several companies, so that its name says nothing. */
  readonly fileName: { readonly text: string; readonly clients: NamedClients } | null;
  readonly bookmarks: readonly { readonly text: string; readonly clients: NamedClients }[];
}

export interface Match {
  readonly clientId: number | null;
  readonly clients: readonly ClientCandidate[];
  readonly reasons: readonly ReasonKind[];
}

type Found<T> = T & { readonly page: number };

type Evidence = { readonly [Kind in keyof PageCompanies]: readonly Found<PageCompanies[Kind][number]>[] } & {
  /** How many pages have text. */
  readonly pages: number;
  readonly maskedIds: readonly FoundMask[];
};

function evidenceOf(pages: readonly PageOfFile[], around: Around): Evidence {
  const found = pages.map(({ facts }) => ({
    page: facts.page,
    ...companiesOf(facts, around.book, around.thirdParties),
  }));
  return {
    pages: pages.filter(({ facts }) => facts.hasText).length,
    maskedIds: pages.flatMap(({ facts }) => facts.maskedIds),
    ids: found.flatMap(({ page, ids }) => ids.map((id) => ({ ...id, page }))),
    names: found.flatMap(({ page, names }) => names.map((name) => ({ ...name, page }))),
    strangers: found.flatMap(({ page, strangers }) => strangers.map((name) => ({ ...name, page }))),
    stateIds: found.flatMap(({ page, stateIds }) => stateIds.map((id) => ({ ...id, page }))),
  };
}

const markOf = ({ page, box }: { readonly page: number; readonly box: Box }): Mark => ({ page, ...box });

/** What was found alike on several pages is one signal with several marks. */
function gathered(kind: SignalKind, found: readonly Found<{ readonly text: string; readonly box: Box }>[]): Signal[] {
  const [first] = found;
  return first === undefined ? [] : [{ kind, text: first.text, marks: found.map(markOf) }];
}

/** A name this long is told from a word of the language. */
const TELLING_LETTERS = 8;
const isTelling = (name: FoundName) =>
  name.names.some(({ kind, count, core }) => kind === 'legalName' || count > 1 || core.length >= TELLING_LETTERS);

const speaksOf = (name: FoundName, clientId: number) => name.names.some((known) => known.clientId === clientId);

interface Judged {
  readonly candidate: ClientCandidate;
  /** How many things speak for it that do not depend on each other. */
  readonly sources: number;
  readonly weight: number;
  readonly against: readonly ReasonKind[];
}

const WEIGHTS: Partial<Record<SignalKind, number>> = {
  federalId: 8,
  stateId: 7,
  legalName: 6,
  otherName: 5,
  bookmark: 4,
  fileName: 3,
  cutName: 2,
};

function judge(clientId: number, evidence: Evidence, around: Around): Judged {
  const client = around.book.byId.get(clientId);
  const digits = digitsOf(client?.federalId ?? '');
  const { fileName, bookmarks } = around;
  const body = <T extends { readonly inFooter: boolean }>(found: readonly T[]) =>
    found.filter((each) => !each.inFooter);

  const ids = body(evidence.ids).filter((id) => digits !== '' && id.digits === digits);
  const stateIds = evidence.stateIds.filter((id) => id.clientId === clientId);
  const named = (how: FoundName['how'], kind: 'legalName' | 'otherName') =>
    body(evidence.names).filter(
      (name) => name.how === how && name.names.some((known) => known.clientId === clientId && known.kind === kind),
    );
  const legal = named('whole', 'legalName');
  const other = named('whole', 'otherName');
  const cut = [...named('cut', 'legalName'), ...named('cut', 'otherName')];
  const inFileName = fileName?.clients.ids.includes(clientId) === true;
  const inBookmarks = bookmarks.filter(({ clients }) => clients.ids.includes(clientId));
  const signals: Signal[] = [
    ...gathered('federalId', ids),
    ...gathered('stateId', stateIds),
    ...gathered('legalName', legal),
    ...gathered('otherName', other),
    ...gathered('cutName', cut),
    ...inBookmarks.slice(0, 1).map(({ text }) => ({ kind: 'bookmark' as const, text, marks: [] })),
    ...(inFileName && fileName !== null ? [{ kind: 'fileName' as const, text: fileName.text, marks: [] }] : []),
  ];

  // Only what speaks of no other client counts; a federal id that two share, or a name that two bear, counts beside what tells them apart.
  const sharing = around.book.byFederalId.get(digits) ?? [];
  const names = [...legal, ...other];
  const ownName = names.some(({ names: known }) => known.every((each) => each.clientId === clientId));
  const idTells = ids.length > 0 && sharing.length === 1;
  const stateTells = stateIds.length > 0;
  const nameTells = ownName || ((idTells || stateTells) && names.length > 0);
  const fileTells = inFileName && fileName?.clients.ids.length === 1 && fileName.clients.by !== 'initials';
  const bookmarkTells = inBookmarks.some(({ clients }) => clients.ids.length === 1 && isStrong(clients));
  // A page's own company stands in its upper part somewhere; who stands below alone has prepared it.
  const isUp = stateTells || [...ids, ...names].some((found) => !found.isLow);
  const onPage = (idTells || ownName) && isUp;
  const sources =
    Number(isUp && (idTells || (ids.length > 0 && (ownName || stateTells)))) +
    Number(isUp && (nameTells || ((idTells || stateTells) && cut.length > 0))) +
    Number(stateTells) +
    Number(onPage && fileTells) +
    Number(onPage && bookmarkTells);
  return {
    candidate: { clientId, signals },
    sources,
    weight: signals.reduce((sum, { kind }) => sum + (WEIGHTS[kind] ?? 0), 0),
    against: [...new Set(contradictions(clientId, digits, ids.length > 0, evidence, around))],
  };
}

/** File names and bookmarks that name a client in full, not by its first words or initials. */
const isStrong = ({ by }: NamedClients) => by === 'federalId' || by === 'wholeName';

/** In points: no page is higher, so that places sort by page and then from top to bottom. */
const PAGE_HEIGHT = 100_000;
const placeOf = ({ page, box }: { readonly page: number; readonly box: Box }) => page * PAGE_HEIGHT + box.y;
const firstPlace = (found: readonly { readonly page: number; readonly box: Box }[]): number | null =>
  found.length === 0 ? null : Math.min(...found.map(placeOf));

const pagesOf = (found: readonly { readonly page: number }[]) => new Set(found.map(({ page }) => page)).size;

/**
 * The names that stand on all pages of a document, on more than those that name the client: the bureau's letterhead. Only where the
 * client's own federal id is there, and said to be the company's.
 */
function letterheads(
  clientId: number,
  digits: string,
  { pages, ids, names, strangers }: Evidence,
): ReadonlySet<string> {
  const own = [...ids.filter((id) => id.digits === digits), ...names.filter((name) => speaksOf(name, clientId))];
  if (pagesOf(own) >= pages || !ids.some((id) => id.digits === digits && id.role === 'company')) return new Set();
  const others = [
    ...strangers.map((name) => ({ page: name.page, key: strangerKey(name) })),
    ...names.map((name) => ({ page: name.page, key: nameKeys(name).join() })),
  ];
  const keys = [...new Set(others.map(({ key }) => key))];
  return new Set(keys.filter((key) => pagesOf(others.filter((other) => other.key === key)) === pages));
}

/** Everything in a document that speaks of somebody else. */
function contradictions(
  clientId: number,
  digits: string,
  hasOwnId: boolean,
  evidence: Evidence,
  { book, fileName, bookmarks }: Around,
): ReasonKind[] {
  const { ids, maskedIds, names, strangers, stateIds } = evidence;
  const heads = letterheads(clientId, digits, evidence);
  const reasonFor = (ids: readonly number[]): ReasonKind =>
    ids.every((id) => book.byId.get(id)?.outOfReach === true) ? 'anotherCompany' : 'contradiction';
  const against: ReasonKind[] = [];
  // Below a report whose head has the company's own federal id stands whoever printed it.
  const isHeaded = ids.some((id) => id.digits === digits && id.role === 'company' && isInHead(id.box));
  const hasPrinted = ({ inFooter }: { readonly inFooter: boolean }) => inFooter && isHeaded;
  for (const id of ids) {
    if (id.digits === digits || hasPrinted(id)) continue;
    const others = book.byFederalId.get(id.digits);
    if (others !== undefined) against.push(reasonFor(others));
    // A number that nobody introduces may be anything, once the company's own stands there.
    else if (id.role === 'company' ? !id.inFooter || !hasOwnId : !hasOwnId) against.push('anotherCompany');
  }
  // Whose a masked one is, nobody knows: only that none of them is the client's.
  const isMasked = maskedIds.length > 0 && digits !== '' && !hasOwnId;
  if (isMasked && !maskedIds.some(({ ending }) => digits.endsWith(ending))) against.push('contradiction');
  for (const name of names) {
    if (heads.has(nameKeys(name).join()) || hasPrinted(name)) continue;
    const speaks = speaksOf(name, clientId);
    if (
      name.how === 'otherKind' ? speaks : (name.how === 'whole' || name.how === 'cut') && !speaks && isTelling(name)
    ) {
      against.push(name.how === 'otherKind' ? 'anotherCompany' : reasonFor(name.names.map((known) => known.clientId)));
    }
  }
  for (const id of stateIds) if (id.clientId !== clientId) against.push(reasonFor([id.clientId]));
  // A page's company stands above those it deals with: whoever stands above it, or in the head below a letterhead, may be the company itself.
  const first = firstPlace([
    ...ids.filter((id) => id.digits === digits),
    ...names.filter((name) => name.how === 'whole' && speaksOf(name, clientId)),
  ]);
  for (const stranger of strangers) {
    if ((stranger.inFooter && hasOwnId) || heads.has(strangerKey(stranger))) continue;
    const above = first === null || placeOf(stranger) < first || isInHead(stranger.box);
    if (stranger.role === 'company' || !hasOwnId || above) against.push('anotherCompany');
  }
  for (const { clients } of [...bookmarks, ...(fileName === null ? [] : [fileName])]) {
    if (isStrong(clients) && !clients.ids.includes(clientId)) against.push(reasonFor(clients.ids));
  }
  return against;
}

/** A document that speaks of more clients than this is a list of them, and nobody's. */
const MOST_JUDGED = 40;
/** As many as a person chooses from. */
const MOST_CANDIDATES = 12;

export function matchClient(pages: readonly PageOfFile[], around: Around): Match {
  const evidence = evidenceOf(pages, around);
  const spokenOf = new Set([
    ...evidence.ids.flatMap(({ digits }) => around.book.byFederalId.get(digits) ?? []),
    ...evidence.names
      .filter(({ how }) => how !== 'otherKind')
      .flatMap(({ names }) => names.map((known) => known.clientId)),
    ...evidence.stateIds.map(({ clientId }) => clientId),
    ...around.bookmarks.flatMap(({ clients }) => clients.ids),
    ...(around.fileName?.clients.ids ?? []),
  ]);
  const isReached = (id: number) => around.book.byId.get(id)?.outOfReach !== true;
  const reached = [...spokenOf].filter(isReached);
  const judged = reached
    .slice(0, MOST_JUDGED)
    .map((id) => judge(id, evidence, around))
    .filter(({ candidate }) => candidate.signals.length > 0)
    .sort((one, other) => other.weight - one.weight || one.candidate.clientId - other.candidate.clientId);
  const clients = judged.slice(0, MOST_CANDIDATES).map(({ candidate }) => candidate);
  if (reached.length > MOST_JUDGED) return { clientId: null, clients, reasons: ['severalClients'] };
  const [best, next] = judged;
  const hidden = [...spokenOf].some((id) => !isReached(id));
  if (best === undefined) {
    const another = hidden || evidence.ids.length > 0 || evidence.strangers.length > 0;
    return { clientId: null, clients, reasons: [another ? 'anotherCompany' : 'noClient'] };
  }
  const alike = next !== undefined && next.weight === best.weight;
  const reasons: ReasonKind[] = [];
  if (alike || (next !== undefined && next.sources > 1)) reasons.push('severalClients');
  if (best.sources < 2 && !alike) reasons.push('oneSignal');
  reasons.push(...best.against);
  return { clientId: alike ? null : best.candidate.clientId, clients, reasons };
}
