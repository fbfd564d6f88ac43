// Whether a word is common is asked of rows all over what is newer, whatever the very newest ones hold.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAPABILITIES } from '#contract/policy/actor.ts';
import { wordMatch } from '../../platform/db/word-match.ts';
import { DATABASE_KINDS, openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { openScopes, type Scopes } from './scope.ts';
import type { Viewer } from './viewer.ts';
import { areCommon } from './word-sample.ts';

const admin: Viewer = {
  id: 1,
  roleKey: 'admin',
  roleId: 1,
  roleName: 'Admin',
  reach: 'all',
  capabilities: CAPABILITIES,
  credential: { kind: 'session', sessionId: 1, endsAt: Number.MAX_SAFE_INTEGER },
  look: null,
  requiresStepUp: false,
  mustChangePassword: false,
  allClients: false,
  username: 'admin',
  fullName: 'Admin',
};

describe.each(DATABASE_KINDS)('a word on %s', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-words-'));
  let store: TestDatabase;
  let scopes: Scopes;
  beforeAll(async () => {
    store = await openTestDatabase(kind, join(folder, 'coffer.db'), { migrated: true });
    scopes = openScopes(store.database, async (_tx, who) => who);
  });
  afterAll(async () => {
    await store.database.close();
    await store.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Entries of the log with ids from `first` to `last`, each with `text`. */
  async function addEntries(first: number, last: number, text: string): Promise<void> {
    await store.database.transaction(async (tx) => {
      await sql`with recursive added (id) as (
          select cast(${sql.lit(first)} as bigint) union all select id + 1 from added where id < ${sql.lit(last)}
        )
        insert into activity (id, action, user_name, search_text, at)
          ${kind === 'postgres' ? sql`overriding system value` : sql``} select id, 'view', 'Admin', ${sql.lit(text)}, id from added`.execute(
        tx,
      );
    });
  }

  const isCommon = (word: string) => {
    const match = wordMatch(word);
    if (match === null) throw new Error('Nothing to look for');
    return areCommon(scopes.read(admin), 'activity', 'in all', match, (row) =>
      match.on({ forms: [`${row}.search_text`], written: [] }),
    );
  };

  it('is common where it is spread, however many of the newest rows are without it', async () => {
    expect(await isCommon('nothing yet')).toBe(false);
    await addEntries(1, 4_000, 'viewed ledger');
    // One upload of many files of another kind.
    await addEntries(4_001, 5_500, 'viewed notice');
    expect(await isCommon('ledger')).toBe(true);
    // A whole batch holds it, too.
    expect(await isCommon('notice')).toBe(true);
    await addEntries(5_501, 5_540, 'viewed stray');
    expect(await isCommon('stray')).toBe(false);
    expect(await isCommon('absent')).toBe(false);
  });

  it('is not common where only rows far back hold it, and common where those that are left of many hold it', async () => {
    await addEntries(300_000, 300_000, 'viewed last');
    // What was asked a moment ago is not asked again, so other letters of the same rows.
    expect(await isCommon('edger')).toBe(false);
    await addEntries(200_000, 299_999, 'viewed recent');
    expect(await isCommon('recent')).toBe(true);
    await store.database.transaction(async (tx) => {
      await tx.deleteFrom('activity').where('id', '>', 210_000).where('id', '<', 300_000).execute();
    });
    expect(await isCommon('cent')).toBe(true);
  });
});
