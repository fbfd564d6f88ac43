// The shortcuts of single keys: G and a letter, the slash, the question mark.

import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useSingleKeyShortcuts } from '#web/data/account.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { takesText } from '#web/ui/takes-text.ts';
import { openSheet } from './command-sheet.ts';
import { GO_KEYS, goTargetsOf, isDialogOpen } from './shortcut-keys.ts';

/** How long after G the second key may come. */
const SECOND_KEY_WITHIN_MS = 1500;

/** The search box of the page, as far as it has one and it can be seen. */
function pageSearchBox(): HTMLInputElement | undefined {
  const boxes = document.querySelectorAll<HTMLInputElement>('main input[type="search"]:not(:disabled)');
  return [...boxes].find((box) => box.checkVisibility());
}

/** Listens while the component is mounted. Keys in fields that take text, and in dialogs, are ignored. */
export function useShortcuts(): void {
  const user = useSessionUser();
  const [on] = useSingleKeyShortcuts();
  const navigate = useNavigate();
  const leaderAt = useRef(Number.NEGATIVE_INFINITY);

  const quiet = (event: KeyboardEvent) =>
    event.defaultPrevented || event.repeat || event.isComposing || takesText(event.target) || isDialogOpen();

  const lead = (event: KeyboardEvent) => {
    if (!quiet(event)) leaderAt.current = event.timeStamp;
  };
  const go = (key: string) => (event: KeyboardEvent) => {
    const led = event.timeStamp - leaderAt.current <= SECOND_KEY_WITHIN_MS;
    leaderAt.current = Number.NEGATIVE_INFINITY;
    if (!led || quiet(event)) return;
    const target = goTargetsOf(user).find((known) => known.key === key);
    if (target === undefined) return;
    event.preventDefault();
    void navigate({ to: target.item.to });
  };
  const focusSearch = (event: KeyboardEvent) => {
    const box = quiet(event) ? undefined : pageSearchBox();
    if (box === undefined) return;
    // Otherwise the slash would be typed into the box, and one browser opens a search of its own.
    event.preventDefault();
    box.focus();
    box.select();
  };
  const help = (event: KeyboardEvent) => {
    if (quiet(event)) return;
    event.preventDefault();
    openSheet('shortcuts');
  };

  type Hotkey = Parameters<typeof useHotkeys>[0][number];
  const quietly = { preventDefault: false };
  // On some keyboards these two signs take Shift, on others they do not.
  const signs = ['', 'shift+'].flatMap((shift): Hotkey[] => [
    [`${shift}/`, focusSearch, quietly],
    [`${shift}?`, help, quietly],
  ]);
  const hotkeys: Hotkey[] = [['g', lead, quietly], ...GO_KEYS.map((key): Hotkey => [key, go(key), quietly]), ...signs];
  useHotkeys(on ? hotkeys : [], [], true);
}
