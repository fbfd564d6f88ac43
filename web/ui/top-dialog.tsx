// A dialog over every other, which it leaves as they are: it keeps its keys to itself and restores the focus.
import { Modal } from '@mantine/core';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';

/** Above other dialogs and the palette, below the toasts; `above` is one such dialog over another. */
export const Z_INDEX = { question: 420, low: 430, middle: 440, high: 450 } as const;

/** Keys pressed inside an element with this mark are ignored by the dialogs below, which listen on the whole window. */
const KEEPS_KEYS = 'data-mantine-stop-propagation';

/**
 * What a dialog has that stands over others: Escape and other keys are its own, and theirs no more. `onEscape` is what Escape does;
 * without it the key does nothing.
 */
export const keepsKeys = (onEscape?: () => void) => ({
  closeOnEscape: false,
  attributes: { content: { [KEEPS_KEYS]: 'true' } },
  onFocus: ({ target }: FocusEvent<HTMLElement>) => target.setAttribute(KEEPS_KEYS, 'true'),
  onKeyDown: ({ key }: KeyboardEvent) => {
    if (key === 'Escape') onEscape?.();
  },
});

export interface TopDialogProps {
  opened: boolean;
  title: string;
  /** Which of several such dialogs is over the others. */
  level: Exclude<keyof typeof Z_INDEX, 'question'>;
  /** What Escape does; without it the key does nothing. */
  onEscape?: () => void;
  children: ReactNode;
}

const stay = () => undefined;

export function TopDialog({ opened, title, level, onEscape, children }: TopDialogProps) {
  // First opened, then filled: a field that took the focus at once would hide from the dialog where to return it.
  const [filled, setFilled] = useState(false);
  useEffect(() => setFilled(opened), [opened]);
  return (
    <Modal
      opened={opened}
      onClose={stay}
      title={title}
      size="sm"
      zIndex={Z_INDEX[level]}
      withCloseButton={false}
      closeOnClickOutside={false}
      transitionProps={{ duration: 120, exitDuration: 0 }}
      styles={{ title: { fontWeight: 600 } }}
      {...keepsKeys(onEscape)}
    >
      {filled ? children : null}
    </Modal>
  );
}
