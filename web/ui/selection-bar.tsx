// How many rows are selected and what can be done with them: a bar that stays visible at the foot of its table.
import { Box, Button, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import classes from './selection-bar.module.css';
import { BELOW_TOASTS } from './toast.tsx';

export interface SelectionBarProps {
  /** Of the table: 'Uploaded Files'. */
  label: string;
  /** What is selected: '3', 'all 183'; empty for nothing. */
  selected: string;
  onClear: () => void;
  /** Offers to select the rows of the other pages too. */
  extend?: { readonly label: string; readonly onExtend: () => void } | undefined;
  /** Buttons for the ticked rows. */
  children: ReactNode;
}

export function SelectionBar({ label, selected, onClear, extend, children }: SelectionBarProps) {
  const some = selected !== '';
  return (
    <section
      className={classes.bar}
      data-shown={some || undefined}
      {...{ [BELOW_TOASTS]: some || undefined }}
      aria-label={`Selected ${label.toLowerCase()}`}
    >
      {/* Always there, so that a change of the number is read out. */}
      <p className={classes.count} role="status">
        {some ? `${selected} selected` : ''}
      </p>
      {some ? (
        <>
          <Button variant="subtle" size="xs" className={classes.clear ?? ''} aria-label="Clear" onClick={onClear}>
            <IconX size={16} aria-hidden />
            <span>Clear</span>
          </Button>
          {extend ? (
            <Button variant="subtle" size="xs" className={classes.extend ?? ''} onClick={extend.onExtend}>
              {extend.label}
            </Button>
          ) : null}
          <Group gap="xs" ml="auto" className={classes.actions ?? ''}>
            {children}
          </Group>
        </>
      ) : null}
    </section>
  );
}

/** Buttons of a bar that on a phone, where the bar is one line, stand in a menu: the browser opens and closes it, and gives the focus back. */
export function PhoneMenu({ children }: { children: ReactNode }) {
  const id = useId();
  return (
    <>
      <Button variant="default" size="xs" className={classes.more ?? ''} popoverTarget={id}>
        More
      </Button>
      <Box
        id={id}
        popover="auto"
        className={classes.menu ?? ''}
        // It would lie over what its buttons open.
        onClick={({ currentTarget }) => currentTarget.togglePopover(false)}
      >
        {children}
      </Box>
    </>
  );
}
