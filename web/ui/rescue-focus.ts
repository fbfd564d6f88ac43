// Where the focus goes when what had it is gone: a row that was deleted, a button that went with its dialog.

/** What was deleted may still stand for a moment after its dialog has closed. */
const WATCHED_MS = 2000;

/** For a while, as soon as nothing has the focus, the topmost dialog takes it, or else the page itself. */
export function rescueFocus(): void {
  const until = performance.now() + WATCHED_MS;
  const look = () => {
    if (document.activeElement === null || document.activeElement === document.body) {
      const dialogs = document.querySelectorAll<HTMLElement>('[role="dialog"]');
      (dialogs.item(dialogs.length - 1) ?? document.getElementById('main'))?.focus();
    } else if (performance.now() < until) {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
}
