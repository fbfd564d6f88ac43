// Beside the earlier file that a file corrects: whether that one is replaced, and why.
import { Checkbox, Text, TextInput } from '@mantine/core';
import { KEEP_REASON_MAX } from '#contract/file-kinds.ts';
import { versionWords } from '#web/lib/version-messages.ts';

/** Null where the earlier file stays in the lists. */
export type Replacing = { readonly because: string } | null;

export interface ReplaceChoiceProps {
  value: Replacing;
  /** The earlier file is on hold, as far as is known here. */
  held: boolean;
  onChange: (value: Replacing) => void;
  disabled?: boolean;
}

export function ReplaceChoice({ value, held, onChange, disabled = false }: ReplaceChoiceProps) {
  if (held) return <Text size="sm">{versionWords.held}</Text>;
  return (
    <>
      <Checkbox
        label={versionWords.replaceIt}
        description={versionWords.replaceHint}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? { because: '' } : null)}
        disabled={disabled}
      />
      {value === null ? null : (
        <TextInput
          label={versionWords.because}
          aria-required={false}
          maxLength={KEEP_REASON_MAX}
          value={value.because}
          onChange={(event) => onChange({ because: event.currentTarget.value })}
          disabled={disabled}
        />
      )}
    </>
  );
}
