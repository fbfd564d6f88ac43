// The code of the palette and of the list of shortcuts, loaded when first needed.
import type { ComponentType } from 'react';
import type { SheetProps } from '../shortcuts/command-sheet.ts';

export async function loadPalette(): Promise<ComponentType<SheetProps>> {
  return (await import('./palette.tsx')).Palette;
}

export async function loadShortcutHelp(): Promise<ComponentType<SheetProps>> {
  return (await import('../shortcuts/shortcut-help.tsx')).ShortcutHelp;
}

/** A failed load is reported when the sheet is opened, not when the pointer passes. */
export function preloadPalette(): void {
  loadPalette().catch(() => undefined);
}
