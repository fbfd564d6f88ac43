// A button that reads like a link: another way, or the way back, below what is meant to be pressed.
import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';

export type QuietButtonProps = ButtonProps & Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps>;

/** Its words, not its ground, are in line with what is above. */
export function QuietButton(props: QuietButtonProps) {
  return <Button variant="subtle" size="compact-sm" px={8} ml={-9} style={{ alignSelf: 'flex-start' }} {...props} />;
}
