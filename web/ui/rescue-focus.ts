// Moves the focus when its element was removed: a deleted row, or a button in a closed dialog.

/** Mantine restores the focus 10 ms after a dialog has closed; only where that fails is it lost. */
const GIVEN_BACK_AFTER_MS = 50;
/** A deleted row, or the bar of the selected rows, exists until the list is loaded again. */
const WATCHED_MS = 5000;

const DIALOG = '[role="dialog"]';

/** The attribute of a button that is the natural next step where what had the focus is gone: 'Clear Filters' of a list left without rows. */
const NEXT_STEP = 'data-next-step';

/** For such a button, while it is one. */
export const nextStep = (isOne: boolean) => (isOne ? { [NEXT_STEP]: true } : {});

const NEXT_STEP_IN_PAGE = `main [${NEXT_STEP}]`;

/** What last had the focus outside every dialog: a dialog that closes before it has taken the focus gives none back. */
let latestOutside: HTMLElement | null = null;
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && target.closest(DIALOG) === null) latestOutside = target;
});

function successor(): HTMLElement | null {
  const dialogs = document.querySelectorAll<HTMLElement>(DIALOG);
  if (dialogs.length > 0) return dialogs.item(dialogs.length - 1);
  if (latestOutside?.checkVisibility()) return latestOutside;
  return document.querySelector<HTMLElement>(NEXT_STEP_IN_PAGE) ?? document.getElementById('main');
}

/**
 * For the end of every dialog (`theme.ts`). For a while, as soon as nothing has the focus, the topmost dialog takes it, or else
 * what had it before, or the next step that the page offers, or the page itself.
 */
export function rescueFocus(): void {
  const until = performance.now() + WATCHED_MS;
  const look = () => {
    const { activeElement } = document;
    const page = document.getElementById('main');
    if (activeElement === null || activeElement === document.body) successor()?.focus();
    // A list that becomes empty a moment later offers its next step then.
    else if (activeElement === page) document.querySelector<HTMLElement>(NEXT_STEP_IN_PAGE)?.focus();
    // To the end: what got the focus may be removed in its turn.
    if (performance.now() < until) requestAnimationFrame(look);
  };
  setTimeout(look, GIVEN_BACK_AFTER_MS);
}
