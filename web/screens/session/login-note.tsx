// A note below the form of the sign-in page, and what it says to whom nothing else can help.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './login.module.css';

export const ASK_THE_FIRM = 'Please ask your accounting firm. An administrator there can set a new password for you.';

export function Note({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" className={classes.note ?? ''}>
      {children}
    </Text>
  );
}
