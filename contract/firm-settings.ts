// What the firm has decided for everybody.
import { z } from 'zod';
import { accentFault, isColour } from './accent.ts';
import { EmailOrNone, Phone, textLineOrNone, textLines, Version } from './fields.ts';
import { FIRM_ADDRESS_MAX, FIRM_NAME_MAX, LOGO_MAX, WELCOME_MAX } from './firm-face.ts';

const FirmLogo = z.object({
  /** Another one for other bytes: of the address `/firm-logo.png?v={id}`. */
  id: z.string(),
  /** In pixels. */
  width: z.int(),
  height: z.int(),
});

export const FirmSettings = z.object({
  /** A document of a batch is released by somebody else than who accepted it. */
  fourEyes: z.boolean(),
  /** The server is set up with FOUR_EYES=on: nobody can switch it off here. */
  fourEyesFixed: z.boolean(),
  /** Where people write to who need help; empty where the firm names nobody. */
  supportEmail: z.string(),
  /** Where they write to then; null where the server names nobody either, which means `support@` and the portal's host. */
  supportEmailOfServer: z.string().nullable(),
  /** What the portal is called; empty where the firm has not said. */
  name: z.string(),
  /** What it is called then. */
  nameOfServer: z.string(),
  /** `#2a58b5`, or empty for the product's own colour. */
  accent: z.string(),
  /** Of several lines; empty for none. */
  address: z.string(),
  phone: z.string(),
  /** What the sign-in page says to whoever comes, as plain text of several lines; empty for nothing. */
  welcome: z.string(),
  logo: FirmLogo.nullable(),
  version: Version,
});
export type FirmSettings = z.infer<typeof FirmSettings>;

const NOT_A_COLOUR = 'Must be a color like #2a58b5, or empty';
const Accent = z
  .string({ error: NOT_A_COLOUR })
  .max(20, { error: NOT_A_COLOUR, abort: true })
  .transform((text) => text.trim().toLowerCase())
  .superRefine((text, { addIssue }) => {
    if (text === '') return;
    const message = isColour(text) ? accentFault(text) : NOT_A_COLOUR;
    if (message !== null) addIssue({ code: 'custom', message });
  });

const PhoneOrNone = z.union([z.literal(''), Phone], {
  error: 'Phone must be in format: (XXX)-XXX-XXXX, or empty',
});

const BASE64_MAX = 4 * Math.ceil(LOGO_MAX.bytes / 3);
const LOGO_TOO_LARGE = `Must be a PNG of at most ${LOGO_MAX.bytes / 1024} KB`;

/** What is absent stays as it is. */
export const FirmSettingsInput = z.strictObject({
  fourEyes: z.boolean().optional(),
  supportEmail: EmailOrNone.optional(),
  name: textLineOrNone(FIRM_NAME_MAX).optional(),
  accent: Accent.optional(),
  address: textLines(FIRM_ADDRESS_MAX).optional(),
  phone: PhoneOrNone.optional(),
  welcome: textLines(WELCOME_MAX).optional(),
  /** A PNG of at most 512 x 128 pixels and 256 KB as base64; null for none. */
  logo: z
    .string({ error: 'Must be a PNG as base64, or null' })
    .max(BASE64_MAX, { error: LOGO_TOO_LARGE, abort: true })
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Must be a PNG as base64, or null')
    .nullable()
    .optional(),
});
export type FirmSettingsInput = z.infer<typeof FirmSettingsInput>;
