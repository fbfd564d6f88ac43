// Which files an archive is of, found in the viewer's reach, and their downloads in the log.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArchiveOrder } from '#contract/archive-requests.ts';
import { refuse, refuseFields } from '#contract/errors.ts';
import { type AccessLog, accessBy } from '../../audit/access-log.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import { rowCount } from '../../platform/db/list.ts';
import { param } from '../../platform/db/statement.ts';
import { findFilesToServe, type ServedFile } from '../find.ts';
import { wholeFileList } from '../list/whole-list.ts';

/** How many files are read in one go, where others wait for it. */
const FOUND_AT_ONCE = 200;
/** How many files share one commit of the log: at most this many are recorded and not sent when an archive is cut. */
export const RECORDED_AT_ONCE = 50;

/**
 * The ids asked for: those that were named, or of the list as it is now. Refuses a list of more than `most` files with the words
 * `tooMany`, and `not_found` an empty one.
 */
export async function idsAsked(
  read: ReadScope,
  { ids, matching }: ArchiveOrder,
  { most, tooMany }: { readonly most: number; readonly tooMany: string },
): Promise<number[]> {
  if (ids !== undefined || matching === undefined) return [...new Set(ids)];
  const listed: number[] = [];
  for await (const files of wholeFileList(read, matching)) {
    listed.push(...files.map(({ id }) => id));
    if (listed.length > most) throw refuseFields({ matching: tooMany });
  }
  if (listed.length === 0) throw refuse('not_found');
  return listed;
}

/** Those of any number of `ids` that are in reach, in their order. */
export async function findAllToServe(scope: ReadScope, ids: readonly number[]): Promise<ServedFile[]> {
  const found: ServedFile[] = [];
  for (let start = 0; start < ids.length; start += FOUND_AT_ONCE) {
    await nextTurn();
    found.push(...(await findFilesToServe(scope, ids.slice(start, start + FOUND_AT_ONCE))));
  }
  return found;
}

/** Whether every one of `ids` is in reach: reads none of them. */
export async function reachesAll(scope: ReadScope, ids: readonly number[]): Promise<boolean> {
  const [row] = await scope.prepared<{ n: number }>(
    'files.count-reached',
    (sources) =>
      sources
        .files()
        .select(rowCount.as('n'))
        .where(isListedId('files.id', param('ids'))),
    { ids: listText(ids) },
    'long',
  );
  return row?.n === ids.length;
}

/** Records that the viewer of `scope` downloads these files; resolves once that is durable. */
export async function recordDownloads(
  scope: ReadScope,
  files: readonly ServedFile[],
  accessLog: AccessLog,
): Promise<void> {
  const by = accessBy(scope.viewer);
  for (let start = 0; start < files.length; start += RECORDED_AT_ONCE) {
    await Promise.all(
      files.slice(start, start + RECORDED_AT_ONCE).map(({ row }) =>
        accessLog.record({
          action: 'download',
          ...by,
          file: { id: row.id, name: row.originalName },
          client: { id: row.clientId, name: row.clientName },
          continues: false,
        }),
      ),
    );
  }
}
