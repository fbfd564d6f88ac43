// Step-up: a refused call asks for the second factor again, and a dialog answers.

import { useSyncExternalStore } from 'react';
import { newListeners } from './listeners.ts';

/** True where the proof was given, false where the person cancelled. */
type Answer = (proved: boolean) => void;

let waiting: readonly Answer[] = [];
/** How many dialogs are ready to ask; without one nobody could ever answer. */
let askers = 0;
const listeners = newListeners();

function change(next: readonly Answer[]): void {
  waiting = next;
  listeners.tell();
}

/** Resolves when the person has answered, together with every other call that waits; false at once where no dialog is ready. */
export function askForProof(): Promise<boolean> {
  if (askers === 0) return Promise.resolve(false);
  return new Promise((answer) => change([...waiting, answer]));
}

/** Answers every call that waits. */
export function answerProof(proved: boolean): void {
  const answers = waiting;
  change([]);
  for (const answer of answers) answer(proved);
}

/** Registers a dialog; the returned function removes it, and refuses the calls that wait. */
export function standReady(): () => void {
  askers += 1;
  return () => {
    askers -= 1;
    if (askers === 0) answerProof(false);
  };
}

/** Whether a call waits for the proof. */
export function useProofAsked(): boolean {
  return useSyncExternalStore(listeners.add, () => waiting.length > 0);
}
