// Looks: sessions in which somebody sees the portal as another person has it, and changes nothing.

import { refuse } from '#contract/errors.ts';
import { may, type Proof } from '#contract/policy.ts';
import type { Origin } from '../../audit/security-events.ts';
import { isBrokenReference } from '../../platform/db/violations.ts';
import { fingerprint, newSecret } from '../../platform/secrets.ts';
import { sessionOf } from '../access/credential.ts';
import type { WriteScope } from '../access/scope.ts';
import type { Viewer } from '../access/viewer.ts';

/** A look ends after this time, whatever happens. */
export const LOOK_MAX_MS = 30 * 60_000;
/** A session has so many open at most; one more ends the oldest. */
const LOOKS_OF_A_SESSION = 4;

/** Who a person is and what they may do. */
export type Person = Pick<
  Viewer,
  'id' | 'username' | 'fullName' | 'roleId' | 'roleName' | 'roleKey' | 'reach' | 'allClients' | 'capabilities'
>;

export interface LookRow {
  readonly sessionId: number;
  readonly createdAt: number;
}

/**
 * The viewer of a look, with the rights that both people have now: null where it is over. `looker` is the viewer of the session that
 * it was opened from, null where that is over; `former` is what this answered before for the same row.
 */
export function viewerInLook(
  { sessionId, createdAt }: LookRow,
  { looker, person, at, former }: { looker: Viewer | null; person: Person; at: number; former: Viewer | null },
): Viewer | null {
  if (looker === null || at - createdAt >= LOOK_MAX_MS || looker.mustChangePassword) return null;
  const { id: userId, roleKey: systemKey, reach, capabilities } = person;
  if (!may(looker, 'users.look', { userId, role: { systemKey, reach, capabilities } })) return null;
  if (former?.requiresStepUp === looker.requiresStepUp) return former;
  const { id, username, fullName } = looker;
  const as = person.fullName;
  const by = { id, username, fullName };
  return {
    ...person,
    credential: {
      kind: 'look',
      sessionId,
      endsAt: Math.min(createdAt + LOOK_MAX_MS, sessionOf(looker).endsAt),
      as,
      by,
    },
    // Whoever looks confirms that in their own session.
    requiresStepUp: looker.requiresStepUp,
    // The person is to choose another one; what comes after that is what there is to see.
    mustChangePassword: false,
    look: { as, by },
  };
}

/** A new look at `person` from the session of the scope's viewer. Its token is sent out once. */
export async function insertLook(
  scope: WriteScope,
  proof: Proof<'users.look'>,
  person: { readonly id: number },
  origin: Origin,
  at: number,
): Promise<{ readonly sessionId: number; readonly token: string }> {
  const tx = scope.unscoped(proof);
  const { id } = scope.viewer;
  const { sessionId } = sessionOf(scope.viewer);
  const token = newSecret();
  // One after the other: those of one moment would not count each other.
  const opener = tx.selectFrom('sessions').select('id').where('id', '=', sessionId);
  await (scope.engine === 'postgres' ? opener.forNoKeyUpdate() : opener).execute();
  try {
    const look = await tx
      .insertInto('sessions')
      .values({
        // Whoever looks: what ends all that they are signed in by ends this too.
        user_id: id,
        looks_at_id: person.id,
        opened_from_id: sessionId,
        token_hash: fingerprint(token),
        // No cookie opens it: that would replace the cookie of the session that it was opened from.
        cookie_hash: fingerprint(newSecret()),
        created_at: at,
        last_seen_at: at,
        user_agent: origin.userAgent.slice(0, 300),
        address: origin.address,
        stepped_up_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .deleteFrom('sessions')
      .where('opened_from_id', '=', sessionId)
      .where('id', 'not in', (newest) =>
        newest
          .selectFrom('sessions')
          .select('id')
          .where('opened_from_id', '=', sessionId)
          .orderBy('id', 'desc')
          .limit(LOOKS_OF_A_SESSION),
      )
      .execute();
    return { sessionId: look.id, token };
  } catch (error) {
    // The session was signed out meanwhile.
    if (isBrokenReference(error)) throw refuse('unauthenticated');
    throw error;
  }
}
