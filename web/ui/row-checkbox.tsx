// The checkbox that selects a row, or all rows of a page, with room around it for a finger.
import { Checkbox } from '@mantine/core';
import type { MouseEvent as ReactMouseEvent } from 'react';
import classes from './row-checkbox.module.css';

export interface RowCheckboxProps {
  /** 'Select Journal.pdf'. */
  label: string;
  checked: boolean;
  indeterminate?: boolean;
  disabled?: boolean;
  /** `range` is true where Shift was held. */
  onToggle: (range: boolean) => void;
}

export function RowCheckbox({ label, checked, indeterminate = false, disabled = false, onToggle }: RowCheckboxProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the checkbox inside; this is its larger target
    <label className={classes.target} onMouseDown={keepTextUnmarked}>
      <Checkbox
        size="xs"
        aria-label={label}
        checked={checked}
        indeterminate={indeterminate}
        disabled={disabled}
        onChange={(event) => onToggle(event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)}
      />
    </label>
  );
}

/** Shift with a click would mark the text of all rows between. */
function keepTextUnmarked(event: ReactMouseEvent<HTMLElement>): void {
  if (!event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.querySelector('input')?.focus();
}
