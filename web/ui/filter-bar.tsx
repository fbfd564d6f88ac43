// The row of filters above a list: labelled fields, with their buttons level with the fields.
import { Box, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './filter-bar.module.css';

export interface FilterBarProps {
  /** Labelled fields. */
  children: ReactNode;
  /** 'Clear Filters' and similar. */
  actions?: ReactNode;
}

export function FilterBar({ children, actions }: FilterBarProps) {
  return (
    <Group role="search" aria-label="Filters" gap="sm" align="flex-start" mb="md" className={classes.bar ?? ''}>
      {children}
      {actions ? <Box className={classes.actions ?? ''}>{actions}</Box> : null}
    </Group>
  );
}
