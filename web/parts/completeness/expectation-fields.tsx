// How often a report is expected and how soon after its period, as two fields of a row.
import { NativeSelect, NumberInput } from '@mantine/core';
import { DUE_DAYS_MAX, FREQUENCIES, type Frequency, frequencyNames } from '#contract/completeness-words.ts';
import { completenessWords } from '#web/lib/completeness-messages.ts';

export interface FrequencySelectProps {
  /** 'How often Form 941 is expected' */
  label: string;
  /** Null where it is not expected. */
  value: Frequency | null;
  onChange: (frequency: Frequency | null) => void;
  /** Offers 'Not expected'. */
  withNone?: boolean;
  disabled?: boolean;
}

export function FrequencySelect({ label, value, onChange, withNone = false, disabled = false }: FrequencySelectProps) {
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(FREQUENCIES.find((frequency) => frequency === event.currentTarget.value) ?? null)}
      data={[
        ...(withNone ? [{ value: '', label: completenessWords.noneExpected }] : []),
        ...FREQUENCIES.map((frequency) => ({ value: frequency, label: frequencyNames[frequency] })),
      ]}
      disabled={disabled}
    />
  );
}

export interface DueDaysFieldProps {
  label: string;
  value: number;
  onChange: (dueDays: number) => void;
  disabled?: boolean;
}

export function DueDaysField({ label, value, onChange, disabled = false }: DueDaysFieldProps) {
  return (
    <NumberInput
      size="xs"
      aria-label={label}
      value={value}
      onChange={(next) => onChange(Math.min(DUE_DAYS_MAX, Math.max(0, Math.trunc(Number(next) || 0))))}
      min={0}
      max={DUE_DAYS_MAX}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      suffix=" days"
      disabled={disabled}
    />
  );
}
