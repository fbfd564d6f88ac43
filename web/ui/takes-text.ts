// Whether a key that is pressed, or what is pasted, is text for what has the focus.

const BOXES_AND_BUTTONS = ['checkbox', 'radio', 'button', 'submit', 'reset', 'file'];
const FIELDS = `input${BOXES_AND_BUTTONS.map((type) => `:not([type="${type}"])`).join('')}, textarea, select, [contenteditable="true"]`;

export const takesText = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(FIELDS) !== null;
