// Users from a list: judged before their passwords are hashed, which costs most, and again in the transaction that adds them.
import { setTimeout as wait } from 'node:timers/promises';
import { Refusal, refuse } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import type { ImportResult } from '#contract/imports.ts';
import type { UserImport } from '#contract/users.ts';
import type { Origin } from '../../audit/security-events.ts';
import { importRows, refuseFaults } from '../access/import-rows.ts';
import type { Principal } from '../access/principal.ts';
import type { PasswordHasher } from '../auth/password-hasher.ts';
import { type ImportedUser, type MadeBefore, type ResolvedRows, userJudge } from './user-import.repo.ts';
import { createWithin, type UserServices } from './users.acts.ts';
import { findAdded, type NewSignIn } from './users.repo.ts';

/** How long one waits where too many new passwords wait already. */
const BUSY_WAIT_MS = 250;

/** One hash waits at a time, so that the passwords of others get their turn in between. */
async function hashInTurn(passwords: PasswordHasher, password: string, isOver: () => boolean): Promise<string> {
  for (;;) {
    // Whoever left could not be told the passwords that were generated.
    if (isOver()) throw refuse('too_slow');
    try {
      return await passwords.hash(password);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'busy')) throw error;
      await wait(BUSY_WAIT_MS);
    }
  }
}

interface SentList {
  readonly input: UserImport;
  /** The same rows sent again under the same key add nobody new. */
  readonly key: string | undefined;
  readonly origin: Origin;
  /** Whether nobody waits for the answer any more. */
  readonly isOver: () => boolean;
}

/** Compares passwords outside of a transaction, as they are hashed. */
async function findMadeBefore(
  principal: Principal,
  { input, key, isOver }: SentList,
  passwords: PasswordHasher,
): Promise<MadeBefore> {
  const before = new Map<ImportedUser, number>();
  if (key === undefined) return before;
  const added = await findAdded(await principal.read(), key);
  for (const row of input.rows) {
    const user = added.get(foldKey(row.username));
    if (user === undefined || !row.password) continue;
    if (isOver()) throw refuse('too_slow');
    if (await passwords.verify(row.password, user.passwordHash)) before.set(row, user.id);
  }
  return before;
}

/** Adds the users of a list as the form does: all of them, or none. */
export async function importUsers(principal: Principal, list: SentList, services: UserServices): Promise<ImportResult> {
  const { passwords } = services;
  const madeBefore = await findMadeBefore(principal, list, passwords);
  try {
    return await addUsers(principal, list, services, madeBefore);
  } catch (error) {
    // Sent again while the first one was still at work, which has added them by now.
    const madeMeanwhile = await findMadeBefore(principal, list, passwords);
    if (madeMeanwhile.size <= madeBefore.size) throw error;
    return await addUsers(principal, list, services, madeMeanwhile);
  }
}

async function addUsers(
  principal: Principal,
  { input, key, origin, isOver }: SentList,
  services: UserServices,
  madeBefore: MadeBefore,
): Promise<ImportResult> {
  const { now, passwords } = services;
  const judged = await principal.change('users.create', (scope) =>
    importRows({ ...input, dryRun: true }, now(), {
      judge: userJudge(scope, new Map(), madeBefore),
      create: () => Promise.reject(new Error('A dry run creates nothing')),
    }),
  );
  if (input.dryRun) return judged;
  refuseFaults(judged.faults);
  const existing = new Set(judged.existing);
  const signIns = new Map<ImportedUser, NewSignIn>();
  for (const [index, row] of input.rows.entries()) {
    if (existing.has(index) || madeBefore.has(row)) continue;
    const passwordHash = row.password ? await hashInTurn(passwords, row.password, isOver) : passwords.locked();
    signIns.set(row, { passwordHash, invitation: row.invitation ?? null });
  }
  return principal.change('users.create', (scope) => {
    const resolved: ResolvedRows = new Map();
    return importRows(input, now(), {
      judge: userJudge(scope, resolved, madeBefore),
      create: async (row, at) => {
        const user = resolved.get(row);
        if (user === 'made') return;
        const signIn = signIns.get(row);
        // Somebody of this name was there before the passwords were hashed, and is no longer.
        if (user === undefined || signIn === undefined) throw refuse('gone_meanwhile');
        await createWithin(scope, user, { signIn, origin, at, key }, services);
      },
    });
  });
}
