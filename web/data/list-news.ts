// What the stream of changes means for what is shown: which of the lists in sight are out of date, and in what words.
import type { Query } from '@tanstack/react-query';
import { isOpenDocument } from '#contract/batch-words.ts';
import type { DocumentRow } from '#contract/batches.ts';
import type { ChangedFile, ChangeTopic } from '#contract/changes.ts';
import { WITHOUT_TYPE } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import { trashReach } from '#contract/policy/reach.ts';
import type { RolePermissions } from '#contract/roles.ts';
import type { TrashRow } from '#contract/trash.ts';
import type { UserRow } from '#contract/users.ts';
import type { ListPage } from '#web/lib/api.ts';
import { followChanges, type News } from '#web/lib/changes.ts';
import { formatCount } from '#web/lib/format.ts';
import { newListeners } from '#web/lib/listeners.ts';
import { getSession, onSessionChange } from '#web/lib/session.ts';
import { hearOfBatches } from './batches.ts';
import type { FilesFilter } from './files.ts';
import { hearOfFirstSteps } from './first-steps.ts';
import { useMutation } from './mutation.ts';
import { refreshNews } from './news.ts';
import { type Noun, queryClient } from './query-client.ts';
import { refreshSession } from './session.ts';
import type { TrashFilter } from './trash.ts';

/** What is kept of each list. */
const nounsOf: Record<ChangeTopic, readonly Noun[]> = {
  files: ['files', 'trash', 'overview', 'completeness'],
  activity: ['activity', 'overview'],
  clients: ['clients', 'trash', 'overview', 'permissions', 'completeness'],
  users: ['users', 'overview', 'permissions'],
  // People are listed with the names of their roles.
  roles: ['roles', 'users', 'permissions'],
  reportTypes: ['report-types', 'completeness'],
  batches: ['batches'],
  requests: ['requests', 'completeness'],
};
const topics = Object.keys(nounsOf) as ChangeTopic[];

/** What came to one list since it was read. */
interface Pending {
  readonly files: ReadonlySet<number>;
  readonly entries: number;
  /** Something else changed, or how much came is not known. */
  readonly other: boolean;
  /** The list was being read when this was heard: what comes may be older. */
  readonly whileRead?: boolean;
}

const NOTHING: Pending = { files: new Set(), entries: 0, other: false };

let pending: ReadonlyMap<string, Pending> = new Map();
const listeners = newListeners();

function setPending(next: ReadonlyMap<string, Pending>): void {
  pending = next;
  listeners.tell();
}

/** The filters that say exactly which new files are in a list: those of which a message tells. */
const TOLD: ReadonlySet<string> = new Set([
  'clientId',
  'reportTypeId',
  'fileType',
  'limit',
  'offset',
  'sort',
  'timeZone',
]);

function isIn(asked: FilesFilter, file: ChangedFile): boolean {
  return (
    (asked.fileType === undefined || asked.fileType === file.fileType) &&
    (asked.clientId === undefined || Number(asked.clientId) === file.clientId) &&
    (asked.reportTypeId === undefined ||
      (asked.reportTypeId === WITHOUT_TYPE
        ? file.fileType === 'report' && file.reportTypeId === null
        : Number(asked.reportTypeId) === file.reportTypeId))
  );
}

const isSet = (value: unknown) => value !== undefined && value !== '';

function isNarrowed(asked: object, told: ReadonlySet<string>): boolean {
  return Object.entries(asked).some(([name, value]) => isSet(value) && !told.has(name));
}

/** What `news` adds to a list of files. */
function toFiles(before: Pending, asked: FilesFilter, { files, moreFiles }: Exclude<News, 'reset'>): Pending {
  const here = files.filter((file) => isIn(asked, file));
  const added = here.flatMap(({ id, kind }) => (kind === 'added' ? [id] : []));
  // Words, days and periods are the server's to judge.
  const known = !isNarrowed(asked, TOLD) && moreFiles === 0;
  const other = known ? here.length > added.length : here.length > 0 || moreFiles > 0;
  return { ...before, files: new Set([...before.files, ...(known ? added : [])]), other: before.other || other };
}

/** Without what came before the list was read, and stands in it: what a release has made just before one came here. */
function withoutShown({ state }: Query, news: Exclude<News, 'reset'>): Exclude<News, 'reset'> {
  const shown = new Set((state.data as ListPage<FileRow> | undefined)?.rows.map(({ id }) => id));
  return { ...news, files: news.files.filter(({ id, kind }) => kind !== 'added' || !shown.has(id)) };
}

/** What `news` changes among reports that nobody has opened, which are counted by client and report type. */
function toUnopened(before: Pending, asked: FilesFilter, news: Exclude<News, 'reset'>): Pending {
  return isSomething(toFiles(NOTHING, { ...asked, fileType: 'report' }, news)) ? { ...before, other: true } : before;
}

