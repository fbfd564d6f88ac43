// The row of filters above a list: labelled fields, with their buttons level with the fields; a phone folds most of them.
import { Box, Button, Group } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconFilterOff } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import classes from './filter-bar.module.css';
import { FiltersOnPaper } from './filters-on-paper.tsx';
import { nextStep } from './rescue-focus.ts';

/** How a list is shown whole again whose filters stand in the bar. */
export interface ClearFilters {
  readonly isNarrowed: boolean;
  /** Nothing is left of the list: to clear is the next step. */
  readonly isEmpty: boolean;
  readonly onClear: () => void;
}

export interface FilterBarProps {
  /** Labelled fields. */
  children: ReactNode;
  /** Whether fields within `PhoneFolded` are in force: then a phone shows them from the start. Nothing where none is folded. */
  foldedInForce?: boolean;
  clear?: ClearFilters;
  /** Further buttons. */
  actions?: ReactNode;
}

export function FilterBar({ children, foldedInForce, clear, actions }: FilterBarProps) {
  const [toggled, setToggled] = useState<boolean | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const open = toggled ?? foldedInForce ?? false;
  return (
    <>
      <Group
        ref={bar}
        role="search"
        aria-label="Filters"
        gap="sm"
        mb="md"
        className={classes.bar ?? ''}
        data-open={open || undefined}
      >
        {children}
        {foldedInForce === undefined ? null : (
          <Button
            className={classes.toggle ?? ''}
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
            aria-expanded={open}
            onClick={() => setToggled(!open)}
          >
            {open ? 'Fewer Filters' : 'More Filters'}
          </Button>
        )}
        {clear || actions ? (
          <Box className={classes.actions ?? ''}>
            {clear ? <ClearButton {...clear} /> : null}
            {actions}
          </Box>
        ) : null}
      </Group>
      <FiltersOnPaper bar={bar} />
    </>
  );
}

function ClearButton({ isNarrowed, isEmpty, onClear }: ClearFilters) {
  return (
    <Button
      variant="default"
      leftSection={<IconFilterOff size={16} aria-hidden />}
      disabled={!isNarrowed}
      {...nextStep(isNarrowed && isEmpty)}
      onClick={() => onClear()}
    >
      Clear Filters
    </Button>
  );
}

/** Fields that stay on one line with each other. */
export function Together({ children }: { children: ReactNode }) {
  return <div className={classes.together}>{children}</div>;
}

/** Fields of a bar that a phone shows on request, so that the list begins on its first screen. */
export function PhoneFolded({ children }: { children: ReactNode }) {
  return <div className={classes.folded}>{children}</div>;
}
