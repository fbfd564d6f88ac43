// Client companies.
import { z } from 'zod';
import { counted } from './errors.ts';
import { dateOnly, Email, EmployeeCount, FederalId, Id, Phone, pageQuery, sortQuery, textLine } from './fields.ts';

export const ClientInput = z.strictObject({
  name: textLine({ min: 2, max: 200, message: 'Name must be at least 2 characters' }),
  address: textLine({ min: 5, max: 500, message: 'Address must be at least 5 characters' }),
  phone: Phone,
  federalId: FederalId,
  stateId: textLine({ min: 1, max: 64, message: 'State ID is required' }),
  email: Email,
  employeeCount: EmployeeCount,
  startDate: dateOnly('Start date is required'),
});
export type ClientInput = z.infer<typeof ClientInput>;

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
export const ClientRemoval = z.object({ files: z.int().nullable(), users: z.int().nullable() });
export type ClientRemoval = z.infer<typeof ClientRemoval>;

/** '2 files and 1 user', 'all its files and 1 user'; `count` writes a number with its noun. */
export function removalWords({ files, users }: ClientRemoval, count: typeof counted = counted): string {
  const fileWords = files === null ? 'all its files' : count(files, 'file');
  return `${fileWords} and ${users === null ? 'all its users' : count(users, 'user')}`;
}
