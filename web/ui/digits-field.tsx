// A field for a short code of digits that is shown elsewhere: reports when all of them are typed.
import { TextInput, type TextInputProps } from '@mantine/core';
import type { Ref } from 'react';
import classes from './digits-field.module.css';

export interface DigitsFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Digits alone. */
  value: string;
  length: number;
  onChange: (digits: string) => void;
  /** Called when the last digit was typed or pasted. */
  onComplete: (digits: string) => void;
  ref?: Ref<HTMLInputElement>;
}

export function DigitsField({ value, length, onChange, onComplete, ...rest }: DigitsFieldProps) {
  return (
    <TextInput
      aria-required
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      classNames={{ input: classes.digits ?? '' }}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      {...rest}
      value={value}
      onChange={(event) => {
        // Codes are shown in groups, and pasted with their spaces.
        const digits = event.currentTarget.value.replace(/\D/g, '').slice(0, length);
        onChange(digits);
        if (digits.length === length && digits !== value) onComplete(digits);
      }}
    />
  );
}
