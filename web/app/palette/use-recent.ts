// What a person opened last, as the palette shows it: names are asked for again. Apart from the ids, which every page keeps.
import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ClientRow } from '#contract/clients.ts';
import type { FileRow } from '#contract/files.ts';
import { call } from '#web/lib/api.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { readOpened, writeOpened } from './recent.ts';

const isSame = (one: ClientRow | FileRow, other: ClientRow | FileRow) =>
  one.id === other.id && 'federalId' in one === 'federalId' in other;

/** What was opened last and is still in reach, each once, newest first; `expected` counts those that are awaited too. */
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
    setEntries(wanted ? readOpened(userId) : []);
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
    writeOpened(
      userId,
      readOpened(userId).filter((entry) => !lost.includes(entry)),
    );
  }, [goneText, userId]);

  const answered = wanted ? results.flatMap(({ data, isSuccess }) => (isSuccess ? [data] : [])) : [];
  // An earlier version that was opened is answered with the newest one, which may have been opened too.
  const rows = answered.filter((row, nth) => answered.findIndex((other) => isSame(row, other)) === nth);
  const left = results.filter(({ isError }) => isError).length + answered.length - rows.length;
  return {
    rows,
    expected: wanted ? entries.length - left : 0,
    loading: wanted && results.some(({ isPending }) => isPending),
  };
}
