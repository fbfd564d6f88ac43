// Whether shortcuts of a single key act; kept in this browser.

import { Switch } from '@mantine/core';
import { useSingleKeyShortcuts } from '#web/data/account.ts';

export function ShortcutSwitch() {
  const [on, setOn] = useSingleKeyShortcuts();
  return (
    <Switch
      size="md"
      label="Single-key shortcuts"
      description="Press ? on any page to see them. Ctrl K (⌘ K on a Mac) searches either way."
      checked={on}
      onChange={(event) => setOn(event.currentTarget.checked)}
    />
  );
}
