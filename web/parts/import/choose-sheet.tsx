// Where a CSV comes from: a file that is chosen or dropped, or rows that are pasted.
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import { type RefObject, useRef } from 'react';
import { saveBlob } from '#web/lib/file-access.ts';
import { importWords } from '#web/lib/import-messages.ts';
import { QuietButton } from '#web/ui/quiet-button.tsx';
import { csvBlob } from './csv-blob.ts';
import classes from './import-dialog.module.css';
import type { ImportKind } from './import-kind.ts';

interface ChooseSheetProps<Field extends string> {
  kind: ImportKind<Field>;
  text: string;
  onText: (text: string) => void;
  onFile: (file: File | undefined) => void;
  /** Whether a file is dragged over it. */
  isOver: boolean;
  chooseButton: RefObject<HTMLButtonElement | null>;
}

export function ChooseSheet<Field extends string>(props: ChooseSheetProps<Field>) {
  const { kind, text, onText, onFile, isOver, chooseButton } = props;
  const { columns } = kind;
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <Stack gap="sm">
      <div className={classes.drop} data-over={isOver || undefined}>
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
            ref={chooseButton}
            onClick={() => chooser.current?.click()}
            data-autofocus
          >
            Choose File
          </Button>
          <Text c="dimmed">{importWords.drop}</Text>
        </Group>
        <input
          ref={chooser}
          type="file"
          accept=".csv,.txt,.tsv,text/csv"
          hidden
          onChange={(event) => {
            onFile(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </div>
      <Textarea
        label="Or paste rows here"
        description={importWords.paste}
        placeholder={columns.map(({ label }) => label).join(', ')}
        autosize
        minRows={3}
        maxRows={8}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <QuietButton
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() =>
          saveBlob(
            csvBlob([columns.map(({ label }) => label), columns.map(({ example }) => example)]),
            `${kind.list}-template.csv`,
          )
        }
      >
        Download a template
      </QuietButton>
    </Stack>
  );
}
