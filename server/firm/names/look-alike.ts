// Names that people would confuse: the refusal of a new name that looks like another.

import { type SqlBool, sql } from 'kysely';
import { Refusal, refuse } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import type { Proof } from '#contract/policy.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import { param, transactionStatement } from '../../platform/db/statement.ts';
import { areToldApart, skeletonOf } from '../../platform/names/name-forms.ts';

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
