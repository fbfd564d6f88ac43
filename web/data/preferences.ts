// What a person has chosen of how the portal looks: at once here and in every tab, and kept with the person by the server.
import { withChange } from '#contract/preference-words.ts';
import type { PreferencesChange } from '#contract/preferences.ts';
import { call } from '#web/lib/api.ts';
import { failed } from '#web/lib/messages.ts';
import { getSession, updateSessionUser } from '#web/lib/session.ts';
import { toastFault } from './toast-fault.ts';

/** When something was chosen last, in any tab; below zero until the server has kept it. */
const CHOSEN_KEY = 'preferencesChosenAt';
/** A tab that was closed meanwhile never says that it is kept. */
const KEPT_WITHIN_MS = 60_000;

/** What is on its way to the server, and what waits behind it. */
let sending = false;
let waiting: PreferencesChange | null = null;
let isChosenInLook = false;

const noteChoice = (sign: '' | '-') => localStorage.setItem(CHOSEN_KEY, `${sign}${Date.now()}`);

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
  noteChoice('');
}

/** Shown at once; a change that cannot be kept is told. */
export function keepPreferences(change: PreferencesChange): void {
  const user = getSession()?.user;
  if (user === undefined) return;
  isChosenInLook = user.look !== null;
  // Before it is there for the other tabs: none of them takes an older answer for a newer one.
  if (!isChosenInLook) noteChoice('-');
  updateSessionUser({ ...user, preferences: withChange(user.preferences, change) });
  // In a look it is shown, and nothing is kept with the person.
  if (isChosenInLook) return;
  waiting = waiting === null ? change : joined(waiting, change);
  void send();
}

/**
 * Begins to ask who is signed in. What the result answers is whether the preferences in the answer are as new as those here: an answer that
 * was overtaken by a change, in whichever tab, would take it back in all of them. In a look nothing of a change is kept, and so the answer
 * never has it.
 */
export function followPreferences(): () => boolean {
  const before = localStorage.getItem(CHOSEN_KEY);
  return () =>
    !(sending || isChosenInLook) &&
    localStorage.getItem(CHOSEN_KEY) === before &&
    Number(before) > KEPT_WITHIN_MS - Date.now();
}
