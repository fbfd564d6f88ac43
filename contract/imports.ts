// Many rows of one noun in one call: what is sent, and what is answered.
import { z } from 'zod';
import { inFigures } from './plain-words.ts';

/** So many rows come in one call at most. */
export const IMPORT_ROWS_MAX = 2_000;

/** Of one call: several times what so many rows usually are, and far less than their fields could hold. */
export const IMPORT_BYTES_MAX = 4 * 1024 * 1024;

/** The rows of one noun. All of them are created, or none. */
export function importOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({
    rows: z
      .array(row, { error: 'There are no rows' })
      .min(1, 'There are no rows')
      .max(IMPORT_ROWS_MAX, `At most ${inFigures(IMPORT_ROWS_MAX)} rows can be imported at once`),
    /** Only says what would happen. */
    dryRun: z.boolean().optional(),
    /** Passes over rows that exist already, which are faults otherwise. */
    skipExisting: z.boolean().optional(),
  });
}

/** What is wrong with one cell; `row` counts from 0, `column` is the field's name. */
export const ImportFault = z.object({ row: z.int(), column: z.string(), sentence: z.string() });
export type ImportFault = z.infer<typeof ImportFault>;

/**
 * With `dryRun`, `created` says how many would be, and `faults` has every fault of every row. Without, faults are refused
 * like those of any other body, and nothing is created.
 */
export const ImportResult = z.object({
  created: z.int(),
  /** The rows, counted from 0, that exist already. */
  existing: z.array(z.int()),
  faults: z.array(ImportFault),
});
export type ImportResult = z.infer<typeof ImportResult>;

/** Several names in one cell. */
const NAMES_SEPARATOR = ';';

/** Stands for everything within the importer's reach, where nothing has this name itself. */
export const ALL_NAMES = 'All';

/** Names in one text, separated by semicolons; null, absent and empty mean none. */
export const NameList = z
  .string({ error: 'Must be names separated by semicolons' })
  .max(10_000, { error: 'Must be at most 10,000 characters', abort: true })
  .nullish()
  .transform((text) => [
    ...new Set(
      (text ?? '')
        .split(NAMES_SEPARATOR)
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ),
  ]);

/** What only a whole list can be at fault in; the other sentences are those of the form. */
export const importFaults = {
  clientExists: 'A client with this name and Federal ID exists already.',
  clientTwice: 'Another row has the same name and Federal ID.',
  usernameTwice:
    'Another row has the same username. The clients of one person stand in one row, with semicolons between them.',
  nameTwice: 'Another row has the same name.',
  looksLikeRow: (name: string) =>
    `This name looks like "${name}" in another row. Please choose one that cannot be mistaken for it.`,
  unknownRole: (name: string) => `There is no role "${name}".`,
  roleNotYours: (name: string) => `You may not give the role "${name}".`,
  unknownClient: (name: string) => `There is no client "${name}".`,
  /** `isTold` for whoever is shown federal ids whole. */
  ambiguousClient: (name: string, isTold: boolean) =>
    `There are several clients "${name}".${isTold ? ' Put the Federal ID of the one that is meant in place of the name.' : ''}`,
  unknownReportType: (name: string) => `There is no report type "${name}".`,
} as const;
