// The keys of the review: those of the list where it has the focus, single letters wherever nothing else wants them.
import type { KeyboardEvent as ReactKeyboardEvent, RefObject } from 'react';
import { useFreeKeys } from '#web/parts/viewer/keys.ts';
import type { DocumentFormHandle } from './document-form.tsx';
import type { Reviewing } from './use-reviewing.ts';
import type { Ticked } from './use-ticked.ts';

/** The keys of a list of choices, which nobody switches off. */
export function useListKeys({ step, accept, tick }: Reviewing, ticked: Ticked) {
  return ({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: ReactKeyboardEvent): boolean => {
    if (altKey) return false;
    if (ctrlKey || metaKey) {
      if (key.toLowerCase() !== 'a' || shiftKey) return false;
      ticked.all();
    } else if (key === 'ArrowDown' || key === 'ArrowUp') step(key === 'ArrowDown' ? 1 : -1, shiftKey);
    else if (key === ' ' || key === 'Enter') {
      // Held down, it would accept one document after the other unseen.
      if (repeat) return true;
      if (key === ' ') tick();
      else accept();
    } else if (key === 'Escape' && ticked.documents.length > 0) ticked.clear();
    else return false;
    return true;
  };
}

export function useReviewKeys(
  reviewing: Reviewing,
  ticked: Ticked,
  form: RefObject<DocumentFormHandle | null>,
  hasDocument: boolean,
): void {
  const isTicked = ticked.documents.length > 0;
  const focus = (field: 'client' | 'type' | 'period') => {
    if (isTicked) reviewing.set(field);
    else form.current?.focus(field);
  };
  useFreeKeys(({ key, shiftKey, repeat }) => {
    // What is ticked is cleared from anywhere on the page.
    if (key === 'Escape' && isTicked) {
      ticked.clear();
      return true;
    }
    if (!(hasDocument || isTicked)) return false;
    const letter = key.toLowerCase();
    // Held down, J and K go on; nothing is decided twice.
    if (letter === 'j') reviewing.step(1);
    else if (letter === 'k') reviewing.step(-1);
    else if (repeat) return false;
    else if (letter === 'a') {
      if (shiftKey) reviewing.acceptReady();
      else reviewing.accept();
    } else if (shiftKey) return false;
    else if (letter === 'x') reviewing.tick();
    else if (letter === 'd') reviewing.drop();
    else if (letter === 'u') (isTicked ? reviewing.reopenTicked : reviewing.reopen)();
    else if (letter === 'n') reviewing.choose('add');
    else if (letter === 'o') reviewing.choose('corrects');
    else if (letter === 'e') reviewing.choose('replace');
    else if (letter === 's') reviewing.split();
    else if (letter === 'b') reviewing.join();
    else if (letter === 'r') reviewing.release();
    else if (letter === 'l') reviewing.recall();
    else if (letter === 'c') focus('client');
    else if (letter === 't') focus('type');
    else if (letter === 'p') focus('period');
    else return false;
    return true;
  });
}

/** `unlock` asks for the password of the file in view, where it is locked. */
export function useUnlockKey(unlock: (() => void) | undefined): void {
  useFreeKeys(({ key, shiftKey, repeat }) => {
    if (key.toLowerCase() !== 'w' || shiftKey || repeat || unlock === undefined) return false;
    unlock();
    return true;
  });
}
