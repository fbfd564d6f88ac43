// Every kind of mail.

import { digestMail } from '../digests/digest-mail.ts';
import { reminderMail } from '../digests/reminder-mail.ts';
import { accountChangeMail } from '../kinds/account-change.ts';
import { invitationMail } from '../kinds/invitation.ts';
import { passwordLinkMail } from '../kinds/password-link.ts';
import { testMail } from '../kinds/test-mail.ts';
import type { MailKind } from '../mail-kind.ts';

const KINDS: ReadonlyMap<string, MailKind> = new Map(
  (
    [testMail, invitationMail, passwordLinkMail, accountChangeMail, digestMail, reminderMail] as readonly MailKind[]
  ).map((kind) => [kind.name, kind]),
);

/** Undefined for a kind that only another version of the program knows. */
export const kindOfMail = (name: string): MailKind | undefined => KINDS.get(name);
