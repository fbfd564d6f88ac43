// Files of which one is there already: what becomes of them, one by one or all at once.

import { Anchor, Button, SegmentedControl } from '@mantine/core';
import { formatDate } from '#web/lib/format.ts';
import { opensTab } from '#web/lib/messages.ts';
import type { OwnChoices, Repeat } from './own-choices.ts';
import classes from './upload-list.module.css';
import type { UploadRow } from './upload-rows.ts';

const repeats: readonly { readonly value: Repeat; readonly label: string }[] = [
  { value: 'keep', label: 'Keep both' },
  { value: 'replace', label: 'Replace' },
  { value: 'skip', label: 'Skip' },
];

/** One answer for all files of which one is there already, where there are several. */
export function RepeatAll(props: {
  rows: readonly UploadRow[];
  disabled: boolean;
  onChange: (choice: Repeat) => void;
}) {
  const { rows, disabled, onChange } = props;
  const there = rows.filter((row) => row.there !== null);
  if (there.length < 2) return null;
  const offered = repeats.filter(({ value }) => value !== 'replace' || there.some((row) => row.there?.mayReplace));
  return (
    <fieldset className={classes.repeatAll} aria-label="For all files that are already there">
      <span>{there.length} files are already there. For all:</span>
      {offered.map(({ value, label }) => (
        <Button
          key={value}
          variant="default"
          size="compact-sm"
          disabled={disabled}
          onClick={() => onChange(value)}
          aria-label={`${label}, for all`}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  );
}

const contentWords = {
  same: 'same content',
  other: 'same name, other content',
  unknown: 'same name and size',
} as const;

interface AlreadyThereProps {
  name: string;
  there: NonNullable<UploadRow['there']>;
  disabled: boolean;
  onChange: (choice: OwnChoices) => void;
}

/** What is stored already under this name, and what becomes of the file that is about to be sent. */
export function AlreadyThere({
  name,
  there: { file, content, mayReplace, choice },
  disabled,
  onChange,
}: AlreadyThereProps) {
  const words = `Already there: uploaded ${formatDate(file.uploadedAt)} by ${file.uploaderName}, ${contentWords[content]}${file.onHold ? ', on hold' : ''}`;
  return (
    <div className={classes.there}>
      <p className={classes.fact} data-warned>
        <Anchor
          inherit
          href={`/cpa-dashboard/report/${file.id}`}
          target="_blank"
          rel="noopener"
          title={opensTab}
          aria-label={`${words}. ${opensTab}`}
        >
          {words}
        </Anchor>
      </p>
      <SegmentedControl
        size="xs"
        aria-label={`${name} is already there`}
        data={repeats.filter(({ value }) => value !== 'replace' || mayReplace)}
        value={choice}
        onChange={(value) => {
          const chosen = repeats.find((repeat) => repeat.value === value);
          if (chosen) onChange({ repeat: { fileId: file.id, choice: chosen.value } });
        }}
        disabled={disabled}
        className={classes.repeat ?? ''}
      />
    </div>
  );
}