/** Whether what somebody else deletes comes into the trash as the viewer sees it, and as `noun` narrows it. */
function comesToTrash({ fileType }: ChangedFile, noun: TrashFilter['noun']): boolean {
  const user = getSession()?.user;
  if (user === undefined || (noun !== undefined && noun !== fileType)) return false;
  const { files } = trashReach(user);
  return files === 'all' || (files === 'deletable' && fileType === 'report');
}

/** Whether a client that somebody else deletes comes into the trash, likewise. */
function clientsComeToTrash(noun: TrashFilter['noun']): boolean {
  const user = getSession()?.user;
  return user !== undefined && (noun === undefined || noun === 'client') && trashReach(user).clients === 'all';
}

/** What `news` changes in the trash: what is deleted comes in, and what is restored goes out of the rows in sight. */
function toTrash(before: Pending, { queryKey, state }: Query, news: Exclude<News, 'reset'>): Pending {
  const { noun } = queryKey[2] as TrashFilter;
  const rows = (state.data as ListPage<TrashRow> | undefined)?.rows ?? [];
  const shows = (kind: TrashRow['kind'], id: number) => rows.some((row) => row.kind === kind && row.id === id);
  const isFile = news.files.some((file) =>
    file.kind === 'removed' ? comesToTrash(file, noun) : file.kind === 'added' && shows('file', file.id),
  );
  // One that is there and not in sight here was edited.
  const isClient = news.clients.some(({ id, isThere }) => (isThere ? shows('client', id) : clientsComeToTrash(noun)));
  return isFile || isClient || news.moreFiles > 0 ? { ...before, other: true } : before;
}

/** Whether roles, or people with the names of their roles, are listed otherwise now: their rights are in neither list. */
function isNamedAnew({ queryKey: [noun], state }: Query, news: Exclude<News, 'reset'>): boolean {
  const known = queryClient.getQueryData<ListPage<RolePermissions>>(['permissions', 'rights'])?.rows ?? [];
  const people = noun === 'users' ? ((state.data as ListPage<UserRow> | undefined)?.rows ?? []) : [];
  return news.roles.some(({ id, name }) => {
    const former = known.find((role) => role.id === id)?.name ?? null;
    // Nobody has a role that is new, or gone.
    const isOther = former !== name && (noun === 'roles' || (former !== null && name !== null));
    return isOther || people.some(({ roleId, roleName }) => roleId === id && roleName !== name);
  });
}

const ALL_ENTRIES: ReadonlySet<string> = new Set(['limit', 'offset', 'sort', 'timeZone']);

/** What `news` adds to what a query shows; the same `before` where it adds nothing. */
function after(before: Pending, query: Query, news: Exclude<News, 'reset'>): Pending {
  const [noun, kind, asked = {}] = query.queryKey as [string, string | undefined, object | undefined];
  if (noun === 'files' && kind === 'unopened') return toUnopened(before, asked, news);
  if (noun === 'files') return toFiles(before, asked, withoutShown(query, news));
  if (noun === 'trash') return toTrash(before, query, news);
  if (noun === 'overview') {
    const withFiles = toFiles(before, {}, news);
    return { ...withFiles, entries: before.entries + news.newEntries };
  }
  if (noun === 'activity') {
    if (news.newEntries === 0) return before;
    const known = !isNarrowed(asked, ALL_ENTRIES);
    return known ? { ...before, entries: before.entries + news.newEntries } : { ...before, other: true };
  }
  // Those are read again at once.
  if (noun === 'batches') return before;
  const changes = (topic: ChangeTopic) =>
    (nounsOf[topic] as readonly string[]).includes(noun) &&
    (topic !== 'roles' || noun === 'permissions' || isNamedAnew(query, news));
  return news.changed.some(changes) ? { ...before, other: true } : before;
}

const isSomething = ({ files, entries, other }: Pending) => files.size > 0 || entries > 0 || other;
const LISTS: readonly unknown[] = ['list', 'matrix', 'unopened'];
const isList = ({ queryKey: [noun, kind] }: Query) => noun === 'overview' || LISTS.includes(kind);

/** Forgets that answers about these nouns are current: what is shown stays as it is, and the next visit loads it again. */
function outdate(nouns: readonly Noun[]): void {
  for (const noun of nouns) void queryClient.invalidateQueries({ queryKey: [noun], refetchType: 'none' });
}

/** Whether others sent, moved or took away a file where a document under review would go: what is there already is said of that. */
function isWhereDocumentsGo({ files, moreFiles }: Exclude<News, 'reset'>): boolean {
  const places = new Set(files.map(({ clientId, reportTypeId }) => `${clientId} ${reportTypeId}`));
  const reviewed = queryClient.getQueryCache().findAll({ type: 'active', queryKey: ['batches', 'documents'] });
  return reviewed.some(({ state }) =>
    (state.data as ListPage<DocumentRow> | undefined)?.rows.some(
      (row) => isOpenDocument(row.state) && (moreFiles > 0 || places.has(`${row.clientId} ${row.reportTypeId}`)),
    ),
  );
}

