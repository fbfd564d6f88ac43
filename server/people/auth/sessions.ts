// The sessions of a portal: who comes with which secret, how people sign in and out, and what is over.
import type { SessionUser } from '#contract/session.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { DAY_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { TICKET_FIRST_USE_MS } from '../../platform/secrets.ts';
import type { Viewer } from '../access/viewer.ts';
import { LOOK_MAX_MS } from './looks.ts';
import { type OwnSessions, openOwnSessions } from './own-sessions.ts';
import { openPasswordSignIn, type PasswordSignIn } from './password-sign-in.ts';
import { openSessionLookup, type SessionLookup, type SessionsWithin } from './session-lookup.ts';
import { rulesOf, type SessionRules } from './session-rules.ts';
import { presentSessionUser } from './session-user.ts';

export interface SessionStore extends SessionLookup, SessionsWithin, PasswordSignIn, OwnSessions {
  /** Deletes sessions and tickets that can no longer be used. */
  forgetExpired(): Promise<void>;
  /** The signed-in person as the browser gets it. */
  present(viewer: Viewer): Promise<SessionUser>;
}

/** `safeguards`: the shorter limits of SAFEGUARDS=on, and no session that has not shown a second factor. */
export function openSessionStore(
  database: Database,
  now: () => number,
  { safeguards, outbox }: { readonly safeguards: boolean; readonly outbox: Outbox },
): SessionStore {
  const rules = rulesOf[safeguards ? 'on' : 'off'];
  return {
    ...openSessionLookup(database, now, rules),
    ...openPasswordSignIn(database, now, outbox),
    ...openOwnSessions(database, now, rules),
    forgetExpired: () => forgetExpired(database, now(), rules),
    present: (viewer) => presentSessionUser(database.reader, viewer, rules),
  };
}

async function forgetExpired(database: Database, at: number, { ageMaxMs, idleMaxMs }: SessionRules): Promise<void> {
  await database.transaction(async (tx) => {
    await tx
      .deleteFrom('sessions')
      .where((eb) =>
        eb.or([
          eb('created_at', '<=', at - ageMaxMs),
          eb('last_seen_at', '<=', at - idleMaxMs),
          eb.and([eb('opened_from_id', 'is not', null), eb('created_at', '<=', at - LOOK_MAX_MS)]),
        ]),
      )
      .execute();
    await tx
      .deleteFrom('view_tickets')
      .where('created_at', '<=', at - TICKET_FIRST_USE_MS)
      .execute();
    // A day later nobody asks any more why such a link does not work.
    await tx
      .deleteFrom('password_links')
      .where('expires_at', '<=', at - DAY_MS)
      .execute();
  });
}
