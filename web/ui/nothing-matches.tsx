// What a list shows where its search and filters leave nothing, told apart from a list that is empty: with the way back to all of it.
import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { EmptyStateProps } from './empty-state.tsx';
import { nextStep } from './rescue-focus.ts';

export interface NothingMatches {
  /** 'No files match your search and filters.' */
  title: string;
  hint?: string;
  /** Clears everything that narrows the list; absent where the page has a 'Clear Filters' of its own. */
  onClear?: () => void;
}

/** For `empty` of a DataTable while something narrows its list. */
export function nothingMatches({ title, hint, onClear }: NothingMatches): EmptyStateProps {
  return {
    title,
    hint,
    icon: <IconFilterOff size={24} stroke={1.5} />,
    action: onClear && (
      <Button
        variant="default"
        size="xs"
        mt={6}
        {...nextStep(true)}
        onClick={() => {
          onClear();
          // The button goes with the emptiness.
          document.getElementById('main')?.focus({ preventScroll: true });
        }}
      >
        Clear Filters
      </Button>
    ),
  };
}
