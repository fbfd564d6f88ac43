// What a person has chosen of how the portal looks: at once here and in every tab, and kept with the person by the server.
import { withChange } from '#contract/preference-words.ts';
import type { PreferencesChange } from '#contract/preferences.ts';
import { call } from '#web/lib/api.ts';
import { failed } from '#web/lib/messages.ts';
import { getSession, updateSessionUser } from '#web/lib/session.ts';
import { choice, noteChoice } from './newest-preferences.ts';
import { toastFault } from './toast-fault.ts';

/** What waits behind what is on its way to the server. */
let waiting: PreferencesChange | null = null;

/** Both changes as one. */
function joined(one: PreferencesChange, other: PreferencesChange): PreferencesChange {
  const hiddenColumns = [...(one.hiddenColumns ?? []), ...(other.hiddenColumns ?? [])];
  const latest = new Map(hiddenColumns.map((hidden) => [hidden.table, hidden]));
  return { ...one, ...other, ...(latest.size === 0 ? {} : { hiddenColumns: [...latest.values()] }) };
}

/** One after the other, so that the last one wins. */
async function send(): Promise<void> {
  if (choice.isSending) return;
  choice.isSending = true;
  while (waiting !== null) {
    const body = waiting;
    waiting = null;
    await call('session.preferences', { body }).catch((error: unknown) => toastFault(error, failed.keepPreferences));
  }
  choice.isSending = false;
  noteChoice('');
}

/** Shown at once; a change that cannot be kept is told. */
export function keepPreferences(change: PreferencesChange): void {
  const user = getSession()?.user;
  if (user === undefined) return;
  choice.isInLook = user.look !== null;
  // Before it is there for the other tabs: none of them takes an older answer for a newer one.
  if (!choice.isInLook) noteChoice('-');
  updateSessionUser({ ...user, preferences: withChange(user.preferences, change) });
  // In a look it is shown, and nothing is kept with the person.
  if (choice.isInLook) return;
  waiting = waiting === null ? change : joined(waiting, change);
  void send();
}
