// What a choice can teach for the next batch, in the document's own words.
import { Button } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import type { Remembered } from '#contract/batch-words.ts';
import type { DocumentRow } from '#contract/batches.ts';
import { rememberWords } from '#web/lib/remember-messages.ts';
import classes from './review.module.css';

export interface RememberThisProps {
  document: DocumentRow;
  onRemember: (what: Remembered, words: string) => void;
}

/** What would be remembered, as a person reads it; null where there is nothing. */
function wordsOf({ rememberable, reportTypeName, clientName }: DocumentRow, what: Remembered): string | null {
  const found = rememberable[what];
  const of = what === 'type' ? reportTypeName : clientName;
  return found === null || of === null ? null : rememberWords[what](found, of);
}

export function RememberThis({ document, onRemember }: RememberThisProps) {
  const offers = (['type', 'client'] as const).flatMap((what) => {
    const words = wordsOf(document, what);
    return words === null ? [] : [{ what, words }];
  });
  if (offers.length === 0) return null;
  return (
    <section aria-label="Remember this" className={classes.remember}>
      {offers.map(({ what, words }) => (
        <Button
          key={what}
          variant="light"
          size="xs"
          className={classes.other ?? ''}
          leftSection={<IconBulb size={16} aria-hidden />}
          onClick={() => onRemember(what, words)}
        >
          Remember: {words}
        </Button>
      ))}
    </section>
  );
}
