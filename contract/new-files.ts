// What is new to somebody: files that came lately and were not opened yet.
import { z } from 'zod';
import { Id, IdText } from './fields.ts';

/** A file is new for this long, to whoever has not opened it; what was there before the account never is. */
export const NEW_FILE_DAYS = 60;

/** How many files are new to the viewer, each up to a hundred; report types without one are left out. */
export const NewFiles = z.object({
  reports: z.array(z.object({ reportTypeId: Id, count: z.int() })),
  documents: z.int(),
  /** Documents that Client users sent in that time and that nobody of staff has opened; 0 to a Client user. */
  unopenedByStaff: z.int(),
});
export type NewFiles = z.infer<typeof NewFiles>;

export const NewFilesQuery = z.strictObject({ clientId: IdText.optional() });
