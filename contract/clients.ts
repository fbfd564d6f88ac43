// Client companies.
import { z } from 'zod';
import {
  dateOnly,
  Email,
  EmployeeCount,
  FederalId,
  Id,
  Phone,
  pageQuery,
  sortQuery,
  textLine,
  Version,
} from './fields.ts';
import { HOLD_KINDS } from './hold-words.ts';
import { importOf, NameList } from './imports.ts';
import { searchForm } from './search.ts';

/** The most other names of one client. */
export const OTHER_NAMES_MAX = 20;

/** What a client goes by besides its legal name: a DBA, or a short name as it stands in file names. Each once. */
const OtherNames = z
  .array(textLine({ min: 2, max: 200, message: 'Each other name must be at least 2 characters' }), {
    error: 'Must be a list of names',
  })
  .max(OTHER_NAMES_MAX, `Please enter at most ${OTHER_NAMES_MAX} other names`)
  .transform((names) => {
    const forms = names.map(searchForm);
    return names.filter((_, nth) => forms.indexOf(forms[nth] ?? '') === nth);
  });

export const ClientInput = z.strictObject({
  name: textLine({ min: 2, max: 200, message: 'Name must be at least 2 characters' }),
  address: textLine({ min: 5, max: 500, message: 'Address must be at least 5 characters' }),
  phone: Phone,
  federalId: FederalId,
  stateId: textLine({ min: 1, max: 64, message: 'State ID is required' }),
  email: Email,
  employeeCount: EmployeeCount,
  startDate: dateOnly('Start date is required'),
  /** Left out: none for a new client, unchanged for one that is there. */
  otherNames: OtherNames.optional(),
});
export type ClientInput = z.infer<typeof ClientInput>;

/** A client as a row of a list: its other names in one cell. */
export const ClientImportRow = ClientInput.extend({ otherNames: NameList.pipe(OtherNames) });
export const ClientImport = importOf(ClientImportRow);

/** A client in an answer; `phoneNumber` repeats `phone`, as the client list reads it (docs/behaviour.md, Clients: data). */
export const ClientRow = z.object({
  id: Id,
  name: z.string(),
  address: z.string(),
  phone: z.string(),
  phoneNumber: z.string(),
  email: z.string(),
  federalId: z.string(),
  stateId: z.string(),
  employeeCount: z.int(),
  startDate: z.string(),
  otherNames: z.array(z.string()),
  /** The client itself is; null for a Client user, who is told it of files alone. */
  onHold: z.boolean().nullable(),
  version: Version,
});
export type ClientRow = z.infer<typeof ClientRow>;

export const ClientQuery = z.strictObject({
  ...pageQuery,
  sort: sortQuery(['name', 'email', 'phone', 'federalId', 'employeeCount', 'startDate']),
});
export type ClientQuery = z.infer<typeof ClientQuery>;

/**
 * What is deleted together with a client: its files, and its Client users who have no other client. Null where some of
 * them are out of the viewer's reach: a number would reveal the others.
 */
export const ClientRemoval = z.object({
  files: z.int().nullable(),
  users: z.int().nullable(),
  /** What keeps it from being deleted: a hold on the client itself, or on a file of it. */
  onHold: z.enum(HOLD_KINDS).nullable(),
});
export type ClientRemoval = z.infer<typeof ClientRemoval>;
