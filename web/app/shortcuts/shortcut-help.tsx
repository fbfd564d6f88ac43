// The sheet that lists the keyboard shortcuts a person has.

import { Anchor, Kbd, Modal, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSingleKeyShortcuts } from '#web/data/account.ts';
import { modifierLabel } from '#web/lib/modifier.ts';
import { usePageFacts } from '#web/lib/page-facts.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useHistoryStep } from '#web/ui/use-history-step.ts';
import type { SheetProps } from './command-sheet.ts';
import classes from './shortcut-help.module.css';
import { goTargetsOf } from './shortcut-keys.ts';

interface Shortcut {
  readonly deed: string;
  readonly keys: readonly string[];
  /** Pressed one after the other unless said otherwise. */
  readonly joint?: '+' | 'or';
}

export function ShortcutHelp({ opened, onClose }: SheetProps) {
  const user = useSessionUser();
  const [on] = useSingleKeyShortcuts();
  useHistoryStep(onClose);
  const everywhere: readonly Shortcut[] = [
    { deed: 'Search everything', keys: [modifierLabel, 'K'], joint: '+' },
    ...(on
      ? [
          { deed: 'Search on this page', keys: ['/'] },
          { deed: 'Show these shortcuts', keys: ['?'] },
        ]
      : []),
    { deed: 'Take back what was deleted last', keys: [modifierLabel, 'Z'], joint: '+' },
    { deed: 'Close what is open', keys: ['Esc'] },
  ];
  const going = on
    ? goTargetsOf(user).map(({ key, item }): Shortcut => ({ deed: item.label, keys: ['G', key.toUpperCase()] }))
    : [];

  const here = (usePageFacts().keys ?? []).map((key): Shortcut => ({ ...key, joint: 'or' }));

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Keyboard shortcuts"
      size="md"
      styles={{ title: { fontWeight: 600 } }}
    >
      <ShortcutList title="Everywhere" shortcuts={everywhere} />
      {on && here.length > 0 ? <ShortcutList title="On this page" shortcuts={here} /> : null}
      {on ? <ShortcutList title="Go to" shortcuts={going} /> : null}
      <Text size="sm" c="dimmed" mt="md">
        {on ? 'Single keys act outside of dialogs and text fields.' : 'Shortcuts of single keys are turned off.'}{' '}
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => <Link to="/account-settings" {...props} />}
          onClick={onClose}
        >
          {on ? 'Turn them off' : 'Turn them on'}
        </Anchor>
      </Text>
    </Modal>
  );
}

function ShortcutList({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section className={classes.section} aria-label={title}>
      <Text size="sm" c="dimmed" fw={500} mb={4} aria-hidden>
        {title}
      </Text>
      <dl className={classes.list}>
        {shortcuts.map(({ deed, keys, joint = 'then' }) => (
          <div key={deed} className={classes.shortcut}>
            <dt>{deed}</dt>
            <dd>
              {keys.map((key, nth) => (
                <span key={key}>
                  {nth > 0 ? <span className={classes.joint}>{joint}</span> : null}
                  <Kbd>{key}</Kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
