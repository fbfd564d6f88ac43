// The filter of a list by one of a few words, such as a state.
import { NativeSelect } from '@mantine/core';

interface ChoiceFilterProps<Choice extends string> {
  label: string;
  /** What stands for all rows: 'All States'. */
  allLabel: string;
  choices: readonly Choice[];
  names: Readonly<Record<Choice, string>>;
  /** Neither null nor undefined narrows. */
  value: Choice | null | undefined;
  /** Told '' for all rows. */
  onChange: (value: string) => void;
  /** In pixels, but on a phone. */
  width: number;
}

export function ChoiceFilter<Choice extends string>(props: ChoiceFilterProps<Choice>) {
  const { label, allLabel, choices, names, value, onChange, width } = props;
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: allLabel }, ...choices.map((choice) => ({ value: choice, label: names[choice] }))]}
      w={{ base: '100%', xs: width }}
    />
  );
}
