// What a person has chosen of how the portal looks, kept with the person.
import type { Kysely } from 'kysely';
import { NO_PREFERENCES, withChange } from '#contract/preference-words.ts';
import { Preferences, type PreferencesChange } from '#contract/preferences.ts';
import type { Schema } from '../../platform/db/schema.ts';

/** What another version kept, and this one cannot read, is as if it were not. */
function parsed(choices: string | undefined): Preferences {
  const read = Preferences.safeParse(choices === undefined ? undefined : JSON.parse(choices));
  return read.success ? read.data : NO_PREFERENCES;
}

export async function readPreferences(db: Kysely<Schema>, userId: number): Promise<Preferences> {
  const row = await db.selectFrom('preferences').select('choices').where('user_id', '=', userId).executeTakeFirst();
  return parsed(row?.choices);
}

/** Keeps a change and answers all that is kept then. Two at once are kept one after the other. */
export async function keepPreferences(
  tx: Kysely<Schema>,
  userId: number,
  change: PreferencesChange,
): Promise<Preferences> {
  // The row is held from here on, whether it was there or not.
  const { choices } = await tx
    .insertInto('preferences')
    .values({ user_id: userId, choices: JSON.stringify(NO_PREFERENCES) })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((eb) => ({ choices: eb.ref('preferences.choices') })),
    )
    .returning('choices')
    .executeTakeFirstOrThrow();
  const after = withChange(parsed(choices), change);
  await tx
    .updateTable('preferences')
    .set({ choices: JSON.stringify(after) })
    .where('user_id', '=', userId)
    .execute();
  return after;
}
