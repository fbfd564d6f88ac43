// The type of a company document as a coloured badge.

import { Badge } from '@mantine/core';
import { DOCUMENT_TYPES, type DocumentType } from '#contract/file-kinds.ts';
import classes from './document-type-badge.module.css';

const hues: Record<DocumentType, string> = {
  'Tax Return': 'blue',
  'Financial Statement': 'green',
  'Supporting Document': 'amber',
  Correspondence: 'violet',
  Other: 'grey',
};

/** Whatever is not one of the known types is shown as Other (docs/behaviour.md, Files: data). */
export function DocumentTypeBadge({ type }: { type: string | null }) {
  const known = DOCUMENT_TYPES.find((name) => name === type) ?? 'Other';
  return (
    <Badge className={classes.badge ?? ''} data-hue={hues[known]}>
      {known}
    </Badge>
  );
}
