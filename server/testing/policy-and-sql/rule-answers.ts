// What viewers of a firm reach, and what its lists answer them, as the pure rules give it.
import type { ActivityQuery } from '#contract/activity.ts';
import { foldKey } from '#contract/fields.ts';
import { WITHOUT_TYPE } from '#contract/file-kinds.ts';
import type { FileQuery } from '#contract/files.ts';
import { isWithinPeriod, NO_PERIOD, periodKey } from '#contract/period.ts';
import type { ListedActor } from '#contract/policy/actor.ts';
import {
  reachesActivity,
  reachesClient,
  reachesEveryRole,
  reachesFile,
  reachesReportType,
  reachesUser,
  seesRequests,
} from '#contract/policy/reach.ts';
import { matchesSearch, searchForm } from '#contract/search.ts';
import type { Viewer } from '../../people/access/viewer.ts';
import { HOUR_MS } from '../../platform/clock.ts';
import { type Entry, type Firm, type Identified, type StoredFile, withIds } from './random-firms.ts';

/** New York is five hours behind UTC on every day of these firms. */
export const ZONE = { name: 'America/New_York', behindMs: 5 * HOUR_MS };

export function toIso(at: number): string {
  return new Date(at).toISOString();
}

export function toDay(at: number): string {
  return toIso(at).slice(0, 10);
}

type Keys = readonly (string | number | null)[];

/** By code point, as both engines compare; absent values come first. */
function compareKeys(a: Keys, b: Keys): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? null;
    if (left === right) continue;
    if (left === null) return -1;
    if (right === null) return 1;
    if (typeof left === 'number') return left - Number(right);
    return Buffer.compare(Buffer.from(left), Buffer.from(String(right)));
  }
  return 0;
}

interface Period {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly timeZone?: string | undefined;
}

function isWithin(at: number, { startDate, endDate, timeZone }: Period): boolean {
  const said = timeZone === undefined ? toIso(at) : toDay(at - ZONE.behindMs);
  return (startDate === undefined || said >= startDate) && (endDate === undefined || said <= endDate);
}

/** A file without a period counts for the day of its upload. */
const isFor = (file: { period: string | null; at: number }, period: string | undefined) =>
  period === undefined ||
  (period === NO_PERIOD ? file.period === null : isWithinPeriod(file.period ?? toDay(file.at), period));

const isOr = <T>(wanted: T | undefined, actual: unknown) => wanted === undefined || wanted === actual;
const holds = (q: string | undefined, ...texts: (string | null | undefined)[]) =>
  q === undefined ||
  q === '' ||
  matchesSearch(
    q,
    texts.map((text) => text ?? ''),
  );

interface Answered {
  readonly ids: readonly number[];
  readonly total: number;
}

function pageOf(
  rows: readonly { id: number }[],
  keysOf: (id: number) => Keys,
  query: { sort?: string | undefined; limit?: number | undefined; offset?: number | undefined },
  descending: boolean,
): Answered {
  const sorted = rows.map(({ id }) => id).sort((a, b) => compareKeys(keysOf(a), keysOf(b)));
  if (descending) sorted.reverse();
  const offset = query.offset ?? 0;
  return { ids: sorted.slice(offset, offset + (query.limit ?? 1_000)), total: rows.length };
}

export function expectedFiles(firm: Firm, viewer: ListedActor, query: FileQuery): Answered {
  const rows = withIds(firm.files).filter(
    (file) =>
      reachesFile(viewer, file) &&
      isOr(query.clientId, file.clientId) &&
      (query.reportTypeId === WITHOUT_TYPE
        ? file.fileType === 'report' && file.reportTypeId === null
        : isOr(query.reportTypeId, file.reportTypeId)) &&
      isOr(query.fileType, file.fileType) &&
      isOr(query.documentType, file.fileType === 'report' ? null : (file.documentType ?? 'Other')) &&
      isWithin(file.at, query) &&
      isFor(file, query.period) &&
      holds(
        query.q,
        file.name,
        firm.clients[file.clientId - 1],
        file.reportTypeId === null ? null : firm.reportTypes[file.reportTypeId - 1],
      ),
  );
  const column = (query.sort ?? '-uploadedAt').replace('-', '');
  const keysOf = (id: number): Keys => {
    const file = firm.files[id - 1] as StoredFile;
    const clientName = searchForm(firm.clients[file.clientId - 1] ?? '');
    const typeName = file.reportTypeId === null ? null : searchForm(firm.reportTypes[file.reportTypeId - 1] ?? '');
    switch (column) {
      case 'originalName':
        return [foldKey(file.name), id];
      case 'clientName':
        return [clientName, file.clientId, file.at, id];
      case 'reportTypeName':
        return [file.fileType, typeName, file.at, id];
      case 'size':
        return [file.sizeBytes, id];
      case 'period':
        return [periodKey(file.period ?? toDay(file.at)), id];
      default:
        return [file.at, id];
    }
  };
  return pageOf(rows, keysOf, query, (query.sort ?? '-uploadedAt').startsWith('-'));
}

const toFacts = ({ actor, client }: Entry) => ({ userId: actor.id, clientId: client?.id ?? null });

export function expectedActivity(firm: Firm, viewer: ListedActor, query: ActivityQuery): Answered {
  const rows = withIds(firm.activity).filter(
    (entry) =>
      reachesActivity(viewer, toFacts(entry)) &&
      isOr(query.action, entry.action) &&
      isOr(query.userId, entry.actor.id) &&
      isOr(query.clientId, entry.client?.id) &&
      isOr(query.fileId, entry.file?.id) &&
      isWithin(entry.at, query) &&
      holds(query.q, entry.details, entry.file?.name, entry.actor.name, entry.client?.name),
  );
  const keysOf = (id: number): Keys => [firm.activity[id - 1]?.at ?? 0, id];
  return pageOf(rows, keysOf, query, query.sort !== 'timestamp');
}

export function reachedByRule(firm: Firm, viewer: Viewer & ListedActor): Record<string, number[]> {
  const ids = <T extends object>(rows: readonly T[], rule: (row: Identified<T>) => boolean) =>
    withIds(rows)
      .filter(rule)
      .map(({ id }) => id);
  const clients = firm.clients.map((clientName) => ({ clientName }));
  const reportTypes = firm.reportTypes.map((typeName) => ({ typeName }));
  return {
    clients: ids(clients, ({ id }) => reachesClient(viewer, id)),
    reportTypes: ids(reportTypes, ({ id }) => reachesReportType(viewer, id)),
    reachedReportTypes: ids(reportTypes, ({ id }) => viewer.reach === 'all' || viewer.reportTypeIds.includes(id)),
    users: ids(firm.users, ({ id }) => reachesUser(viewer, id)),
    roles: ids(firm.roles, ({ id }) => reachesEveryRole(viewer) || viewer.roleId === id),
    files: ids(firm.files, (file) => reachesFile(viewer, file)),
    activity: ids(firm.activity, (entry) => reachesActivity(viewer, toFacts(entry))),
    // One to each client, in their order.
    requests: ids(clients, ({ id }) => seesRequests(viewer) && reachesClient(viewer, id)),
  };
}
