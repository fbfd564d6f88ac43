// How a list in reach is read, whatever it is a list of.
import { type Expression, type SqlBool, sql } from 'kysely';
import type { RowSource } from './reach.ts';
import type { Sources } from './sources.ts';

/** The rows of `source` that `further` leaves. */
export const narrowed = ({ from, where }: RowSource, further: Expression<SqlBool>): RowSource => ({
  from,
  where: sql<SqlBool>`${where} and ${further}`,
});

/** How a list is read: by a walk along an index until the page is full, or by gathering the few that match and sorting them. */
export interface ReadPlan {
  /** Tells its statements from those of other plans. */
  readonly name: string;
  readonly kind: 'walk' | 'gather';
  /** The rows of the list, as the plan reads them. */
  readonly source: (sources: Sources) => RowSource;
  /** The rows of the list, in the way that soonest has counted enough. */
  readonly countSource: (sources: Sources) => RowSource;
  readonly values: Readonly<Record<string, unknown>>;
}
