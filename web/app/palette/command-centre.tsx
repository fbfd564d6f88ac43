// Handles the keyboard commands of every page: opens the palette and the list of shortcuts, and navigates.

import { useHotkeys } from '@mantine/hooks';
import { type ComponentType, useEffect, useState } from 'react';
import { failed } from '#web/lib/messages.ts';
import { useShownDensity } from '#web/ui/density.ts';
import { toast } from '#web/ui/toast.tsx';
import {
  type CommandSheet,
  closeSheet,
  openedSheet,
  openSheet,
  type SheetProps,
  useSheet,
} from '../shortcuts/command-sheet.ts';
import { followEscape, onceNoDialog } from '../shortcuts/shortcut-keys.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { loadPalette, loadShortcutHelp } from './load-sheets.ts';
import { useRecordOpened } from './recent.ts';

/** Rendered once, in the frame of the signed-in pages. */
export function CommandCentre() {
  useShownDensity();
  useShortcuts();
  useRecordOpened();
  useEffect(followEscape, []);
  const toggle = (event: KeyboardEvent) => {
    event.preventDefault();
    // Held down, it is one press.
    if (event.repeat) return;
    // Asked at the press: right after Escape the last render still has it open.
    if (openedSheet() === 'palette') closeSheet('palette');
    // A dialog that was closed just now is still there while it fades: what was pressed meanwhile is not lost.
    else onceNoDialog(() => openSheet('palette'));
  };
  // Two keys together are not text, so this one works in fields too.
  useHotkeys([['mod+K', toggle, { preventDefault: false }]], [], true);

  return (
    <>
      <LazySheet sheet="palette" load={loadPalette} />
      <LazySheet sheet="shortcuts" load={loadShortcutHelp} />
    </>
  );
}

interface LazySheetProps {
  sheet: CommandSheet;
  load: () => Promise<ComponentType<SheetProps>>;
}

function LazySheet({ sheet, load }: LazySheetProps) {
  const wanted = useSheet() === sheet;
  const [Sheet, setSheet] = useState<ComponentType<SheetProps> | null>(null);
  const [standing, setStanding] = useState(false);
  const missing = wanted && Sheet === null;

  useEffect(() => {
    if (!missing) return;
    let left = false;
    load()
      .then((Loaded) => {
        if (!left) setSheet(() => Loaded);
      })
      .catch(() => {
        if (left) return;
        closeSheet(sheet);
        toast.error(failed.loadPart);
      });
    return () => {
      left = true;
    };
  }, [missing, load, sheet]);

  // First there, then opened: a dialog that is born open does not know whom to give the focus back to.
  useEffect(() => setStanding(Sheet !== null), [Sheet]);

  // Nothing stays open over the page of the next person to sign in.
  useEffect(() => () => closeSheet(sheet), [sheet]);

  return Sheet ? <Sheet opened={wanted && standing} onClose={() => closeSheet(sheet)} /> : null;
}
