// The marks beside the name of a file: not opened yet, on hold, corrected by another, a correction itself, without a type.
import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FileRow } from '#contract/files.ts';
import { FILE_ON_HOLD } from '#contract/hold-words.ts';
import { ON_HOLD } from '#web/lib/hold-messages.ts';
import classes from './file-marks.module.css';

export interface FileMarksProps {
  file: Pick<FileRow, 'isNew' | 'corrects' | 'correctedBy' | 'onHold' | 'fileType' | 'reportTypeId'>;
  /** The name. */
  children: ReactNode;
}

/** A report without a type is in the access list of no Client user. */
const isHiddenFromClients = ({ fileType, reportTypeId }: Pick<FileRow, 'fileType' | 'reportTypeId'>) =>
  fileType === 'report' && reportTypeId === null;

export function FileMarks({ file, children }: FileMarksProps) {
  const named = <MarksBeside file={file}>{children}</MarksBeside>;
  if (!isHiddenFromClients(file)) return named;
  return (
    <span className={classes.stacked}>
      <span className={classes.name}>{named}</span>
      <HiddenFromClients file={file} />
    </span>
  );
}

function MarksBeside({ file: { isNew, corrects = null, correctedBy = null, onHold }, children }: FileMarksProps) {
  if (!isNew && corrects === null && correctedBy === null && !onHold) return children;
  return (
    <span className={classes.named} data-beside-name>
      <span className={classes.name}>{children}</span>
      {isNew ? <Badge miw="max-content">New</Badge> : null}
      {onHold ? <Mark word={ON_HOLD} says={FILE_ON_HOLD} /> : null}
      {correctedBy === null ? null : <Mark word="Corrected" says={`Corrected by ${correctedBy.originalName}`} />}
      {corrects === null ? null : <Mark word="Correction" says={`Correction of ${corrects.originalName}`} />}
    </span>
  );
}

/** Of such a report alone. */
export function HiddenFromClients({ file }: { file: Pick<FileRow, 'fileType' | 'reportTypeId'> }) {
  if (!isHiddenFromClients(file)) return null;
  return (
    <Badge miw="max-content" className={classes.warned ?? ''} title="It has no report type. Re-file it to choose one.">
      Not visible to clients
    </Badge>
  );
}

/** Beside any name. */
export function Mark({ word, says }: { word: string; says: string }) {
  return (
    <Badge miw="max-content" title={says} role="img" aria-label={says}>
      {word}
    </Badge>
  );
}
