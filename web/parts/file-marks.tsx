// The marks beside the name of a file: not opened yet, replaced by a correction, a correction itself.
import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FileRow } from '#contract/files.ts';
import classes from './file-marks.module.css';

export interface FileMarksProps {
  file: Pick<FileRow, 'isNew' | 'corrects' | 'correctedBy'>;
  /** The name. */
  children: ReactNode;
}

export function FileMarks({ file: { isNew, corrects = null, correctedBy = null }, children }: FileMarksProps) {
  if (!isNew && corrects === null && correctedBy === null) return children;
  return (
    <span className={classes.named} data-beside-name>
      <span className={classes.name}>{children}</span>
      {isNew ? <Badge miw="max-content">New</Badge> : null}
      {correctedBy === null ? null : <Mark word="Replaced" says={`Replaced by ${correctedBy.originalName}`} />}
      {corrects === null ? null : <Mark word="Correction" says={`Correction of ${corrects.originalName}`} />}
    </span>
  );
}

function Mark({ word, says }: { word: string; says: string }) {
  return (
    <Badge miw="max-content" title={says} role="img" aria-label={says}>
      {word}
    </Badge>
  );
}
