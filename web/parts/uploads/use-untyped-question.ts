// What is asked before reports are sent without a type, which their clients could not see.

import { useRef, useState } from 'react';
import { counted } from '#contract/plain-words.ts';
import type { FootQuestion } from '#web/ui/form-dialog.tsx';

export const countedThat = (count: number, verb: readonly [one: string, many: string]) =>
  `${counted(count, 'file')} ${verb[count === 1 ? 0 : 1]}`;

export function useUntypedQuestion() {
  const [isAsked, setAsked] = useState(false);
  /** Around the fields of the types; 'Choose a type' leads to the last of them. */
  const kindFields = useRef<HTMLDivElement>(null);
  const dismiss = () => setAsked(false);
  const toTypes = () => {
    dismiss();
    [...(kindFields.current?.querySelectorAll<HTMLInputElement>('input:not([type="hidden"])') ?? [])].at(-1)?.focus();
  };
  return {
    kindFields,
    ask: () => setAsked(true),
    dismiss,
    /** For the foot of the dialog; null where nothing is asked, or nothing lacks a type any more. */
    questionOf: (count: number, onUpload: () => void): FootQuestion | null =>
      isAsked && count > 0
        ? {
            message: `${countedThat(count, ['has no report type', 'have no report type'])}. Without a type, clients cannot see ${count === 1 ? 'it' : 'them'}.`,
            keep: { label: 'Choose a type', onClick: toTypes },
            proceed: {
              label: 'Upload anyway',
              onClick: () => {
                dismiss();
                onUpload();
              },
            },
          }
        : null,
  };
}
