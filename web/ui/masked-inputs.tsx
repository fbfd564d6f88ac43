// Text fields that add their own punctuation: phone numbers and federal ids (docs/behaviour.md, Fields: what a field may hold).
import { TextInput, type TextInputProps } from '@mantine/core';
import type { ClipboardEvent } from 'react';
import { PatternFormat } from 'react-number-format';

export interface MaskedInputProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'ref'> {
  /** As shown, punctuation included; partly typed values are kept. */
  value: string;
  onChange: (value: string) => void;
}

interface Mask {
  /** A # for each digit. */
  format: string;
  /** Digits that may be written before the ones that count, as the 1 before an American phone number. */
  lead?: string;
}

/** `text` in the format, where its digits fill it exactly, with or without the lead; else null. */
function fitted(text: string, { format, lead = '' }: Mask): string | null {
  const digits = text.replace(/\D/g, '');
  const wanted = format.replace(/[^#]/g, '').length;
  const counting = digits.length > wanted && digits.startsWith(lead) ? digits.slice(lead.length) : digits;
  if (counting.length !== wanted) return null;
  let next = 0;
  return format.replace(/#/g, () => counting[next++] ?? '');
}

function MaskedInput({ format, lead = '', value, onChange, ...rest }: MaskedInputProps & Mask) {
  return (
    <PatternFormat
      {...rest}
      customInput={TextInput}
      format={format}
      value={value}
      inputMode="numeric"
      onPaste={(event: ClipboardEvent<HTMLInputElement>) => {
        // A complete value replaces the text; a partial one is left to the mask.
        const whole = fitted(event.clipboardData.getData('text'), { format, lead });
        if (whole === null) return;
        event.preventDefault();
        onChange(whole);
      }}
      onValueChange={(next, { source }) => {
        // A change made by the program is in the form already.
        if (source === 'event') onChange(next.formattedValue.trimEnd());
      }}
    />
  );
}

/** (XXX)-XXX-XXXX */
export function PhoneInput(props: MaskedInputProps) {
  return <MaskedInput placeholder="(XXX)-XXX-XXXX" autoComplete="off" {...props} format="(###)-###-####" lead="1" />;
}

/** XX-XXXXXXX */
export function FederalIdInput(props: MaskedInputProps) {
  return <MaskedInput placeholder="XX-XXXXXXX" autoComplete="off" {...props} format="##-#######" />;
}
