// How many rows are selected and what can be done with them: a bar that stays visible at the foot of its table.
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './selection-bar.module.css';

export interface SelectionBarProps {
  /** Of the table: 'Uploaded Files'. */
  label: string;
  count: number;
  onClear: () => void;
  /** Buttons for the ticked rows. */
  children: ReactNode;
}

export function SelectionBar({ label, count, onClear, children }: SelectionBarProps) {
  const some = count > 0;
  return (
    <section className={classes.bar} data-shown={some || undefined} aria-label={`Selected ${label.toLowerCase()}`}>
      {/* Always there, so that a change of the number is read out. */}
      <p className={classes.count} role="status">
        {some ? `${count.toLocaleString('en-US')} selected` : ''}
      </p>
      {some ? (
        <>
          <Button variant="subtle" size="xs" onClick={onClear}>
            Clear
          </Button>
          <Group gap="xs" ml="auto">
            {children}
          </Group>
        </>
      ) : null}
    </section>
  );
}
