// Around a password field: says when Caps Lock is on, as long as somebody types there.
import { Text } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';

export function CapsLockHint({ children }: { children: ReactNode }) {
  const [on, setOn] = useState(false);
  const read = (event: KeyboardEvent) => setOn(event.getModifierState('CapsLock'));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside is what is worked; this only hears its keys
    <div onKeyDown={read} onKeyUp={read} onBlur={() => setOn(false)}>
      {children}
      {/* Always there, so that its change is read out. */}
      <div aria-live="polite">
        {on ? (
          <Text component="span" size="xs" c="dimmed">
            Caps Lock is on
          </Text>
        ) : null}
      </div>
    </div>
  );
}
