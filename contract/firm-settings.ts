// What the firm has decided for everybody.
import { z } from 'zod';
import { EmailOrNone } from './fields.ts';

export const FirmSettings = z.object({
  /** A document of a batch is released by somebody else than who accepted it. */
  fourEyes: z.boolean(),
  /** The server is set up with FOUR_EYES=on: nobody can switch it off here. */
  fourEyesFixed: z.boolean(),
  /** Where people write to who need help; empty where the firm names nobody. */
  supportEmail: z.string(),
  /** Where they write to then; null where the server names nobody either, which means `support@` and the portal's host. */
  supportEmailOfServer: z.string().nullable(),
});
export type FirmSettings = z.infer<typeof FirmSettings>;

/** What is absent stays as it is. */
export const FirmSettingsInput = z.strictObject({
  fourEyes: z.boolean().optional(),
  supportEmail: EmailOrNone.optional(),
});
export type FirmSettingsInput = z.infer<typeof FirmSettingsInput>;
