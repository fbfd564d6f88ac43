// Whose a page is, as far as it says: enough to see where one company's pages end and another's begin.
import { type ClientBook, companiesOf, idKey, nameKeys, type PageCompanies, strangerKey } from './batch-view.ts';
import { isInHead } from './labels.ts';
import type { PageFacts } from './page-facts.ts';

export interface Identity {
  /** The companies it may be, as clients and federal ids; none where it names nobody. */
  readonly keys: ReadonlySet<string>;
  /** Names that are no client's: all that is known of a page where there are no keys. */
  readonly strangers: ReadonlySet<string>;
  /** It names two companies, neither of which is said to be somebody else. */
  readonly mixed: boolean;
}

const meet = (one: Iterable<string>, other: ReadonlySet<string>) => [...one].some((key) => other.has(key));

const areEqual = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === other.size && [...one].every((key) => other.has(key));

/** Groups of keys, each of one company: what meets is the same one. */
function groups(sets: readonly (readonly string[])[]): Set<string>[] {
  const found: Set<string>[] = [];
  for (const keys of sets) {
    const same = found.find((group) => meet(keys, group));
    if (same === undefined) found.push(new Set(keys));
    else for (const key of [...same]) if (!keys.includes(key)) same.delete(key);
  }
  return found;
}

/** State ids are no part of it: a page is not parted from the one before it by a number that may be found by chance. */
type Named = Omit<PageCompanies, 'stateIds'>;

function identify({ ids, names, strangers }: Named, book: ClientBook): Identity {
  const byIds = ids.map((id) => book.byFederalId.get(id.digits)?.map((client) => `client ${client}`) ?? [idKey(id)]);
  const known = groups([...byIds, ...names.map(nameKeys)]);
  return {
    keys: new Set(known.flatMap((group) => [...group])),
    strangers: new Set(strangers.map(strangerKey)),
    mixed: known.length > 1,
  };
}

const isNobody = ({ keys, strangers }: Identity) => keys.size === 0 && strangers.size === 0;

/** By the body of the page; where that names nobody, by its footer; where that does not either, by a name that was cut. */
export function identityOf(facts: PageFacts, book: ClientBook, thirdParties: ReadonlySet<string>): Identity {
  const { ids, names, strangers } = companiesOf(facts, book, thirdParties);
  const named = (how: string) => names.filter((name) => name.how === how);
  const place = (inFooter: boolean): Named => ({
    ids: ids.filter((id) => id.inFooter === inFooter),
    names: named('whole').filter((name) => name.inFooter === inFooter),
    strangers: strangers.filter(
      (name) => name.inFooter === inFooter && (name.role === 'company' || isInHead(name.box)),
    ),
  });
  // What may be the beginning of several clients' names does not say whose pages go on.
  const cut = named('cut').filter(({ names: [first, ...others] }) =>
    others.every(({ clientId }) => clientId === first?.clientId),
  );
  const tries = [place(false), place(true), { ids: [], names: cut, strangers: [] }];
  const identities = tries.map((found) => identify(found, book));
  return identities.find((identity) => !isNobody(identity)) ?? { keys: new Set(), strangers: new Set(), mixed: false };
}

export type Likeness = 'same' | 'different' | 'silent';

const hasClient = ({ keys }: Identity) => [...keys].some((key) => key.startsWith('client '));

export function compare(one: Identity, other: Identity): Likeness {
  if (isNobody(one) || isNobody(other)) return 'silent';
  if (one.keys.size > 0 && other.keys.size > 0) {
    // Who stands on both of two mixed pages may be whoever prepared them.
    const same = one.mixed || other.mixed ? areEqual(one.keys, other.keys) : meet(one.keys, other.keys);
    return same ? 'same' : 'different';
  }
  // A client's pages may name its vendors; a page that names only a vendor is not the client's for that.
  if (hasClient(one) || hasClient(other)) return 'different';
  return meet(one.strangers, other.strangers) ? 'same' : 'different';
}

/** Whether a page names anybody at all. */
export const namesSomebody = (identity: Identity): boolean => !isNobody(identity);
