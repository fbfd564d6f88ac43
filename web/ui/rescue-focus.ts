// Moves the focus when its element was removed: a deleted row, or a button in a closed dialog or toast.
import { BESIDE_PAGE } from './toast.tsx';

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

const PAGE_ID = 'main';

/** What last had the focus in the page: a toast gives none back, nor a dialog that closes before it has taken the focus. */
let latestOutside: HTMLElement | null = null;
/** The button that was pressed last, and what stands around it in its dialog or on the page, from inside out. */
let pressed: readonly HTMLElement[] = [];

/** A pressed button that goes off or away with what it did hands the focus on. */
const pressedGoes = new MutationObserver(() => {
  const [button, ...around] = pressed;
  if (button?.isConnected && !button.matches(':disabled')) return;
  pressedGoes.disconnect();
  // Of a dialog that has closed its own end takes care.
  if (around.at(-1)?.isConnected) rescueFocus(around);
});

document.addEventListener('focusin', ({ target }) => {
  if (target !== pressed[0]) pressedGoes.disconnect();
  if (target instanceof HTMLElement && target.closest(`${DIALOG}, [${BESIDE_PAGE}]`) === null) latestOutside = target;
});

// Before the press does anything.
document.addEventListener(
  'click',
  ({ target }) => {
    pressedGoes.disconnect();
    const button = target instanceof Element ? target.closest('button') : null;
    // What stands beside the page goes back to it.
    const place = button?.closest<HTMLElement>(DIALOG) ?? document.getElementById(PAGE_ID);
    if (!button || !place || button !== document.activeElement) return;
    const chain: HTMLElement[] = [];
    for (let one: HTMLElement | null = button; one !== null && one !== place; one = one.parentElement) chain.push(one);
    pressed = [...chain, place];
    pressedGoes.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  },
  true,
);

/** Which watch is the last: those before it have no more to say, since another button was pressed. */
let latestWatch = 0;

/** What may have the focus next, the best first; `around` is where it was. */
function successors(around: readonly HTMLElement[]): readonly (HTMLElement | null)[] {
  const dialog = [...document.querySelectorAll<HTMLElement>(DIALOG)].at(-1) ?? null;
  const page = document.getElementById(PAGE_ID);
  const place = dialog ?? page;
  const near = around.filter((one) => one !== place && place?.contains(one));
  if (dialog !== null) return [...near, dialog];
  return [...near, latestOutside, document.querySelector<HTMLElement>(NEXT_STEP_IN_PAGE), page];
}

/** False where it cannot have the focus: it is off, gone or not drawn. */
function give(element: HTMLElement | null, { stays }: { stays: boolean }): boolean {
  element?.focus({ preventScroll: stays });
  return element !== null && document.activeElement === element;
}

/** For something that takes no focus by itself, until it has lost it again. */
function giveForOnce(element: HTMLElement): boolean {
  if (give(element, { stays: true })) return true;
  element.tabIndex = -1;
  const taken = give(element, { stays: true });
  if (taken) element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  else element.removeAttribute('tabindex');
  return taken;
}

/**
 * For the end of every dialog (`theme.ts`). For a while, as soon as nothing has the focus, what stood around it takes it, or the
 * topmost dialog, or else what had it before, or the next step that the page offers, or the page itself.
 */
export function rescueFocus(around: readonly HTMLElement[] = []): void {
  const until = performance.now() + WATCHED_MS;
  latestWatch += 1;
  const watch = latestWatch;
  // It moves no page: what had the focus before may be out of sight by then.
  const isPress = around.length > 0;
  const look = () => {
    if (watch !== latestWatch) return;
    const { activeElement } = document;
    const page = document.getElementById(PAGE_ID);
    if (activeElement === null || activeElement === document.body) {
      successors(around).some((one) =>
        one !== null && around.includes(one) ? giveForOnce(one) : give(one, { stays: isPress || one === page }),
      );
    }
    // A list that becomes empty a moment later offers its next step then.
    else if (activeElement === page) document.querySelector<HTMLElement>(NEXT_STEP_IN_PAGE)?.focus();
    // To the end: what got the focus may be removed in its turn.
    if (performance.now() < until) requestAnimationFrame(look);
  };
  setTimeout(look, GIVEN_BACK_AFTER_MS);
}
