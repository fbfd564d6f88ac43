// Asks before a page is left with something unsaved.
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';

export function useUnsaved(isUnsaved: boolean): void {
  const confirm = useConfirm();
  const navigate = useNavigate();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved,
    disabled: !isUnsaved,
    withResolver: true,
  });
  const latest = useRef(blocker);
  latest.current = blocker;
  const isAsked = blocker.status === 'blocked';
  useEffect(() => {
    const { reset, next } = latest.current;
    if (!isAsked || next === undefined) return;
    // Where it is not answered, the page stays.
    reset?.();
    confirm({
      title: 'Discard unsaved changes?',
      message: 'What you have changed here is not saved yet.',
      confirmLabel: 'Discard',
      busyLabel: 'Discarding...',
      onConfirm: () => navigate({ to: next.pathname, search: next.search, ignoreBlocker: true }),
    });
  }, [isAsked, confirm, navigate]);
}
