// What is written down of an act on a user: entries of the log, events of the account, and mails to the person.
import { createdDetails, invitedDetails, withdrawnDetails } from '#contract/activity-words.ts';
import type { Proof } from '#contract/policy.ts';
import type { UserRow } from '#contract/users.ts';
import { actorOf, record } from '../../audit/record.ts';
import { type Origin, recordActOn } from '../../audit/security-events.ts';
import { invitationMail } from '../../mail/kinds/invitation.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { recordAndTell } from '../../mail/tell.ts';
import type { Now } from '../../platform/clock.ts';
import type { WriteScope } from '../access/scope.ts';

export function userRecords({ now, outbox }: Now & { readonly outbox: Outbox }) {
  /** Enters what was done with the account, and tells the person by mail. */
  const recordTold = (
    scope: WriteScope,
    proof: Proof,
    event: { readonly kind: 'password_reset' | 'second_factor_reset'; readonly user: UserRow; readonly origin: Origin },
  ) => recordAndTell(scope.unscoped(proof), outbox, { ...event, actor: actorOf(scope.viewer) }, now());

  /** Enters that the person may choose a password by a link, and mails the link where there is mail and an address. */
  async function recordInvited(
    scope: WriteScope,
    proof: Proof,
    user: UserRow,
    { secret, origin, at }: { readonly secret: string; readonly origin: Origin; readonly at: number },
  ) {
    const { id: userId, username, fullName: name, email: address, invitation } = user;
    const facts = { username, until: Date.parse(invitation?.until ?? '') };
    await outbox.write(scope.unscoped(proof), invitationMail, { to: { name, address }, userId, facts, secret }, at);
    await record(scope, proof, { action: 'update', details: invitedDetails(user.username) }, at);
    await recordActOn(scope, proof, { kind: 'invited', user, origin }, now());
  }

  /** Enters that the link is worth nothing any more. */
  async function recordWithdrawn(
    scope: WriteScope,
    proof: Proof,
    user: Pick<UserRow, 'id' | 'username'>,
    { origin, why }: { origin: Origin; why: string | null },
  ) {
    await record(scope, proof, { action: 'update', details: withdrawnDetails(user.username, why) }, now());
    await recordActOn(scope, proof, { kind: 'invitation_withdrawn', user, origin }, now());
  }

  /** Enters that somebody new is there, and invites them where there is a secret. */
  async function recordCreated(
    scope: WriteScope,
    proof: Proof,
    user: UserRow,
    { secret, origin, at }: { readonly secret: string | null; readonly origin: Origin; readonly at: number },
  ) {
    const details = `${createdDetails('user', user.username)}, role ${user.roleName}`;
    await record(scope, proof, { action: 'update', details }, at);
    const event = { kind: 'access_changed', user, origin, detail: `added as ${user.roleName}` } as const;
    await recordActOn(scope, proof, event, now());
    if (secret !== null) await recordInvited(scope, proof, user, { secret, origin, at });
  }

  return { recordTold, recordInvited, recordWithdrawn, recordCreated };
}
