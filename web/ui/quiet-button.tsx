// A button that looks like a link: an alternative, or the way back, below the main button.
import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';

export type QuietButtonProps = ButtonProps & Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps>;

/** Its text, not its background, is aligned with what is above. */
export function QuietButton(props: QuietButtonProps) {
  return <Button variant="subtle" size="compact-sm" px={8} ml={-9} style={{ alignSelf: 'flex-start' }} {...props} />;
}
