// What the server finds for the words in the palette, within reach: clients, files, and users for who sees them.
import { useDebouncedValue } from '@mantine/hooks';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { FileType } from '#contract/file-kinds.ts';
import { reachesEveryUser } from '#contract/policy/reach.ts';
import { matchesSearch } from '#contract/search.ts';
import { clientsQuery } from '#web/data/clients.ts';
import { filesQuery } from '#web/data/files.ts';
import { insideQuery } from '#web/data/inside.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { usersQuery } from '#web/data/users.ts';
import type { ListPage } from '#web/lib/api.ts';
import { searchesInside } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { subjectOf } from './palette-entries.ts';

const SHOWN = 5;
const ASK_AFTER_MS = 200;
/** One letter is in nearly every name. */
const SHORTEST = 2;

/** Never shows results of an earlier search, and caches none: names of clients and files are confidential. */
const fresh = { placeholderData: () => undefined, staleTime: 0, gcTime: 0 };

const NOTHING = { rows: [], total: 0, more: false } as const;

/** `words` are trimmed, and as the server takes them. */
export function useFound(words: string) {
  const user = useSessionUser();
  const [settled] = useDebouncedValue(words, ASK_AFTER_MS);
  const askable = words.length >= SHORTEST;
  const enabled = askable && settled === words;
  const subject = subjectOf(words);
  const clients = useQuery({ ...clientsQuery({ q: subject, limit: SHOWN, sort: 'name' }), ...fresh, enabled });
  const files = useQuery({ ...filesQuery({ q: words, limit: SHOWN }), ...fresh, enabled });
  // Where there are others: how many of each kind, because each kind has a list of its own.
  const others = enabled && (files.data?.total ?? 0) > SHOWN;
  const ofKind = (fileType: FileType) => ({
    ...filesQuery({ q: words, fileType, limit: 1 }),
    ...fresh,
    enabled: others,
  });
  const reports = useQuery(ofKind('report'));
  const documents = useQuery(ofKind('company_document'));
  const inside = useQuery({ ...insideQuery({ q: words }, SHOWN), ...fresh, enabled: enabled && searchesInside });
  // All of them are known; they come with what is searched, so that nothing that was found first moves.
  const types = useQuery({ ...allReportTypesQuery(), enabled: askable });
  const named = (types.data?.rows ?? []).filter(({ name }) => matchesSearch(words, [name])).slice(0, SHOWN);
  const seesUsers = reachesEveryUser(user);
  const users = useQuery({ ...usersQuery({ q: words, limit: SHOWN }), ...fresh, enabled: enabled && seesUsers });
  const asked = [
    { subject: 'Clients', query: clients },
    { subject: 'Files', query: files },
    ...(seesUsers ? [{ subject: 'Users', query: users }] : []),
  ];
  const all = [...asked, { subject: 'Documents', query: inside }];
  // What stands inside documents comes last: where something else is found, nothing waits for it.
  const isFound = asked.some(({ query }) => (query.data?.rows.length ?? 0) > 0);
  const pageOf = <Row>(query: UseQueryResult<ListPage<Row>>) => (enabled ? (query.data ?? NOTHING) : NOTHING);
  return {
    clients: pageOf(clients),
    files: pageOf(files),
    reportTypes: enabled && files.data !== undefined && clients.data !== undefined ? named : [],
    /** How many files there are of each kind, where not all are shown. */
    filesByKind: others ? { report: reports.data, company_document: documents.data } : {},
    users: seesUsers ? pageOf(users) : NOTHING,
    inside: enabled ? (inside.data?.rows ?? []) : [],
    searching: askable && (!enabled || asked.some(({ query }) => query.isFetching) || (!isFound && inside.isFetching)),
    /** What could not be searched, and why. */
    faults: enabled
      ? all.flatMap(({ subject: what, query }) => (query.error ? [{ subject: what, reason: query.error.message }] : []))
      : [],
    retry: () => {
      for (const { query } of all) if (query.isError) void query.refetch();
    },
  };
}
