// What the whole batch says about the companies on its pages: who stands on most of them is nobody's.
import type { FoundName, FoundStranger } from './client-names.ts';
import { digitsOf, type FoundId } from './federal-ids.ts';
import type { PageFacts } from './page-facts.ts';
import type { KnownClient } from './proposal.ts';
import type { FoundStateId } from './state-ids.ts';

/** Pages, and companies beside it, from which on somebody is taken for a third party. */
const FEWEST = 3;
/** The share of its pages on which another company stands too. */
const SHARED = 0.8;
/** Federal ids and clients need more: also to stand on half of all pages, or beside this many. */
const MANY_BESIDE = 6;

/** Companies on a page: where there are more it is a list of them, which says nothing about who stands on every page. */
const LONGEST_LIST = 40;

export interface ClientBook {
  readonly byId: ReadonlyMap<number, KnownClient>;
  /** Several clients may share a federal id. */
  readonly byFederalId: ReadonlyMap<string, readonly number[]>;
}

export function clientBook(clients: readonly KnownClient[]): ClientBook {
  const byFederalId = new Map<string, number[]>();
  for (const { id, federalId } of clients) {
    const digits = digitsOf(federalId);
    if (digits === '') continue;
    const there = byFederalId.get(digits);
    if (there === undefined) byFederalId.set(digits, [id]);
    else there.push(id);
  }
  return { byId: new Map(clients.map((client) => [client.id, client])), byFederalId };
}

/** Whether a number on a page is a company's federal id at all. */
const isCompanyId = (id: FoundId, book: ClientBook): boolean =>
  id.role === 'company' || (id.role === 'plain' && (id.hyphened || book.byFederalId.has(id.digits)));

/** Companies as the batch counts them. A client's federal id and its names are counted apart: a bureau prints one, or both. */
export const idKey = ({ digits }: FoundId): string => `id ${digits}`;
export const nameKeys = ({ names }: FoundName): string[] => names.map(({ clientId }) => `client ${clientId}`);
/** As if it were named there. */
const stateIdClient = ({ clientId }: FoundStateId): string => `client ${clientId}`;
export const strangerKey = ({ key }: FoundStranger): string => `name ${key}`;

/** Everybody who stands on a page and is not said to be somebody else. */
function keysOf(facts: PageFacts, book: ClientBook): Set<string> {
  return new Set([
    ...facts.ids.filter((id) => isCompanyId(id, book)).map(idKey),
    ...facts.names.filter(({ how, role }) => how === 'whole' && role !== 'thirdParty').flatMap(nameKeys),
    ...facts.strangers.filter(({ role }) => role !== 'thirdParty').map(strangerKey),
    ...facts.stateIds.map(stateIdClient),
  ]);
}

/** The other keys of the same client. */
function ownKeys(key: string, book: ClientBook): Set<string> {
  const [kind, rest = ''] = key.split(' ');
  if (kind === 'id') return new Set(book.byFederalId.get(rest)?.map((id) => `client ${id}`));
  const client = kind === 'client' ? book.byId.get(Number(rest)) : undefined;
  return new Set(client === undefined ? [] : [`id ${digitsOf(client.federalId)}`]);
}

/** How somebody stands in the batch. */
class Standing {
  pages = 0;
  shared = 0;
  readonly #own: ReadonlySet<string>;
  /** By kind: a company that is named and numbered must not count twice. */
  readonly #beside = new Map<string, Set<string>>();

  constructor(own: ReadonlySet<string>) {
    this.#own = own;
  }

  add(key: string, keys: ReadonlySet<string>): void {
    this.pages += 1;
    let isShared = false;
    for (const other of keys) {
      if (other === key || this.#own.has(other)) continue;
      isShared = true;
      const kind = other.slice(0, other.indexOf(' '));
      const those = this.#beside.get(kind);
      if (those === undefined) this.#beside.set(kind, new Set([other]));
      else those.add(other);
    }
    if (isShared) this.shared += 1;
  }

  /** How many companies it stands beside. */
  get beside(): number {
    return Math.max(0, ...[...this.#beside.values()].map(({ size }) => size));
  }
}

function standings(pages: readonly ReadonlySet<string>[], book: ClientBook): Map<string, Standing> {
  const found = new Map<string, Standing>();
  for (const keys of pages) {
    for (const key of keys) {
      let standing = found.get(key);
      if (standing === undefined) {
        standing = new Standing(ownKeys(key, book));
        found.set(key, standing);
      }
      standing.add(key, keys);
    }
  }
  return found;
}

/**
 * The keys of those who stand beside many different companies: the bureau, its bank. The one beside the most goes first, and the
 * rest is judged without it, so that a company is not taken for a third party because two others stand on its pages.
 */
export function findThirdParties(pages: readonly PageFacts[], book: ClientBook): ReadonlySet<string> {
  const left = pages.map((facts) => keysOf(facts, book)).filter(({ size }) => size <= LONGEST_LIST);
  const thirdParties = new Set<string>();
  for (;;) {
    const withCompany = left.filter(({ size }) => size > 0).length;
    let widest: string | null = null;
    let most = FEWEST - 1;
    for (const [key, { pages: count, shared, beside }] of standings(left, book)) {
      const enough = key.startsWith('name ') || beside >= MANY_BESIDE || count * 2 >= withCompany;
      if (beside > most && count >= FEWEST && shared >= SHARED * count && enough) {
        widest = key;
        most = beside;
      }
    }
    if (widest === null) return thirdParties;
    thirdParties.add(widest);
    for (const keys of left) keys.delete(widest);
  }
}

/** What a page says of companies that counts, once third parties are left out. */
export interface PageCompanies {
  readonly ids: readonly FoundId[];
  readonly names: readonly FoundName[];
  readonly strangers: readonly FoundStranger[];
  readonly stateIds: readonly FoundStateId[];
}

export function companiesOf(facts: PageFacts, book: ClientBook, thirdParties: ReadonlySet<string>): PageCompanies {
  const ids = facts.ids.filter((id) => isCompanyId(id, book) && !thirdParties.has(idKey(id)));
  // The bureau is a company too: on a page with its own federal id, which does not stand on the others', its name is its own.
  const owners = new Set(
    ids.filter(({ role }) => role === 'company').flatMap(({ digits }) => book.byFederalId.get(digits) ?? []),
  );
  return {
    ids,
    names: facts.names.filter(
      (name) =>
        name.role !== 'thirdParty' &&
        name.names.some(({ clientId }) => owners.has(clientId) || !thirdParties.has(`client ${clientId}`)),
    ),
    strangers: facts.strangers.filter((name) => name.role !== 'thirdParty' && !thirdParties.has(strangerKey(name))),
    stateIds: facts.stateIds.filter(
      (found) =>
        owners.has(found.clientId) ||
        ![stateIdClient(found), ...ownKeys(stateIdClient(found), book)].some((key) => thirdParties.has(key)),
    ),
  };
}
