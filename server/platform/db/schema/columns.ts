// Columns as many tables have them.
import type { ColumnType } from 'kysely';

/** Written once and never changed afterwards. */
export type Fixed<T> = ColumnType<T, T, never>;

/** Computed by the database from other columns. */
export type Computed<T> = ColumnType<T, never, never>;

/** When the row was last changed, and by whom; null where nobody has since it was made. */
export interface LastChanged {
  changed_at: ColumnType<number | null, never, number>;
  changed_by_id: ColumnType<number | null, never, number>;
}
