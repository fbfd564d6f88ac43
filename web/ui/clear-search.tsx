// The way back from a search that finds nothing: below the empty list's words.
import { Button } from '@mantine/core';

export interface ClearSearchProps {
  list: { readonly clear: () => void };
}

export function ClearSearch({ list }: ClearSearchProps) {
  return (
    <Button
      variant="default"
      size="xs"
      mt="xs"
      onClick={() => {
        list.clear();
        // The button goes with the empty list.
        document.querySelector<HTMLElement>('main input[type="search"]')?.focus();
      }}
    >
      Show All
    </Button>
  );
}
