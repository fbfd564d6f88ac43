// Whether shortcuts of a single key work; remembered in this browser.

import { Checkbox } from '@mantine/core';
import { useSingleKeyShortcuts } from '#web/data/account.ts';

export function ShortcutSetting() {
  const [on, setOn] = useSingleKeyShortcuts();
  return (
    <Checkbox
      label="Single-key shortcuts"
      description={
        <>
          Press ? on any page to see them. <Keys>Ctrl K</Keys> (<Keys>⌘ K</Keys> on a Mac) searches either way.
        </>
      }
      checked={on}
      onChange={(event) => setOn(event.currentTarget.checked)}
    />
  );
}

/** Keys that are pressed together stay on one line. */
function Keys({ children }: { children: string }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{children}</span>;
}
