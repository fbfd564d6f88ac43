// The button that opens an import, and its dialog, which loads when it is needed.
import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { useAddressRequest } from '#web/ui/use-address-request.ts';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';

interface Import {
  /** Null for whoever may not import. */
  readonly button: ReactNode;
  /** Rendered whoever it is: a right that is lost meanwhile must not take away what the dialog shows only once. */
  readonly dialog: ReactNode;
}

/** `label` is for screen readers: 'Import clients'; `load` must stay the same function. */
export function useImport(
  label: string,
  load: () => Promise<ComponentType<Dialog<never>>>,
  mayImport: boolean,
): Import {
  const { open, element } = useLazyDialog<never>(load);
  useAddressRequest('import', () => {
    if (mayImport) void open(null);
  });
  return {
    button: mayImport ? (
      <Button
        variant="default"
        leftSection={<IconFileImport size={16} aria-hidden />}
        aria-label={label}
        onClick={() => void open(null)}
      >
        Import
      </Button>
    ) : null,
    dialog: element,
  };
}
