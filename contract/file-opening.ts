// How the bytes of a file are opened by address.
import { z } from 'zod';
import { Instant } from './fields.ts';

/** Opening a file by address: `view=true` shows it in place, `token` is a view ticket or a session token. */
export const FileOpenQuery = z.strictObject({
  view: z.enum(['true', 'false']).optional(),
  token: z.string().max(200).optional(),
  t: z.string().max(40).optional(),
  _: z.string().max(40).optional(),
});

/** A key that opens one file for one minute, and the address to open it at. */
export const ViewTicket = z.object({ ticket: z.string(), url: z.string(), expiresAt: Instant });
export type ViewTicket = z.infer<typeof ViewTicket>;
