// Whether what a person has chosen is newer here than in an answer of the server. Apart from the choosing, for which one must be signed in.

/** When something was chosen last, in any tab; below zero until the server has kept it. */
const CHOSEN_KEY = 'preferencesChosenAt';
/** A tab that was closed meanwhile never says that it is kept. */
const KEPT_WITHIN_MS = 60_000;

/** Of this tab: whether a choice is on its way to the server, and whether the last one was made in a look, where none is kept. */
export const choice = { isSending: false, isInLook: false };

export const noteChoice = (sign: '' | '-') => localStorage.setItem(CHOSEN_KEY, `${sign}${Date.now()}`);

/**
 * Begins to ask who is signed in. What the result answers is whether the preferences in the answer are as new as those here: an answer that
 * was overtaken by a change, in whichever tab, would take it back in all of them. In a look nothing of a change is kept, and so the answer
 * never has it.
 */
export function followPreferences(): () => boolean {
  const before = localStorage.getItem(CHOSEN_KEY);
  return () =>
    !(choice.isSending || choice.isInLook) &&
    localStorage.getItem(CHOSEN_KEY) === before &&
    Number(before) > KEPT_WITHIN_MS - Date.now();
}
