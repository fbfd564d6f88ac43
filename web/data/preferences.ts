// What a person has chosen of how the portal looks: at once here and in every tab, and kept with the person by the server.
import { withChange } from '#contract/preference-words.ts';
import type { PreferencesChange } from '#contract/preferences.ts';
import { call } from '#web/lib/api.ts';
import { failed } from '#web/lib/messages.ts';
import { getSession, updateSessionUser } from '#web/lib/session.ts';
import { toastFault } from './toast-fault.ts';

/** What is on its way to the server, and what waits behind it. */
let sending = false;
let waiting: PreferencesChange | null = null;
/** How many changes there were. */
let changes = 0;

/** Both changes as one. */
function joined(one: PreferencesChange, other: PreferencesChange): PreferencesChange {
  const hiddenColumns = [...(one.hiddenColumns ?? []), ...(other.hiddenColumns ?? [])];
  const latest = new Map(hiddenColumns.map((hidden) => [hidden.table, hidden]));
  return { ...one, ...other, ...(latest.size === 0 ? {} : { hiddenColumns: [...latest.values()] }) };
}

/** One after the other, so that the last one wins. */
async function send(): Promise<void> {
  if (sending) return;
  sending = true;
  while (waiting !== null) {
    const body = waiting;
    waiting = null;
    await call('session.preferences', { body }).catch((error: unknown) => toastFault(error, failed.keepPreferences));
  }
  sending = false;
}

/** Shown at once; a change that cannot be kept is told. */
export function keepPreferences(change: PreferencesChange): void {
  const user = getSession()?.user;
  if (user === undefined) return;
  changes += 1;
  updateSessionUser({ ...user, preferences: withChange(user.preferences, change) });
  // In a look it is shown, and nothing is kept with the person.
  if (user.look !== null) return;
  waiting = waiting === null ? change : joined(waiting, change);
  void send();
}

/**
 * Begins to ask who is signed in. What the result answers is whether the preferences in the answer are as new as those here: an answer that
 * was overtaken by a change would take it back for a moment. In a look nothing of a change is kept, and so the answer never has it.
 */
export function followPreferences(): () => boolean {
  const before = changes;
  const isKept = !sending && (changes === 0 || !getSession()?.user.look);
  return () => isKept && changes === before;
}
