// A noun whose rows can be imported, and a CSV as far as it is read.

import type { z } from 'zod';
import type { ImportResult } from '#contract/imports.ts';
import type { ImportColumn, Matching } from './columns.ts';
import type { ImportRow, Judgement } from './judge.ts';
import type { Sheet } from './sheet.ts';

export interface ImportKind<Field extends string> {
  /** 'Import Clients' */
  readonly title: string;
  /** 'client', as counts name it. */
  readonly noun: string;
  /** 'clients', in the names of files. */
  readonly list: string;
  readonly columns: readonly ImportColumn<Field>[];
  /** One row, by the schema of the form. */
  readonly schema: z.ZodType;
}

/** Where the rows of a CSV go. */
export interface ImportTarget<Field extends string> {
  readonly send: (rows: Record<Field, string>[], dryRun: boolean) => Promise<ImportResult>;
  /** Fills in what a row may leave open. */
  readonly complete?: (row: ImportRow<Field>) => Record<Field, string>;
}

export type ImportState<Field extends string> = {
  readonly sheet: Sheet;
  readonly matching: Matching<Field>;
  readonly judgement: Judgement<Field> | null;
  /** Why the rows could not be judged. */
  readonly trouble: string | null;
};

export const lacksColumn = <Field extends string>(columns: ImportKind<Field>['columns'], matching: Matching<Field>) =>
  columns.some(({ field, absent }) => matching[field] === null && absent === undefined);
