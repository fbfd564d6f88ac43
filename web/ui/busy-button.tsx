// A button that is off while its work runs, but still focusable: `disabled` would drop the focus.
import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef, MouseEvent } from 'react';

export interface BusyButtonProps extends ButtonProps, Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> {
  busy: boolean;
}

export function BusyButton({ busy, onClick, ...rest }: BusyButtonProps) {
  return (
    <Button
      {...rest}
      aria-disabled={busy || undefined}
      data-disabled={busy}
      onClick={(event: MouseEvent<HTMLButtonElement>) => {
        // A form is not sent a second time either.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
