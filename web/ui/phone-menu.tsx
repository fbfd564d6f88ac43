// Buttons that stand in their bar like the others, but on a phone, where the bar is one line, in a menu.
import { Box, Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './phone-menu.module.css';

/** The browser opens and closes it, and gives the focus back. */
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
