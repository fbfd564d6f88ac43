// Keys that work on the whole page, as long as nothing else on it uses them.
import { useEffect, useRef } from 'react';
import { useSingleKeyShortcuts } from '#web/data/account.ts';
import { takesText } from '#web/ui/takes-text.ts';

/** The attribute of a list that leaves letters to the page. */
export const LEAVES_KEYS = 'data-leaves-keys';

/** A radio has the arrows for itself. */
const WANTS_KEYS = `[type="radio"], [role="dialog"], [role="menu"], [role="listbox"]:not([${LEAVES_KEYS}])`;

/** True where a key belongs to a field, a dialog, a menu, or the browser. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (takesText(event.target)) return true;
  if (event.target instanceof Element && event.target.closest(WANTS_KEYS) !== null) return true;
  return document.querySelector('[role="dialog"], :popover-open') !== null;
}

/** True where an arrow key scrolls what has the focus sideways. */
export function scrollsSideways(target: EventTarget | null): boolean {
  const pane = target instanceof Element ? target.closest('[data-pane]') : null;
  return pane !== null && pane.scrollWidth > pane.clientWidth;
}

/**
 * Calls `act` for every unused key; it returns true where it has used the key. Letters, figures and signs are left out where single keys are
 * switched off: whoever dictates types them by speaking. Keys with a name, such as the arrows, are not.
 */
export function useFreeKeys(act: (event: KeyboardEvent) => boolean): void {
  const [on] = useSingleKeyShortcuts();
  const latest = useRef(act);
  useEffect(() => {
    latest.current = (event) => (on || event.key.length > 1) && act(event);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isTaken(event) && latest.current(event)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
