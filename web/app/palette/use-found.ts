// What the server finds for the words in the palette: clients and files within reach.
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { clientsQuery } from '#web/data/clients.ts';
import { filesQuery } from '#web/data/files.ts';

const SHOWN = 5;
const ASK_AFTER_MS = 200;
/** One letter is in nearly every name. */
const SHORTEST = 2;
const LONGEST = 200;

/** Never shows results of an earlier search, and caches none: names of clients and files are confidential. */
const fresh = { placeholderData: () => undefined, staleTime: 0, gcTime: 0 };

/** `words` are trimmed. */
export function useFound(words: string) {
  const [settled] = useDebouncedValue(words, ASK_AFTER_MS);
  const askable = words.length >= SHORTEST;
  const enabled = askable && settled === words;
  const q = words.slice(0, LONGEST);
  const clients = useQuery({ ...clientsQuery({ q, limit: SHOWN, sort: 'name' }), ...fresh, enabled });
  const files = useQuery({ ...filesQuery({ q, limit: SHOWN }), ...fresh, enabled });
  const failed = enabled && (clients.isError || files.isError);
  return {
    clients: enabled ? (clients.data?.rows ?? []) : [],
    files: enabled ? (files.data?.rows ?? []) : [],
    searching: askable && (!enabled || clients.isFetching || files.isFetching),
    /** What could not be searched, and why. */
    faults: failed
      ? [
          ...(clients.error ? [{ subject: 'Clients', reason: clients.error.message }] : []),
          ...(files.error ? [{ subject: 'Files', reason: files.error.message }] : []),
        ]
      : [],
    retry: () => {
      if (clients.isError) void clients.refetch();
      if (files.isError) void files.refetch();
    },
  };
}
