// Names that people would confuse: the skeleton of a name, and the refusal of a new name that looks like another.
import { type SqlBool, sql } from 'kysely';
import unhomoglyph from 'unhomoglyph';
import { Refusal, refuse } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import type { Proof } from '#contract/policy.ts';
import { searchForm } from '#contract/search.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import { param, transactionStatement } from '../../platform/db/statement.ts';

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
function areToldApart(one: string, other: string): boolean {
  const shown = (name: string) => foldKey(name).replace(SPACES, ' ');
  return [one, other].every((name) => PLAIN.test(name.normalize('NFC'))) && shown(one) !== shown(other);
}

const names = {
  'roles.name': namesAlike('roles', 'name'),
  'report_types.name': namesAlike('report_types', 'name'),
  'clients.name': namesAlike('clients', 'name'),
  'users.username': namesAlike('users', 'username'),
  'users.full_name': namesAlike('users', 'full_name'),
};

/** Finds other rows of one skeleton with another name, unless the row itself has the name already. */
function namesAlike(table: 'roles' | 'report_types' | 'clients' | 'users', column: 'name' | 'username' | 'full_name') {
  const key = sql.ref(`${column}_key`);
  return transactionStatement<{ id: number; name: string }>((db) =>
    db
      .selectFrom(sql<{ id: number }>`${sql.table(table)}`.as('named'))
      .select(['named.id as id', sql<string>`${sql.ref(`named.${column}`)}`.as('name')])
      .where(sql<SqlBool>`${sql.ref(`named.${column}_skeleton`)} = ${param('skeleton')}`)
      .where(sql<SqlBool>`named.${key} <> ${param('key')} and named.id <> ${param('ownId')}`)
      .where(
        sql<SqlBool>`not exists (select 1 from ${sql.table(table)} own where own.id = ${param('ownId')} and own.${key} = ${param('key')})`,
      )
      .orderBy('named.id'),
  );
}

/** A name to be given. */
export interface GivenName {
  readonly column: keyof typeof names;
  readonly field: string;
  readonly name: string;
  /** Null for a new row. */
  readonly ownId: number | null;
  /** Whether the viewer finds the row of this id: only then its name is shown. */
  readonly isReached: (id: number) => Promise<boolean>;
}

/**
 * The refusal of a name that looks like another row's without being the same, as a fault of the form's `field`; null where
 * none does. Other transactions that assign names wait until this one ends. A row that keeps its name is not refused.
 */
export async function lookAlikeRefusal(scope: WriteScope, proof: Proof, given: GivenName): Promise<Refusal | null> {
  await scope.serialize('names');
  const alike = await names[given.column](scope.unscoped(proof), {
    skeleton: skeletonOf(given.name),
    key: foldKey(given.name),
    ownId: given.ownId ?? 0,
  });
  const mistaken = alike.find((row) => !areToldApart(given.name, row.name));
  if (mistaken === undefined) return null;
  const { code, message } = refuse('name_looks_like', {
    name: (await given.isReached(mistaken.id)) ? mistaken.name : null,
  });
  return new Refusal(code, message, { fields: { [given.field]: message } });
}

/** Throws that refusal where there is one. */
export async function refuseLookAlike(scope: WriteScope, proof: Proof, given: GivenName): Promise<void> {
  const refusal = await lookAlikeRefusal(scope, proof, given);
  if (refusal !== null) throw refusal;
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
