// Many rows of one noun at once: all are judged, then all are created or none.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FieldFaults, refuseFields } from '#contract/errors.ts';
import type { ImportResult } from '#contract/imports.ts';

export interface ImportRequest<Row> {
  readonly rows: readonly Row[];
  readonly dryRun?: boolean | undefined;
  readonly skipExisting?: boolean | undefined;
}

/** What is found in one row. */
export interface RowFindings {
  /** `sentence` is wrong with `column`. */
  fault(column: string, sentence: string): void;
  /** The row exists already: a fault of `column`, unless such rows are passed over. */
  exists(column: string, sentence: string): void;
}

export interface ImportSteps<Row> {
  /** Finds what is wrong with a row. It writes nothing, so that every row can be judged. */
  judge(row: Row, findings: RowFindings): Promise<void>;
  /** `at` is one moment for all rows: by it the overview shows what they write as one act. */
  create(row: Row, at: number): Promise<unknown>;
}

/** A row costs a few tenths of a millisecond: others are served in between. */
const ROWS_AT_ONCE = 5;

async function* withPauses<Row>(rows: readonly Row[]): AsyncGenerator<[number, Row]> {
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_AT_ONCE === 0) await nextTurn();
    yield [index, row];
  }
}

/** Refuses the first faults, if there are any, by `rows.<index>.<column>`. */
export function refuseFaults(faults: ImportResult['faults']): void {
  if (faults.length === 0) return;
  const fields: FieldFaults = {};
  for (const { row, column, sentence } of faults) fields[`rows.${row}.${column}`] ??= sentence;
  throw refuseFields(fields);
}

/** Runs inside one transaction. Refuses rows with faults; with `dryRun` it answers all of them instead. */
export async function importRows<Row>(
  request: ImportRequest<Row>,
  at: number,
  steps: ImportSteps<Row>,
): Promise<ImportResult> {
  const faults: ImportResult['faults'] = [];
  const existing: number[] = [];
  const fresh: Row[] = [];
  for await (const [row, given] of withPauses(request.rows)) {
    let sound = true;
    const fault = (column: string, sentence: string) => {
      sound = false;
      faults.push({ row, column, sentence });
    };
    await steps.judge(given, {
      fault,
      exists: (column, sentence) => {
        existing.push(row);
        if (request.skipExisting) sound = false;
        else fault(column, sentence);
      },
    });
    if (sound) fresh.push(given);
  }
  const result = { created: fresh.length, existing, faults };
  if (request.dryRun) return result;
  refuseFaults(faults);
  for await (const [, row] of withPauses(fresh)) await steps.create(row, at);
  return result;
}