/** Shown as they are at once, by whoever: nobody moves what a reviewer points at, and what one decided oneself is there already. */
function refreshBatchesIn(news: News): void {
  const isMeant =
    news === 'reset' ||
    news.changed.includes('batches') ||
    news.ownChanged.includes('batches') ||
    isWhereDocumentsGo(news);
  if (isMeant) hearOfBatches();
}

/** Requests are shown as they are at once: their lists alone say that they have changed, so that no row moves under a finger. */
function hearOfRequests(): void {
  void queryClient.invalidateQueries({ queryKey: ['requests'], predicate: ({ queryKey }) => queryKey[1] !== 'list' });
}

/** What is sent and decided stands on the page of its request at once. */
function refreshRequestsIn(news: News): void {
  if (news === 'reset' || news.changed.includes('requests') || news.ownChanged.includes('requests')) hearOfRequests();
}

/** The name of a company in the header and the facts on its page move no row, and nothing offers to read them again. */
function refreshClientsIn(news: News): void {
  if (news !== 'reset' && news.changed.includes('clients'))
    void queryClient.invalidateQueries({ queryKey: ['clients', 'one'] });
}

/** What is offered for people and roles follows their rights at once, and moves no row. */
function refreshRightsIn(news: News): void {
  if (news !== 'reset' && news.changed.includes('roles'))
    void queryClient.invalidateQueries({ queryKey: ['permissions', 'rights'] });
}

function hear(news: News): void {
  const next = new Map(pending);
  for (const query of queryClient.getQueryCache().findAll({ type: 'active', predicate: isList })) {
    const before = pending.get(query.queryHash) ?? NOTHING;
    const now = news === 'reset' ? { ...before, other: true } : after(before, query, news);
    const whileRead = query.state.fetchStatus === 'fetching';
    if (isSomething(now) && now !== before) next.set(query.queryHash, { ...now, whileRead });
  }
  if (news === 'reset') {
    outdate(topics.flatMap((topic) => nounsOf[topic]));
    // Rights may have changed: what is offered follows at once, and what is shown when somebody asks for it.
    void refreshSession();
    refreshNews();
  } else {
    outdate([...news.changed, ...news.ownChanged].flatMap((topic) => nounsOf[topic]));
    // What one deletes in another tab is new no longer in this one.
    if ([...news.changed, ...news.ownChanged].includes('files')) refreshNews();
  }
  refreshBatchesIn(news);
  refreshRequestsIn(news);
  refreshClientsIn(news);
  refreshRightsIn(news);
  hearOfFirstSteps();
  setPending(next);
}

/** What is shown as it is at once may have changed before anybody told of it. */
function hearOfWork(): void {
  hearOfBatches();
  hearOfRequests();
}

/** Follows the stream of changes for whoever is signed in; the answer stops it. */
export function followNews(): () => void {
  let token: string | undefined;
  let stop: (() => void) | undefined;
  const follow = () => {
    const current = getSession()?.token;
    if (current === token) return;
    stop?.();
    token = current;
    stop = current === undefined ? undefined : followChanges(hear, hearOfWork);
  };
  // What is read again is up to date, and what nobody looks at is read again before it is shown.
  const stopCache = queryClient.getQueryCache().subscribe((event) => {
    const isRead = event.type === 'updated' && event.action.type === 'success' && event.action.manual !== true;
    const isOver = isRead || event.type === 'removed';
    const known = pending.get(event.query.queryHash);
    if (isOver && known !== undefined) {
      const next = new Map(pending);
      if (isRead && known.whileRead) next.set(event.query.queryHash, { ...known, whileRead: false });
      else next.delete(event.query.queryHash);
      setPending(next);
    }
    // Another list is in sight.
    if (event.type === 'observerAdded' || event.type === 'observerRemoved') setPending(pending);
  });
  const stopSession = onSessionChange(follow);
  follow();
  return () => {
    stopSession();
    stopCache();
    stop?.();
    setPending(new Map());
  };
}

export const onNews = listeners.add;

/** What came to the lists in sight, in words; null where nothing did. */
export function newsInSight(): string | null {
  const active = queryClient.getQueryCache().findAll({ type: 'active' });
  const some = active.flatMap(({ queryHash }) => pending.get(queryHash) ?? []);
  if (some.length === 0) return null;
  const files = new Set(some.flatMap((each) => [...each.files])).size;
  if (files > 0) return `${formatCount(files)} new ${files === 1 ? 'file' : 'files'}`;
  const entries = Math.max(...some.map((each) => each.entries));
  if (entries > 0) return `${formatCount(entries)} new ${entries === 1 ? 'entry' : 'entries'}`;
  return 'This list has changed';
}

/** Reads again what is out of date and in sight: lists, and what is counted beside them. */
export function useShowNews() {
  return useMutation({
    mutationFn: () =>
      queryClient.refetchQueries(
        { type: 'active', predicate: ({ queryHash, state }) => pending.has(queryHash) || state.isInvalidated },
        { throwOnError: true },
      ),
  });
}
