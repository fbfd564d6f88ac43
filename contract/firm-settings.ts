// What the firm has decided for everybody.
import { z } from 'zod';

export const FirmSettings = z.object({
  /** A document of a batch is released by somebody else than who accepted it. */
  fourEyes: z.boolean(),
  /** The server is set up with FOUR_EYES=on: nobody can switch it off here. */
  fourEyesFixed: z.boolean(),
});
export type FirmSettings = z.infer<typeof FirmSettings>;

export const FirmSettingsInput = z.strictObject({ fourEyes: z.boolean() });
export type FirmSettingsInput = z.infer<typeof FirmSettingsInput>;
