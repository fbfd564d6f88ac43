// Holds are put and lifted: each with its entries in the log.

import { heldDetails, holdLiftedDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { HoldInput, HoldRow } from '#contract/holds.ts';
import type { Proof } from '#contract/policy.ts';
import { tellOfClient, tellOfFile } from '../../audit/change-feed.ts';
import { record } from '../../audit/record.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import type { Now } from '../../platform/clock.ts';
import { findHeldItem, insertHold, markLifted, readHold } from './holds.repo.ts';

/** Whom and what an entry is about. */
const about = ({ kind, itemId, name, clientId, clientName }: Omit<HoldRow, 'reason'>) => ({
  client: { id: clientId, name: clientName },
  ...(kind === 'file' ? { file: { id: itemId, name } } : {}),
});

/** Lists say what is on hold. What is in the trash is told to nobody: its list is asked for when it is opened. */
const tell = (scope: WriteScope, proof: Proof<'holds.manage'>, { kind, itemId }: HoldRow, at: number): Promise<void> =>
  (kind === 'file' ? tellOfFile : tellOfClient)({ db: scope.unscoped(proof) }, itemId, at);

export function placeHold(
  principal: Principal,
  { kind, id: itemId, reason }: HoldInput,
  { now }: Now,
): Promise<HoldRow> {
  return principal.change('holds.manage', async (scope) => {
    const proof = scope.authorize('holds.manage');
    const at = now();
    const item = await findHeldItem(scope, kind, itemId, at);
    const { name, clientId, clientName } = item;
    const hold = await readHold(
      scope,
      await insertHold(scope, proof, { kind, itemId, name, clientId, clientName, reason }, at),
    );
    const { client, ...entry } = { action: 'update' as const, ...about(hold) };
    // The reason belongs to no client: its people may read the client's log.
    await record(scope, proof, { ...entry, details: heldDetails(kind, name, reason) }, at);
    await record(scope, proof, { ...entry, client, details: heldDetails(kind, name) }, at);
    await tell(scope, proof, hold, at);
    return hold;
  });
}

/** Refuses `hold_lifted` where it is no longer in force. */
export function liftHold(principal: Principal, id: number, { now }: Now): Promise<void> {
  return principal.change('holds.manage', async (scope) => {
    const proof = scope.authorize('holds.manage');
    const hold = await readHold(scope, id);
    if (hold.liftedAt !== null) throw refuse('hold_lifted');
    const at = now();
    await markLifted(scope, proof, hold.id, at);
    const details = holdLiftedDetails(hold.kind, hold.name);
    await record(scope, proof, { action: 'update', details, ...about(hold) }, at);
    await tell(scope, proof, hold, at);
  });
}
