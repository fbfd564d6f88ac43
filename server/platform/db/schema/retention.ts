// The tables of retention: what is held, and what was disposed of.
import type { ColumnType, Generated } from 'kysely';
import type { HoldKind } from '#contract/hold-words.ts';
import type { Outcome } from '#contract/retention-words.ts';
import type { Fixed } from './columns.ts';

/** A hold on a file or client. Without references: what it names may be in the trash, and one that was lifted outlives it. */
interface HoldTable {
  id: Generated<number>;
  kind: Fixed<HoldKind>;
  item_id: Fixed<number>;
  /** As it was called when it was put on hold, and so is the client, whose own name and id stand in both places. */
  name: Fixed<string>;
  client_id: Fixed<number>;
  client_name: Fixed<string>;
  reason: Fixed<string>;
  placed_by_id: Fixed<number>;
  placed_by_name: Fixed<string>;
  placed_at: Fixed<number>;
  lifted_by_name: ColumnType<string | null, string | null | undefined, string>;
  /** Null while it is in force. */
  lifted_at: ColumnType<number | null, number | null | undefined, number>;
}

/** An order to dispose of files whose years are over. Kept for good. */
interface DisposalTable {
  id: Generated<number>;
  ordered_by_id: Fixed<number>;
  ordered_by_name: Fixed<string>;
  ordered_at: Fixed<number>;
  /** Null while files wait. */
  ended_at: ColumnType<number | null, number | null | undefined, number>;
}

/** One of its files as it was then, and what became of it. Without references: it is gone. */
interface DisposalFileTable {
  disposal_id: Fixed<number>;
  file_id: Fixed<number>;
  name: Fixed<string>;
  client_id: Fixed<number>;
  client_name: Fixed<string>;
  report_type_id: Fixed<number | null>;
  /** The report type, or the document type; empty where there is neither. */
  type_name: Fixed<string>;
  period: Fixed<string | null>;
  size_bytes: Fixed<number>;
  sha256: Fixed<string>;
  uploaded_at: Fixed<number>;
  /** YYYY-MM-DD. */
  due_on: Fixed<string>;
  /** By which rule, in words. */
  rule: Fixed<string>;
  outcome: Outcome;
  /** Why it was left. */
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  decided_at: ColumnType<number | null, number | null | undefined, number>;
}

export interface TablesOfRetention {
  holds: HoldTable;
  disposals: DisposalTable;
  disposal_files: DisposalFileTable;
}
