// The guide through a firm that is still empty: what of it is there.
import { z } from 'zod';
import { Id } from './fields.ts';

export const FirstSteps = z.object({
  /** Null where somebody has put the guide away. */
  steps: z
    .object({
      /** The viewer signs in with another password than the one that the first start made or was given. */
      signInChanged: z.boolean(),
      /** The firm or the server names where people write to who need help. */
      supportAddress: z.boolean(),
      reportTypes: z.boolean(),
      clients: z.boolean(),
      /** A Client user has both a client and a report type in their lists. */
      clientUser: z.boolean(),
      /** A Client user who sees a report; null where nobody does. */
      sees: z.object({ id: Id, username: z.string(), fullName: z.string() }).nullable(),
    })
    .nullable(),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

export const FirstStepsInput = z.strictObject({ dismissed: z.boolean() });
