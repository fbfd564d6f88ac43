// The filters in force above a list, as chips: each says what it is and can be taken off by itself.
import { Button, CloseButton } from '@mantine/core';
import classes from './filter-chips.module.css';
import { nextStep } from './rescue-focus.ts';

export interface FilterChip {
  /** What is filtered: 'Client'. */
  name: string;
  /** By what: 'Harbor & Pine'. */
  value: string;
  onRemove: () => void;
}

export interface FilterChipsProps {
  chips: readonly FilterChip[];
  /** 'Clear Filters'; nothing where the screen has a button of its own. */
  clear?: { readonly label: string; readonly onClear: () => void };
}

/** Nothing where no filter is in force. */
export function FilterChips({ chips, clear }: FilterChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label="Filters in force" data-filter-chips>
      {chips.map(({ name, value, onRemove }) => (
        <li key={name} className={classes.chip}>
          <span className={classes.text}>
            {name}: {value}
          </span>
          <CloseButton size="sm" radius="xl" aria-label={`Remove filter ${name}`} onClick={onRemove} />
        </li>
      ))}
      {clear ? (
        <li>
          <Button
            variant="subtle"
            size="xs"
            {...nextStep(true)}
            onClick={() => {
              clear.onClear();
              // The button goes with the filters.
              document.getElementById('main')?.focus({ preventScroll: true });
            }}
          >
            {clear.label}
          </Button>
        </li>
      ) : null}
    </ul>
  );
}
