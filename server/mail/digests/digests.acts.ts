// What people hear of by mail is changed: by themselves, for everybody, and by the link that ends one kind.

import type { DigestChoice, OwnDigests, UsualDigests, UsualDigestsInput } from '#contract/digests.ts';
import { refuse } from '#contract/errors.ts';
import { record } from '../../audit/record.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { Attempts } from '../../people/auth/attempts.ts';
import type { Caller } from '../../platform/admission/caller.ts';
import type { Now } from '../../platform/clock.ts';
import type { Outbox } from '../outbox.ts';
import { choose } from './choices.ts';
import { readOwn, readUsualPaces, saveUsual } from './digests.repo.ts';
import { type Ending, endingTriesOf } from './ending.ts';

export function chooseDigest(
  principal: Principal,
  choice: DigestChoice,
  { now, outbox }: Now & { readonly outbox: Outbox },
): Promise<OwnDigests> {
  return principal.change('digests.choose', async (scope) => {
    const tx = scope.unscoped(scope.authorize('digests.choose'));
    await choose(tx, scope.viewer, choice, now());
    return readOwn(scope, outbox.isOn);
  });
}

/** Says how often people hear of what who have not chosen themselves. */
export function changeUsualDigests(
  principal: Principal,
  input: UsualDigestsInput,
  { now }: Now,
): Promise<UsualDigests> {
  return principal.change('mail.manage', async (scope) => {
    const proof = scope.authorize('mail.manage');
    const at = now();
    for (const details of await saveUsual(scope, proof, input, at)) {
      await record(scope, proof, { action: 'update', details }, at);
    }
    return readUsualPaces(scope);
  });
}

/** Ends what the link is for, without a sign-in. Refuses `ending_link_invalid`, which counts as a guess of its network. */
export function endDigests(
  secret: string,
  from: { readonly address: string; readonly caller: Caller },
  { attempts, ending }: { readonly attempts: Attempts; readonly ending: Ending },
): Promise<void> {
  return attempts.judged(endingTriesOf(from), from, async (attempt) => {
    if (!(await ending.end(secret, attempt))) throw refuse('ending_link_invalid');
  });
}
