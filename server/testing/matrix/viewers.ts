// Who calls in the table of rights, and which of its cells are tried at a run.
import type { Capability } from '#contract/policy/actor.ts';
import type { DatabaseKind } from '../../platform/db/database.ts';
import { breadth } from '../breadth.ts';
import { type TableRow, table } from './table.ts';

export const VIEWERS = {
  nobody: null,
  Client: 'client',
  CPA: 'cpa',
  custom: [],
  '+clients': ['clients.manage'],
  '+users': ['users.manage'],
  '+roles': ['roles.manage'],
  '+types': ['report-types.manage'],
  '+reports': ['reports.upload'],
  '+documents': ['documents.upload'],
  '+delete': ['files.delete', 'holds.manage'],
  '+batches': ['batches.manage', 'batches.release', 'requests.manage'],
  '+clientlog': ['activity.read-clients'],
  '+log': ['activity.read'],
  Admin: 'admin',
} as const satisfies Record<string, null | 'admin' | 'cpa' | 'client' | readonly Capability[]>;
export type ViewerName = keyof typeof VIEWERS;

/**
 * Which capability lets somebody in is decided before an engine is asked: on SQLite all viewers are tried at each run. Whom a statement
 * lets see what is asked of both engines.
 */
export const VIEWERS_ON: Record<DatabaseKind, readonly ViewerName[]> = {
  sqlite: Object.keys(VIEWERS) as ViewerName[],
  postgres: breadth(['Client', 'CPA', '+users', '+clientlog', 'Admin'], Object.keys(VIEWERS) as ViewerName[]),
};

/**
 * Whether a cell is tried: at each run those that a capability changes, and in turn one of those that it does not, which are
 * decided as without any.
 */
const isTried = breadth(
  ({ expected }: TableRow, viewer: ViewerName, nth: number) =>
    !viewer.startsWith('+') || expected[viewer] !== expected['custom'] || viewer === PLUS[nth % PLUS.length],
  () => true,
);
/** On PostgreSQL those with lists of their own are one to the statements, unless the table says otherwise. */
const isToldApart = breadth(
  (kind: DatabaseKind, { expected }: TableRow, viewer: ViewerName) =>
    kind === 'sqlite' || ['Client', 'Admin'].includes(viewer) || expected[viewer] !== expected['Client'],
  () => true,
);
const PLUS = Object.keys(VIEWERS).filter((viewer) => viewer.startsWith('+'));

/** Who tries a row, in the order of its cells. */
export function viewersOf(kind: DatabaseKind, row: TableRow): readonly ViewerName[] {
  const nth = table.indexOf(row);
  return VIEWERS_ON[kind].filter((viewer) => isTried(row, viewer, nth) && isToldApart(kind, row, viewer));
}
