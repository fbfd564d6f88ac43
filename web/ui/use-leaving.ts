// How a dialog is left: at once, or after a question where that would lose something, whether by its buttons or by another page.
import { useBlocker } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';

export interface Leaving {
  /** Whether it is asked. */
  readonly shown: boolean;
  /** Has the focus once it is asked. */
  readonly keepButton: RefObject<HTMLButtonElement | null>;
  readonly keep: () => void;
  readonly discard: () => void;
  /** Leaves what goes on to itself. */
  readonly leaveBusy: () => void;
  readonly close: () => void;
}

interface LeavingOptions {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** True where closing would lose something. */
  readonly dirty: boolean;
  readonly busy: boolean;
  /** While true, it stays. */
  readonly locked: boolean;
  /** Closes it while busy without stopping what it does. */
  readonly background: { readonly onClick: () => void } | undefined;
}

export function useLeaving({ opened, onClose, dirty, busy, locked, background }: LeavingOptions): Leaving {
  const [asking, setAsking] = useState(false);
  const keepButton = useRef<HTMLButtonElement>(null);
  const guarded = opened && dirty && !busy;

  const blocker = useBlocker({
    // The words of a search reach the address a moment after they are typed: that leaves no page.
    shouldBlockFn: ({ current, next, action }) =>
      (guarded || (opened && busy)) &&
      !((action === 'PUSH' || action === 'REPLACE') && current.pathname === next.pathname),
    enableBeforeUnload: () => guarded || (opened && busy),
    disabled: !opened,
    withResolver: true,
  });
  const blocked = blocker.status === 'blocked';
  const shown = asking || blocked;

  useEffect(() => {
    if (shown) keepButton.current?.focus();
  }, [shown]);
  const leave = blocker.proceed;
  useEffect(() => {
    // The work finished before the confirmation was answered: there is nothing left to ask.
    if (opened) return;
    setAsking(false);
    leave?.();
  }, [opened, leave]);

  const keep = () => {
    setAsking(false);
    blocker.reset?.();
  };
  const discard = () => {
    setAsking(false);
    onClose();
    blocker.proceed?.();
  };
  const leaveBusy = () => {
    setAsking(false);
    background?.onClick();
    blocker.proceed?.();
  };
  const close = () => {
    if (locked) return;
    if (shown) keep();
    else if (dirty || busy) setAsking(true);
    else onClose();
  };
  return { shown, keepButton, keep, discard, leaveBusy, close };
}
