// The clients and files that a person opened last in this browser: their ids alone, until they sign out. Names are asked for again.
import { useQueries } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ClientRow } from '#contract/clients.ts';
import type { FileRow } from '#contract/files.ts';
import { ApiFault, call } from '#web/lib/api.ts';
import { getSession, isLookTab, onSessionChange, sessionEnd, useSessionUser } from '#web/lib/session.ts';

/** Each of them is asked for when the palette opens. */
const KEPT = 4;

const PAGES: readonly (readonly [kind: 'client' | 'file', path: RegExp])[] = [
  ['client', /^\/clients\/([1-9]\d{0,14})$/],
  ['file', /^\/cpa-dashboard\/report\/([1-9]\d{0,14})$/],
];

const keyOf = (userId: number) => `recentlyOpened.${userId}`;

/** Newest first: 'client-7', 'file-12'. */
function read(userId: number): readonly string[] {
  const stored = localStorage.getItem(keyOf(userId)) ?? '';
  return stored.split(',').filter((entry) => /^(?:client|file)-[1-9]\d{0,14}$/.test(entry));
}

function write(userId: number, entries: readonly string[]): void {
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
      write(userId, [entry, ...read(userId).filter((other) => other !== entry)]);
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

/** What was opened last and is still in reach, newest first; `expected` counts those that are awaited too. */
export function useRecent(wanted: boolean): {
  rows: readonly (ClientRow | FileRow)[];
  expected: number;
  loading: boolean;
} {
  const { id: userId } = useSessionUser();
  const [entries, setEntries] = useState<readonly string[]>([]);
  const [shown, setShown] = useState(false);
  if (wanted !== shown) {
    setShown(wanted);
    // None while it is closed: an answer of before is not shown again.
    setEntries(wanted ? read(userId) : []);
  }
  const results = useQueries({
    queries: entries.map((entry) => ({
      // Asked again each time: what is out of reach by now is not named.
      queryKey: ['recent', entry],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const [kind, text] = entry.split('-');
        const id = Number(text);
        if (kind === 'client') return await call('clients.get', { params: { id } }, { signal });
        return (await call('files.facts', { params: { id }, query: {} }, { signal })).file;
      },
      staleTime: 0,
      gcTime: 0,
      enabled: wanted,
    })),
  });
  const gone = entries.filter((_entry, nth) => {
    const error = results[nth]?.error;
    return error instanceof ApiFault && error.status === 404;
  });
  const goneText = gone.join(',');
  useEffect(() => {
    if (goneText === '') return;
    const lost = goneText.split(',');
    write(
      userId,
      read(userId).filter((entry) => !lost.includes(entry)),
    );
  }, [goneText, userId]);

  return {
    rows: wanted ? results.flatMap(({ data, isSuccess }) => (isSuccess ? [data] : [])) : [],
    expected: wanted ? entries.length - results.filter(({ isError }) => isError).length : 0,
    loading: wanted && results.some(({ isPending }) => isPending),
  };
}
