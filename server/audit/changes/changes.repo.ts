// What changed within a viewer's reach between two places in the order of changes.
import { sql } from 'kysely';
import { batchWordsIn } from '#contract/activity-words.ts';
import type { ChangeMessage, ChangeTopic } from '#contract/changes.ts';
import { NAMED_FILES_MAX } from '#contract/changes.ts';
import { DOCUMENT } from '../../people/access/reach.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import { param } from '../../platform/db/statement.ts';

/** Of more, nobody wants to hear one by one: everything is read again. */
const CHANGES_MAX = 1_000;

interface Change {
  readonly topic: ChangeTopic;
  readonly kind: 'added' | 'changed' | 'removed';
  readonly fileId: number | null;
  readonly clientId: number | null;
  readonly accessKey: number | null;
  readonly ownerId: number | null;
  readonly userId: number | null;
  readonly roleId: number | null;
}

/** What is said of changes: nothing where none is in reach; `reset` where there are too many, or the viewer's own rights changed. */
export type Heard = ChangeMessage | 'reset' | null;

/** What changed from `from` on, before `upto`, as far as the viewer reaches it now. */
export async function changesBetween(scope: ReadScope, from: number, upto: number): Promise<Heard> {
  const changes = await scope.prepared<Change>(
    'changes.follow',
    (sources) =>
      sources
        .changes()
        .select([
          'changes.topic as topic',
          'changes.kind as kind',
          'changes.file_id as fileId',
          'changes.client_id as clientId',
          'changes.access_key as accessKey',
          'changes.owner_id as ownerId',
          'changes.user_id as userId',
          'changes.role_id as roleId',
        ])
        .where('changes.position', '>=', param<number>('from'))
        .where('changes.position', '<', param<number>('upto'))
        .limit(CHANGES_MAX + 1),
    { from, upto },
  );
  if (changes.length === 0) return null;
  const changesOneself = changes.some(({ topic, userId }) => topic === 'users' && userId === scope.viewer.id);
  return changesOneself || changes.length > CHANGES_MAX ? 'reset' : messageOf(scope, changes);
}

const idsOf = (changes: readonly Change[], topic: ChangeTopic, column: 'clientId' | 'roleId') => [
  ...new Set(changes.flatMap((change) => (change.topic === topic ? (change[column] ?? []) : []))),
];

/** The clients that `changes` speak of, each with whether it is there now. */
async function clientsNow(scope: ReadScope, changes: readonly Change[]): Promise<ChangeMessage['clients']> {
  const ids = idsOf(changes, 'clients', 'clientId');
  if (ids.length === 0) return [];
  const found = await scope
    .clients()
    .select('clients.id as id')
    .where(isListedId('clients.id', listText(ids)))
    .execute();
  const there = new Set(found.map(({ id }) => id));
  return ids.map((id) => ({ id, isThere: there.has(id) }));
}

/** The roles that `changes` speak of, by the names they have now. */
async function rolesNow(scope: ReadScope, changes: readonly Change[]): Promise<ChangeMessage['roles']> {
  const ids = idsOf(changes, 'roles', 'roleId');
  if (ids.length === 0) return [];
  const found = await scope
    .roles()
    .select(['roles.id as id', 'roles.name as name'])
    .where(isListedId('roles.id', listText(ids)))
    .execute();
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return ids.map((id) => ({ id, name: names.get(id) ?? null }));
}

interface Entry {
  readonly fileId: number;
  readonly fileName: string | null;
  readonly details: string | null;
}

/**
 * Those of these files that a release of the viewer's has just made. What was done with a file last tells it: one that was released long
 * ago, and that the viewer has restored now, is none of them.
 */
async function releasedAmong(scope: ReadScope, ids: readonly number[]): Promise<ReadonlySet<number | null>> {
  if (ids.length === 0) return new Set();
  const entries = await scope.prepared<Entry>(
    'changes.released',
    (sources) => {
      const { from, where } = sources.activityAlong('activity_file');
      return sources.query(sql<Entry>`select entry.file_id as "fileId", entry.file_name as "fileName", entry.details as "details"
        from ${from} where ${where} and ${isListedId('entry.file_id', param('ids'))}
          and entry.action in ('upload', 'update', 'delete') order by entry.id`);
    },
    { ids: listText(ids) },
  );
  const last = new Map(entries.map(({ fileId, fileName, details }) => [fileId, batchWordsIn(details, fileName)]));
  return new Set<number | null>(ids.filter((id) => (last.get(id) ?? null) !== null));
}

/** The changes as one message. An act and its entry in the log are committed together, so the entry tells whose act it was. */
async function messageOf(scope: ReadScope, changes: readonly Change[]): Promise<ChangeMessage> {
  const viewerId = scope.viewer.id;
  const ownEntries = changes.filter(({ topic, userId }) => topic === 'activity' && userId === viewerId);
  const ownFiles = new Set(ownEntries.map(({ fileId }) => fileId));
  const actedOnRows = ownFiles.has(null);
  const sent = changes.flatMap(({ topic, kind, fileId }) =>
    topic === 'files' && kind === 'added' && fileId !== null && ownFiles.has(fileId) ? [fileId] : [],
  );
  const released = await releasedAmong(scope, sent);
  const isOwn = ({ topic, fileId, ownerId, userId }: Change) => {
    // A release goes on by itself: no page that its person is on by then shows what it makes.
    if (released.has(fileId)) return false;
    // What goes along with an act, such as a correction that ends, has no entry; what others do with what one has sent is theirs.
    if (topic === 'files') return ownFiles.has(fileId) || (ownEntries.length > 0 && ownerId === viewerId);
    return topic === 'activity' ? userId === viewerId : actedOnRows;
  };
  const topicsOf = (some: readonly Change[]) => [...new Set(some.map(({ topic }) => topic))];
  const others = changes.filter((change) => !isOwn(change));
  const gone = new Set(changes.flatMap(({ kind, fileId }) => (kind === 'removed' ? [fileId] : [])));
  const files = others.flatMap(({ topic, kind, fileId, clientId, accessKey }) => {
    if (topic !== 'files' || fileId === null || clientId === null) return [];
    // What came and went is no news.
    if (kind !== 'removed' && gone.has(fileId)) return [];
    const isDocument = accessKey === DOCUMENT;
    const fileType = isDocument ? ('company_document' as const) : ('report' as const);
    return [{ id: fileId, kind, clientId, fileType, reportTypeId: isDocument ? null : accessKey || null }];
  });
  // They stand for all files of a client at one place.
  const unnamed = others.filter(({ topic, fileId }) => topic === 'files' && fileId === null);
  return {
    files: files.slice(0, NAMED_FILES_MAX),
    moreFiles: Math.max(0, files.length - NAMED_FILES_MAX) + unnamed.length,
    newEntries: others.filter(({ topic }) => topic === 'activity').length,
    changed: topicsOf(others),
    ownChanged: topicsOf(changes.filter(isOwn)),
    clients: await clientsNow(scope, others),
    roles: await rolesNow(scope, others),
  };
}
