/** What this machine calls the key that is pressed with others. */
export const modifierLabel = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
