// The keys of the review: those of the list where it has the focus, single letters wherever nothing else wants them.
import type { KeyboardEvent as ReactKeyboardEvent, RefObject } from 'react';
import { useSingleKeyShortcuts } from '#web/data/account.ts';
import { useFreeKeys } from '#web/parts/viewer/keys.ts';
import type { DocumentFormHandle } from './document-form.tsx';
import type { Reviewing } from './use-reviewing.ts';

/** The keys of a list of choices, which nobody switches off. */
export function useListKeys({ step, accept }: Reviewing) {
  return ({ key, ctrlKey, metaKey, altKey }: ReactKeyboardEvent): boolean => {
    if (ctrlKey || metaKey || altKey) return false;
    if (key === 'ArrowDown') step(1);
    else if (key === 'ArrowUp') step(-1);
    else if (key === 'Enter') accept();
    else return false;
    return true;
  };
}

export function useReviewKeys(
  reviewing: Reviewing,
  form: RefObject<DocumentFormHandle | null>,
  hasDocument: boolean,
): void {
  const [on] = useSingleKeyShortcuts();
  useFreeKeys(({ key, shiftKey, repeat }) => {
    if (!on || !hasDocument) return false;
    const letter = key.toLowerCase();
    // Held down, J and K go on; nothing is decided twice.
    if (letter === 'j') reviewing.step(1);
    else if (letter === 'k') reviewing.step(-1);
    else if (repeat) return false;
    else if (letter === 'a') {
      if (shiftKey) reviewing.acceptReady();
      else reviewing.accept();
    } else if (shiftKey) return false;
    else if (letter === 'd') reviewing.drop();
    else if (letter === 's') reviewing.split();
    else if (letter === 'b') reviewing.join();
    else if (letter === 'c') form.current?.focus('client');
    else if (letter === 't') form.current?.focus('type');
    else if (letter === 'p') form.current?.focus('period');
    else return false;
    return true;
  });
}
