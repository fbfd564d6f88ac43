// Toasts: at most one at a time, for five seconds, the newest replaces the previous one (docs/behaviour.md, Screens: toasts).
import { CloseButton, Portal } from '@mantine/core';
import { useFocusWithin, useHover, useMergedRef } from '@mantine/hooks';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useSyncExternalStore } from 'react';
import classes from './toast.module.css';

const TOAST_MS = 5000;

interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'error';
  readonly message: string;
  readonly title: string | undefined;
}

let current: Toast | null = null;
let latestId = 0;
const listeners = new Set<() => void>();

function change(next: Toast | null): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(kind: Toast['kind'], message: string, title: string | undefined): void {
  latestId += 1;
  change({ id: latestId, kind, message, title });
}

export const toast = {
  success(message: string, title?: string): void {
    show('success', message, title);
  },
  /** The destructive toast; its title is 'Error' unless set. */
  error(message: string, title = 'Error'): void {
    show('error', message, title);
  },
};

/** Where the toast appears; rendered once, at the root. */
export function Toaster() {
  const shown = useSyncExternalStore(subscribe, () => current);
  return (
    <Portal>
      {/* The region stands before any toast does: only then are its words announced. */}
      <section className={classes.place} aria-label="Notifications" aria-live="polite">
        {shown === null ? null : <ToastCard key={shown.id} {...shown} />}
      </section>
    </Portal>
  );
}

function ToastCard({ id, kind, message, title }: Toast) {
  // Somebody who points at a toast or has the focus in it is still reading.
  const pointer = useHover<HTMLDivElement>();
  const focus = useFocusWithin<HTMLDivElement>();
  const held = pointer.hovered || focus.focused;
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => {
      if (current?.id === id) change(null);
    }, TOAST_MS);
    return () => clearTimeout(timer);
  }, [held, id]);

  const Icon = kind === 'success' ? IconCircleCheck : IconAlertCircle;
  return (
    <div
      ref={useMergedRef(pointer.ref, focus.ref)}
      role={kind === 'error' ? 'alert' : 'status'}
      className={classes.toast}
      data-kind={kind}
    >
      <Icon size={20} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        {title === undefined ? null : <p className={classes.title}>{title}</p>}
        <p className={classes.message}>{message}</p>
      </div>
      <CloseButton size="sm" aria-label="Dismiss" onClick={() => change(null)} />
    </div>
  );
}
