// The code of the palette and of the list of shortcuts, fetched when first wanted.
import type { ComponentType } from 'react';
import type { SheetProps } from './command-sheet.ts';

export async function loadPalette(): Promise<ComponentType<SheetProps>> {
  return (await import('./palette.tsx')).Palette;
}

export async function loadShortcutHelp(): Promise<ComponentType<SheetProps>> {
  return (await import('../shortcuts/shortcut-help.tsx')).ShortcutHelp;
}

/** Code that cannot be had is told of when it is wanted, not when the pointer passes. */
export function preloadPalette(): void {
  loadPalette().catch(() => undefined);
}
