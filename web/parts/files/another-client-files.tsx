// Files that were not re-filed together with others because they name another client: which of them are filed there all the same, and why.
import { Checkbox, Stack, TextInput } from '@mantine/core';
import { KEEP_REASON_MAX } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import { counted } from '#contract/plain-words.ts';
import { reasonOf } from '#web/lib/api-fault.ts';
import classes from './another-client-files.module.css';

export interface StoppedFile {
  readonly file: FileRow;
  /** Why it was refused. */
  readonly error: unknown;
}

export interface Keeping {
  /** The ids of those that are kept; the others are left out. */
  readonly ids: readonly number[];
  readonly because: string;
}

export const KEEPS_NONE: Keeping = { ids: [], because: '' };

export interface AnotherClientFilesProps {
  chosenName: string;
  files: readonly StoppedFile[];
  keeping: Keeping;
  onChange: (keeping: Keeping) => void;
  disabled: boolean;
}

export function AnotherClientFiles({ chosenName, files, keeping, onChange, disabled }: AnotherClientFilesProps) {
  return (
    <>
      <Checkbox.Group
        label={`${counted(files.length, 'file')} ${files.length === 1 ? 'names' : 'name'} another client`}
        description={`Tick what belongs to ${chosenName} all the same. What is not ticked stays where it is.`}
        value={keeping.ids.map(String)}
        onChange={(ids) => onChange({ ...keeping, ids: ids.map(Number) })}
      >
        <Stack gap="xs" mt="xs" className={classes.files ?? ''}>
          {files.map(({ file, error }) => (
            <Checkbox
              key={file.id}
              value={String(file.id)}
              label={file.originalName}
              description={reasonOf(error)}
              disabled={disabled}
              classNames={{ label: classes.name ?? '' }}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {keeping.ids.length === 0 ? null : (
        <TextInput
          label={keeping.ids.length === 1 ? `Why is it ${chosenName}’s?` : `Why are they ${chosenName}’s?`}
          description="The log has your answer."
          maxLength={KEEP_REASON_MAX}
          value={keeping.because}
          onChange={(event) => onChange({ ...keeping, because: event.currentTarget.value })}
          disabled={disabled}
        />
      )}
    </>
  );
}
