// Which of the two sheets over a page is open: the command palette or the list of shortcuts.
import { useSyncExternalStore } from 'react';
import { newListeners } from '#web/lib/listeners.ts';
import { noteClosing } from './shortcut-keys.ts';
import { TypedAhead } from './typed-ahead.ts';

export type CommandSheet = 'palette' | 'shortcuts';

/** The props of either sheet. */
export interface SheetProps {
  opened: boolean;
  onClose: () => void;
}

/** What is typed from the press that opens the palette until its field has the focus. */
export const typedAhead = new TypedAhead();

let wanted: CommandSheet | null = null;
const listeners = newListeners();

function change(next: CommandSheet | null): void {
  wanted = next;
  listeners.tell();
}

export function openSheet(sheet: CommandSheet): void {
  if (sheet === 'palette' && wanted !== 'palette') typedAhead.begin();
  change(sheet);
}

/** Closes `sheet`; does nothing where another one has replaced it. */
export function closeSheet(sheet: CommandSheet): void {
  if (wanted !== sheet) return;
  typedAhead.take();
  noteClosing();
  change(null);
}

/** As it is now, where `useSheet` says what the last render drew. */
export const openedSheet = () => wanted;

export function useSheet(): CommandSheet | null {
  return useSyncExternalStore(listeners.add, openedSheet);
}
