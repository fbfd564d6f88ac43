// What a person has chosen of how the portal looks and where it begins: kept with the person, the same on every machine.
import { z } from 'zod';
import { Id, storedTextLine } from './fields.ts';
import { DENSITIES, TABLES_KEPT_MAX } from './preference-words.ts';

const COLUMNS_MAX = 30;

/** The columns of a table that are not as it begins: hidden ones, and shown ones of those that it begins without. */
const HiddenColumns = z.strictObject({
  table: storedTextLine({ min: 1, max: 250, message: 'Please name the table' }),
  columns: z.array(storedTextLine({ min: 1, max: 40, message: 'Please name the column' })).max(COLUMNS_MAX),
});

export const Preferences = z.object({
  /** The client that the person works on; null for none. It may be out of reach by now. */
  chosenClientId: Id.nullable(),
  /** How close the rows of tables stand. */
  density: z.enum(DENSITIES),
  hiddenColumns: z.array(HiddenColumns),
});
export type Preferences = z.infer<typeof Preferences>;

/** What is to be kept from now on; what is left out, tables too, stays as it is. */
export const PreferencesChange = z
  .strictObject({
    chosenClientId: Id.nullable().optional(),
    density: z.enum(DENSITIES).optional(),
    hiddenColumns: z.array(HiddenColumns).max(TABLES_KEPT_MAX).optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Please say what is to change');
export type PreferencesChange = z.infer<typeof PreferencesChange>;
