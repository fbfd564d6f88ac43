// The clients and files that a person opened last in this browser: their ids alone, until they sign out.
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { getSession, isLookTab, onSessionChange, sessionEnd, useSessionUser } from '#web/lib/session.ts';

/** Each of them is asked for when the palette opens. */
const KEPT = 4;

const PAGES: readonly (readonly [kind: 'client' | 'file', path: RegExp])[] = [
  ['client', /^\/clients\/([1-9]\d{0,14})$/],
  ['file', /^\/cpa-dashboard\/report\/([1-9]\d{0,14})$/],
];

const keyOf = (userId: number) => `recentlyOpened.${userId}`;

/** Newest first: 'client-7', 'file-12'. */
export function readOpened(userId: number): readonly string[] {
  const stored = localStorage.getItem(keyOf(userId)) ?? '';
  return stored.split(',').filter((entry) => /^(?:client|file)-[1-9]\d{0,14}$/.test(entry));
}

export function writeOpened(userId: number, entries: readonly string[]): void {
  localStorage.setItem(keyOf(userId), entries.slice(0, KEPT).join(','));
}

/** Records every page of a client or file that is opened, and forgets them all when the person signs out. */
export function useRecordOpened(): void {
  const { id: userId } = useSessionUser();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => {
    // What is opened in a look is nothing that the person opened.
    if (isLookTab) return;
    for (const [kind, pattern] of PAGES) {
      const id = pattern.exec(path)?.[1];
      if (id === undefined) continue;
      const entry = `${kind}-${id}`;
      writeOpened(userId, [entry, ...readOpened(userId).filter((other) => other !== entry)]);
    }
  }, [path, userId]);
  useEffect(
    () =>
      onSessionChange(() => {
        if (getSession() === null && sessionEnd() === 'signed-out') localStorage.removeItem(keyOf(userId));
      }),
    [userId],
  );
}
