// What the firm has decided, in the database.
import type { Updateable } from 'kysely';
import type { Proof } from '#contract/policy.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import type { LastChange } from '../../people/access/versions.ts';
import type { Schema } from '../../platform/db/schema.ts';

export function lastChangeOfFirm(scope: ReadScope): Promise<LastChange | undefined> {
  return scope.firmSettings().select(['changed_at', 'changed_by_id']).executeTakeFirst();
}

/** What is absent stays as it is. */
export async function saveFirmSettings(
  scope: WriteScope,
  proof: Proof<'firm-settings.update'>,
  decided: Omit<Updateable<Schema['firm_settings']>, 'four_eyes'> & { readonly four_eyes?: 0 | 1 },
): Promise<void> {
  await scope
    .unscoped(proof)
    .insertInto('firm_settings')
    .values({ id: 1, four_eyes: 0, ...decided })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(decided))
    .execute();
}
