// What is wrong with the rows of a file: by the form's own schema here, and by what the server alone knows.
import type { z } from 'zod';
import type { ImportResult } from '#contract/imports.ts';
import { importWords } from '#web/lib/import-messages.ts';
import { type ImportColumn, type Matching, valuesOf } from './columns.ts';
import type { Sheet } from './sheet.ts';

export interface RowFault {
  /** As the file numbers it. */
  readonly row: number;
  /** As the form calls the field. */
  readonly column: string;
  readonly sentence: string;
}

export interface ImportRow<Field extends string> {
  readonly row: number;
  readonly values: Record<Field, string>;
}

export interface Judgement<Field extends string> {
  readonly rows: readonly ImportRow<Field>[];
  readonly faults: readonly RowFault[];
}

/** Asks the server about rows without adding them. */
export type Ask<Field extends string> = (rows: Record<Field, string>[]) => Promise<ImportResult>;

export async function judge<Field extends string>(
  sheet: Sheet,
  matching: Matching<Field>,
  {
    columns,
    schema,
    complete,
  }: {
    readonly columns: readonly ImportColumn<Field>[];
    readonly schema: z.ZodType;
    readonly complete?: ((row: ImportRow<Field>) => Record<Field, string>) | undefined;
  },
  ask: Ask<Field>,
): Promise<Judgement<Field>> {
  const labelOf = (field: string) => columns.find((column) => column.field === field)?.label ?? field;
  const faults: RowFault[] = [];
  const rows = sheet.rows.map(({ row, cells }) => {
    const values = valuesOf(cells, columns, matching);
    return { row, values: complete ? complete({ row, values }) : values };
  });
  for (const [index, { row, cells }] of sheet.rows.entries()) {
    const extra = cells.slice(sheet.header.length).some((cell) => cell.trim() !== '');
    if (extra) faults.push({ row, column: importWords.wholeRow, sentence: importWords.moreCells });
    const named = new Set<string>();
    for (const { path, message } of schema.safeParse(rows[index]?.values).error?.issues ?? []) {
      const field = String(path[0] ?? '');
      if (named.has(field)) continue;
      named.add(field);
      faults.push({ row, column: labelOf(field), sentence: message });
    }
  }
  const faulty = new Set(faults.map(({ row }) => row));
  const sound = rows.filter(({ row }) => !faulty.has(row));
  if (sound.length > 0) {
    const answer = await ask(sound.map(({ values }) => values));
    for (const { row, column, sentence } of answer.faults) {
      const at = sound[row];
      if (at) faults.push({ row: at.row, column: labelOf(column), sentence });
    }
  }
  return { rows, faults: faults.sort((one, other) => one.row - other.row) };
}
