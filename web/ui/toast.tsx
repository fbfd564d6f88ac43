// Toasts: at most one at a time, for five seconds (ten where it offers Undo), the newest replaces the previous one; an offer stays until it is put away (docs/behaviour.md, Screens: toasts).
import { Button, CloseButton, Portal, UnstyledButton } from '@mantine/core';
import { useFocusWithin, useHotkeys, useHover, useMergedRef } from '@mantine/hooks';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { newListeners } from '#web/lib/listeners.ts';
import { takesText } from './takes-text.ts';
import classes from './toast.module.css';

const TOAST_MS = 5000;
/** To read it, find Undo and press it takes longer. */
const UNDO_MS = 10_000;

/** The attribute of what stands at the foot of a page or dialog and a toast must not cover. */
export const BELOW_TOASTS = 'data-below-toasts';
const ABOVE_BAR_PX = 12;

/** The attribute of what stands beside the page and goes: the focus goes back to where it was before (`rescue-focus.ts`). */
export const BESIDE_PAGE = 'data-beside';

interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'info' | 'error';
  readonly message: string;
  readonly title?: string | undefined;
  readonly requestId?: string | undefined;
  /** What may be pressed in it; the toast then stays until it is put away. */
  readonly offer?: ReactNode;
  /** Takes back what the toast tells of. */
  readonly undo?: (() => void) | undefined;
}

let current: Toast | null = null;
let latestId = 0;
const listeners = newListeners();

function change(next: Toast | null): void {
  current = next;
  listeners.tell();
}

const putAway = (): void => change(null);

function show(next: Omit<Toast, 'id'>): void {
  latestId += 1;
  change({ id: latestId, ...next });
}

export interface ErrorToast {
  title?: string;
  /** Of the call that failed: whoever runs the server finds it in the log by this. */
  requestId?: string | undefined;
  /** Takes back what was done before it failed. */
  undo?: (() => void) | undefined;
}

const plain =
  (kind: 'success' | 'info') =>
  (message: string, title?: string): void =>
    show({ kind, message, title });

export const toast = {
  success: plain('success'),
  /** What was asked for came to nothing, and nothing is wrong. */
  info: plain('info'),
  /** A success that can be taken back, by its button or by Ctrl+Z, where there is something to take back. */
  undoable(message: string, undo: (() => void) | undefined): void {
    show({ kind: 'success', message, undo });
  },
  /** `offer` is given what puts the toast away. */
  offer(message: string, offer: (putAway: () => void) => ReactNode): void {
    show({ kind: 'success', message, offer: offer(putAway) });
  },
  /** The destructive toast; its title is 'Error' unless set. */
  error(message: string, more: ErrorToast = {}): void {
    show({ kind: 'error', message, title: 'Error', ...more });
  },
  /** Puts a failure away: what failed has worked since. */
  clearError(): void {
    if (current?.kind === 'error') putAway();
  },
  putAway,
};

/** Where the toast appears; rendered once, at the root. */
export function Toaster() {
  const shown = useSyncExternalStore(listeners.add, () => current);
  const card = shown && <ToastCard key={shown.id} {...shown} />;
  const isError = shown?.kind === 'error';
  return (
    <Portal>
      <section className={classes.place} aria-label="Notifications" {...{ [BESIDE_PAGE]: true }}>
        {/* It stands before any toast does: only then are its words announced. An alert is anyway, and would be twice in it. */}
        <div role="status">{!isError && card}</div>
        {isError && card}
      </section>
    </Portal>
  );
}

function ToastCard({ id, kind, message, title, requestId, offer, undo }: Toast) {
  // Somebody who points at a toast or has the focus in it is still reading.
  const pointer = useHover<HTMLDivElement>();
  const focus = useFocusWithin<HTMLDivElement>();
  const held = pointer.hovered || focus.focused || !!offer;
  const takeBack = () => {
    putAway();
    undo?.();
  };
  const takeBackByKey = (event: KeyboardEvent) => {
    if (takesText(event.target)) return;
    event.preventDefault();
    takeBack();
  };
  useHotkeys(undo ? [['mod+Z', takeBackByKey, { preventDefault: false }]] : [], [], true);
  const lastsMs = undo ? UNDO_MS : TOAST_MS;
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => {
      if (current?.id === id) putAway();
    }, lastsMs);
    return () => clearTimeout(timer);
  }, [held, id, lastsMs]);

  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = () => {
      const region = card.current?.closest('section');
      if (!region) return;
      region.style.removeProperty('bottom');
      const { bottom, height, left } = region.getBoundingClientRect();
      // From the lowest up: above one of them it may lie on the next. One that has scrolled away is in nobody's way.
      const bars = [...document.querySelectorAll(`[${BELOW_TOASTS}]`)]
        .map((each) => each.getBoundingClientRect())
        .filter(({ right, top }) => right > left && top < window.innerHeight)
        .sort((one, other) => other.bottom - one.bottom);
      let foot = bottom;
      for (const bar of bars) {
        const above = bar.top - ABOVE_BAR_PX;
        if (bar.bottom > foot - height && above > height + ABOVE_BAR_PX) foot = Math.min(foot, above);
      }
      if (foot < bottom) region.style.bottom = `${window.innerHeight - foot}px`;
    };
    place();
    const region = card.current?.closest('section');
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    // The bar may come while the toast stands: somebody ticks the next rows.
    const bars = new MutationObserver(place);
    bars.observe(document.body, { subtree: true, childList: true, attributeFilter: [BELOW_TOASTS] });
    return () => {
      bars.disconnect();
      window.removeEventListener('scroll', place, { capture: true });
      window.removeEventListener('resize', place);
      region?.style.removeProperty('bottom');
    };
  }, []);

  const Icon = kind === 'success' ? IconCircleCheck : IconAlertCircle;
  return (
    <div
      ref={useMergedRef(pointer.ref, focus.ref, card)}
      role={kind === 'error' ? 'alert' : undefined}
      className={classes.toast}
      data-kind={kind}
    >
      <Icon size={20} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        {title && <p className={classes.title}>{title}</p>}
        <p className={classes.message}>{message}</p>
        {requestId && <RequestId text={requestId} />}
        {offer}
        {undo ? (
          <Button variant="default" size="compact-sm" mt={6} onClick={takeBack} aria-keyshortcuts="Control+Z Meta+Z">
            Undo
          </Button>
        ) : null}
      </div>
      <CloseButton size="sm" aria-label="Dismiss" onClick={putAway} />
    </div>
  );
}

/** In full, to be selected by hand too; pressing it copies it. */
function RequestId({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  // Where the browser does not allow it, the id is there to be selected.
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <UnstyledButton className={classes.request} onClick={() => void copy()} title="Copy">
      {copied ? 'Copied' : 'Request ID'} <code>{text}</code>
    </UnstyledButton>
  );
}
