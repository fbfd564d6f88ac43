// The names of all clients in one table, looked up by what stands on a page: work goes by the words of the page, not by the clients.

import { isJoiner, suffixOf } from './name-words.ts';
import { plainWords } from './page-words.ts';
import type { KnownClient } from './proposal.ts';

export interface KnownName {
  readonly clientId: number;
  readonly kind: 'legalName' | 'otherName';
  /** The words of the name, joined: 'harborpinebakery'. */
  readonly core: string;
  /** How many words that are. */
  readonly count: number;
  /** What kind of company it says it is; empty where it says nothing. */
  readonly suffixes: readonly string[];
}

/** In letters: a name of one word that is shorter is found in too much. */
export const SHORTEST_WORD = 5;
/** In letters: what a cut name must have left. */
export const SHORTEST_CUT = 10;
/** A beginning that more clients share says nothing. */
const SHARED_MAX = 20;
const START = 3;

const DOING_BUSINESS_AS = /,?\s+(?:d\.?\s?\/?\s?b\.?\s?\/?\s?a\.?|doing business as|t\/a|trading as)\s+/i;

/** The names in one: 'Larkspur Group LLC dba The Larkspur Inn' is two. */
export const tradeNames = (name: string): string[] =>
  name.split(DOING_BUSINESS_AS).filter((part) => part.trim() !== '');

interface NameParts {
  readonly words: readonly string[];
  readonly suffixes: readonly string[];
}

/** A name without 'The', joiners and what kind of company it is. */
function nameParts(name: string): NameParts {
  const words = plainWords(name).filter((word) => !isJoiner(word));
  if (words[0] === 'the') words.shift();
  const suffixes: string[] = [];
  for (
    let suffix = suffixOf(words.at(-1) ?? '');
    suffix !== null && words.length > 1;
    suffix = suffixOf(words.at(-1) ?? '')
  ) {
    suffixes.unshift(suffix);
    words.pop();
  }
  return { words, suffixes };
}

export class NameIndex {
  readonly longest: number;
  readonly #byCore = new Map<string, KnownName[]>();
  readonly #starts = new Set<string>();
  /** For names that a page cut off: every beginning, with the names that begin so, one of each client; none where too many do. */
  readonly #beginnings = new Map<string, readonly KnownName[]>();

  constructor(clients: readonly KnownClient[]) {
    let longest = 0;
    for (const { id, names } of clients) {
      for (const [index, name] of names.entries()) {
        const { words, suffixes } = nameParts(name);
        const core = words.join('');
        if (core === '') continue;
        const known = {
          clientId: id,
          kind: index === 0 ? 'legalName' : 'otherName',
          core,
          count: words.length,
          suffixes,
        } as const;
        const there = this.#byCore.get(core);
        if (there === undefined) this.#byCore.set(core, [known]);
        else there.push(known);
        this.#starts.add(core.slice(0, START));
        longest = Math.max(longest, core.length);
        this.#addBeginnings(known);
      }
    }
    this.longest = longest;
  }

  #addBeginnings(known: KnownName): void {
    const alone = [known];
    for (let length = SHORTEST_CUT; length < known.core.length; length += 1) {
      const beginning = known.core.slice(0, length);
      const there = this.#beginnings.get(beginning);
      if (there?.length === 0) continue;
      const others = there?.filter(({ clientId }) => clientId !== known.clientId) ?? [];
      if (others.length === 0) this.#beginnings.set(beginning, alone);
      else this.#beginnings.set(beginning, others.length < SHARED_MAX ? [...others, known] : []);
    }
  }

  /** Whether any name begins so, as far as it goes. */
  mayBegin(text: string): boolean {
    return this.#starts.has(text.slice(0, START)) || text.length < START;
  }

  find(core: string): readonly KnownName[] {
    return this.#byCore.get(core) ?? [];
  }

  /** The names that begin so and go on; none where one is just that, or too many do. */
  findCut(beginning: string): readonly KnownName[] {
    return this.#byCore.has(beginning) ? [] : (this.#beginnings.get(beginning) ?? []);
  }

  /** All names that begin so, with what kind of company they are: as a field of a fixed length cuts them. */
  beginningWith(letters: string): KnownName[] {
    if (letters.length < SHORTEST_CUT || !this.mayBegin(letters)) return [];
    const found: KnownName[] = [];
    for (const [core, names] of this.#byCore) {
      if (core.startsWith(letters)) found.push(...names);
      else if (letters.startsWith(core))
        found.push(...names.filter(({ suffixes }) => (core + suffixes.join('')).startsWith(letters)));
    }
    return found;
  }
}
