// Moves the focus when its element was removed: a deleted row, or a button in a closed dialog.

/** Mantine restores the focus 10 ms after a dialog has closed; only where that fails is it lost. */
const GIVEN_BACK_AFTER_MS = 50;
/** A deleted row may still exist for a moment after its dialog has closed. */
const WATCHED_MS = 2000;

const DIALOG = '[role="dialog"]';

/** What last had the focus outside every dialog: a dialog that closes before it has taken the focus gives none back. */
let latestOutside: HTMLElement | null = null;
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && target.closest(DIALOG) === null) latestOutside = target;
});

function successor(): HTMLElement | null {
  const dialogs = document.querySelectorAll<HTMLElement>(DIALOG);
  if (dialogs.length > 0) return dialogs.item(dialogs.length - 1);
  return latestOutside?.checkVisibility() ? latestOutside : document.getElementById('main');
}

/**
 * For the end of every dialog (`theme.ts`). For a while, as soon as nothing has the focus, the topmost dialog takes it, or else
 * what had it before, or the page itself.
 */
export function rescueFocus(): void {
  const until = performance.now() + WATCHED_MS;
  const look = () => {
    if (document.activeElement === null || document.activeElement === document.body) successor()?.focus();
    else if (performance.now() < until) requestAnimationFrame(look);
  };
  setTimeout(look, GIVEN_BACK_AFTER_MS);
}
