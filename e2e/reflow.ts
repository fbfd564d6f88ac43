// Checks how a page fits a narrow window: what is cut, what scrolls sideways, what is too small for a finger.
import type { Page } from '@playwright/test';

const TARGET_MIN_PX = 24;

/** Runs in the page. */
const READING = `
  const nameOf = (element) =>
    element.tagName.toLowerCase() +
    ' "' + (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 50) + '"';
  // What only screen readers meet is clipped to a pixel.
  const isClipped = (element) =>
    element !== null && (getComputedStyle(element).clipPath !== 'none' || isClipped(element.parentElement));
`;

/**
 * Runs in the page: what reaches over its side or is cut by a box that does not scroll there, and boxes that scroll
 * sideways. Boxes named as regions may: they hold what has two dimensions, and the keyboard scrolls them too.
 */
export const CUT_AT_THE_SIDE = `(() => {
  ${READING}
  const found = [];
  const { scrollWidth, clientWidth } = document.scrollingElement;
  if (scrollWidth > clientWidth) found.push('the page is ' + scrollWidth + ' wide in ' + clientWidth);
  const sidesOf = (element) => {
    let [left, right] = [0, clientWidth];
    for (let box = element.parentElement; box !== null; box = box.parentElement) {
      if (!['clip', 'hidden'].includes(getComputedStyle(box).overflowX)) continue;
      const cut = box.getBoundingClientRect();
      [left, right] = [Math.max(left, cut.left), Math.min(right, cut.right)];
    }
    return { left, right };
  };
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest(':is([role=region], section[aria-label])[tabindex="0"]') !== null) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const box = element.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1 || isClipped(element)) continue;
    const scrolls = ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
    if (scrolls && element.scrollWidth > element.clientWidth + 1) found.push(nameOf(element) + ' scrolls sideways');
    const speaks = element.matches('a, button, input, select, textarea, td, th, p, h1, h2, h3, li, label, dt, dd');
    // What is wider inside of its field is scrolled by typing.
    const sides = speaks && !element.matches('input') ? sidesOf(element) : { left: 0, right: clientWidth };
    if (speaks && (box.right > sides.right + 1 || box.left < sides.left - 1)) {
      found.push(nameOf(element) + ' reaches from ' + Math.round(box.left) + ' to ' + Math.round(box.right));
    }
  }
  return found;
})()`;

/**
 * Runs in the page: targets below 24 x 24 CSS px (WCAG 2.5.8). Excepted are links within a line of text, and a box whose
 * label is large enough: pressing the label does the same.
 */
export const SMALL_TARGETS = `(() => {
  ${READING}
  const found = [];
  const interactive = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=option]';
  const isEnough = ({ width, height }) => width >= ${TARGET_MIN_PX} && height >= ${TARGET_MIN_PX};
  const within = document.querySelector('[role=dialog][aria-modal=true]') ?? document;
  for (const element of within.querySelectorAll(interactive)) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const box = element.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1 || isClipped(element) || isEnough(box)) continue;
    if (element.matches('a') && getComputedStyle(element).display === 'inline') continue;
    if ([...(element.labels ?? [])].some((label) => isEnough(label.getBoundingClientRect()))) continue;
    found.push(nameOf(element) + ' is ' + box.width + ' x ' + box.height);
  }
  return found;
})()`;

/** Buttons of an open dialog that cannot be brought into sight. */
export async function outOfReach(page: Page): Promise<string[]> {
  const found: string[] = [];
  const dialog = page.getByRole('dialog');
  if (!(await dialog.isVisible())) return found;
  for (const button of await dialog.getByRole('button').all()) {
    if (!(await button.isVisible())) continue;
    await button.scrollIntoViewIfNeeded();
    const box = await button.boundingBox();
    const size = page.viewportSize();
    if (box === null || size === null) continue;
    const inside = box.x >= -1 && box.y >= -1 && box.x + box.width <= size.width + 1 && box.y < size.height;
    if (!inside) found.push(`${await button.textContent()} stands at ${JSON.stringify(box)}`);
  }
  return found;
}
