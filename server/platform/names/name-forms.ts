// The forms in which a name is kept: its key, its skeleton, and the words by which it is searched.
import unhomoglyph from 'unhomoglyph';
import { foldKey } from '#contract/fields.ts';
import { searchForm } from '#contract/search.ts';

const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;
const SPACES = /\s+/gu;

/** Every letter replaced by the plain one it looks like, by the table of Unicode Technical Standard 39. */
const prototypes = (text: string) => unhomoglyph(text.normalize('NFD')).normalize('NFD');

/**
 * The skeleton of a name, the same for all names that look alike. Letters are looked up as they are written and again in
 * lower case, since a Cyrillic capital may look like a Latin one where its small letter does not. Capital I, small l and 1 look
 * the same, and names are compared without case, so i goes with them.
 */
export function skeletonOf(name: string): string {
  const written = prototypes(name.normalize('NFKC').replace(IGNORED, ''));
  return prototypes(written.toLowerCase()).replaceAll('i', 'l').replace(SPACES, ' ').trim();
}

/** A name with the columns next to it: the forms it is compared and searched in. */
export function nameColumns(name: string) {
  return { name, name_key: foldKey(name), name_skeleton: skeletonOf(name), search_name: searchForm(name) };
}

/** The same of both names of a user. */
export function userNameColumns({ username, fullName }: { readonly username: string; readonly fullName: string }) {
  return {
    username,
    username_key: foldKey(username),
    username_skeleton: skeletonOf(username),
    full_name: fullName,
    full_name_key: foldKey(fullName),
    full_name_skeleton: skeletonOf(fullName),
    search_name: `${searchForm(fullName)}\n${searchForm(username)}`,
  };
}

/** The letters of Latin keyboards, but for those that are written like two others or like another one of these. */
const PLAIN = /^(?:[\x20-\x7e]|(?![ÆæÐð×÷ĐđıĸŉŒœſ])[\u00c0-\u017f])*$/u;

/**
 * Whether two names of one skeleton are still distinguishable: Unit 1 and Unit l are, and Müller & Wamer and Müller & Warner,
 * since each is typed as it reads.
 */
export function areToldApart(one: string, other: string): boolean {
  const shown = (name: string) => foldKey(name).replace(SPACES, ' ');
  return [one, other].every((name) => PLAIN.test(name.normalize('NFC'))) && shown(one) !== shown(other);
}

/** The names of rows that are not in the database yet. */
export class NewNames {
  readonly #bySkeleton = new Map<string, string[]>();

  /** Takes a name up. Answers an earlier one that looks like it without being the same; null where none does. */
  add(name: string): string | null {
    const skeleton = skeletonOf(name);
    const alike = this.#bySkeleton.get(skeleton) ?? [];
    if (!alike.includes(name)) this.#bySkeleton.set(skeleton, [...alike, name]);
    return alike.find((other) => foldKey(other) !== foldKey(name) && !areToldApart(name, other)) ?? null;
  }
}
