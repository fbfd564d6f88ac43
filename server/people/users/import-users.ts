// Users from a list: judged before their passwords are hashed, which costs most, and again in the transaction that adds them.
import { setTimeout as wait } from 'node:timers/promises';
import { Refusal, refuse } from '#contract/errors.ts';
import type { ImportResult } from '#contract/imports.ts';
import type { ViewerCall } from '../../api/route.ts';
import { importRows, refuseFaults } from '../access/import-rows.ts';
import type { WriteScope } from '../access/scope.ts';
import type { PasswordHasher } from '../auth/password-hasher.ts';
import { type ImportedUser, type ResolvedUser, userJudge } from './user-import.repo.ts';
import type { NewSignIn } from './users.repo.ts';

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

export async function importUsers(
  { input: { body }, change, reply }: ViewerCall<'users.import'>,
  passwords: PasswordHasher,
  /** Adds one user, as the form does. */
  create: (scope: WriteScope, user: ResolvedUser, signIn: NewSignIn, at: number) => Promise<unknown>,
  now: () => number,
): Promise<ImportResult> {
  const judged = await change((scope) =>
    importRows({ ...body, dryRun: true }, now(), {
      judge: userJudge(scope, new Map()),
      create: () => Promise.reject(new Error('A dry run creates nothing')),
    }),
  );
  if (body.dryRun) return judged;
  refuseFaults(judged.faults);
  const existing = new Set(judged.existing);
  const signIns = new Map<ImportedUser, NewSignIn>();
  for (const [index, row] of body.rows.entries()) {
    if (existing.has(index)) continue;
    const passwordHash = row.password
      ? await hashInTurn(passwords, row.password, () => reply.raw.destroyed)
      : passwords.locked();
    signIns.set(row, { passwordHash, invitation: row.invitation ?? null });
  }
  return change((scope) => {
    const resolved = new Map<ImportedUser, ResolvedUser>();
    return importRows(body, now(), {
      judge: userJudge(scope, resolved),
      create: async (row, at) => {
        const user = resolved.get(row);
        const signIn = signIns.get(row);
        // Somebody of this name was there before the passwords were hashed, and is no longer.
        if (user === undefined || signIn === undefined) throw refuse('gone_meanwhile');
        await create(scope, user, signIn, at);
      },
    });
  });
}
