// A filter that is on or off, level with the fields of a filter bar or in a line of its own: 'New only', 'Not opened'.
import { Checkbox } from '@mantine/core';
import classes from './only-filter.module.css';

export interface OnlyFilterProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function OnlyFilter({ label, checked, onChange }: OnlyFilterProps) {
  return (
    <Checkbox
      label={label}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
      className={classes.filter ?? ''}
    />
  );
}
