// A setting with a few choices, each an icon and a label; it takes effect at once.

import { SegmentedControl } from '@mantine/core';
import type { IconSun } from '@tabler/icons-react';
import { useId } from 'react';
import classes from './icon-choice.module.css';

export interface IconChoiceProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly { readonly value: Value; readonly label: string; readonly icon: typeof IconSun }[];
  onChange: (value: Value) => void;
}

export function IconChoice<Value extends string>({ label, value, choices, onChange }: IconChoiceProps<Value>) {
  const id = useId();
  return (
    <div className={classes.field}>
      <span id={id}>{label}</span>
      <SegmentedControl<Value>
        aria-labelledby={id}
        value={value}
        onChange={onChange}
        data={choices.map((choice) => ({
          value: choice.value,
          label: (
            <span className={classes.choice}>
              <choice.icon size={16} stroke={1.6} aria-hidden />
              {choice.label}
            </span>
          ),
        }))}
      />
    </div>
  );
}
