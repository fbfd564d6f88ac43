// Text fields that write their own punctuation: phone numbers and federal ids (spec 5).
import { TextInput, type TextInputProps } from '@mantine/core';
import { PatternFormat } from 'react-number-format';

export interface MaskedInputProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'ref'> {
  /** As shown, punctuation included; partly typed values are kept. */
  value: string;
  onChange: (value: string) => void;
}

function MaskedInput({ format, value, onChange, ...rest }: MaskedInputProps & { format: string }) {
  return (
    <PatternFormat
      {...rest}
      customInput={TextInput}
      format={format}
      value={value}
      inputMode="numeric"
      onValueChange={(next, { source }) => {
        // A change that the program itself made is already in the form.
        if (source === 'event') onChange(next.formattedValue.trimEnd());
      }}
    />
  );
}

/** (XXX)-XXX-XXXX */
export function PhoneInput(props: MaskedInputProps) {
  return <MaskedInput placeholder="(XXX)-XXX-XXXX" autoComplete="off" {...props} format="(###)-###-####" />;
}

/** XX-XXXXXXX */
export function FederalIdInput(props: MaskedInputProps) {
  return <MaskedInput placeholder="XX-XXXXXXX" autoComplete="off" {...props} format="##-#######" />;
}
