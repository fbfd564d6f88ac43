// What must be taken away as a file, since it is shown to nobody again: generated passwords, links.
import { Alert } from '@mantine/core';
import { saveBlob } from '#web/lib/file-access.ts';
import { importWords } from '#web/lib/import-messages.ts';
import { csvBlob } from './csv-blob.ts';
import classes from './import-dialog.module.css';

export interface Keepsake {
  readonly words: string;
  readonly label: string;
  readonly fileName: string;
  readonly lines: readonly (readonly string[])[];
}

export const takeKeepsake = ({ lines, fileName }: Keepsake) => saveBlob(csvBlob(lines), fileName);

interface KeepsakeNoteProps {
  /** What was done. */
  title: string;
  words: string;
  taken: boolean;
}

export function KeepsakeNote({ title, words, taken }: KeepsakeNoteProps) {
  return (
    <Alert
      title={title}
      {...(taken
        ? { color: 'green' }
        : { classNames: { root: classes.warned ?? '', title: classes.warnedTitle ?? '' } })}
    >
      {taken ? importWords.taken : words}
    </Alert>
  );
}
