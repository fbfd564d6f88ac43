// That the mail server refuses the address of a user, in amber: whoever enters addresses corrects it.
import { Text } from '@mantine/core';
import type { UserRow } from '#contract/users.ts';
import { formatDate } from '#web/lib/format.ts';
import { Breakable } from '#web/ui/breakable.tsx';

interface MailRefusedProps {
  user: Pick<UserRow, 'email' | 'mailRefusedAt'>;
  mayEdit: boolean;
}

/** Below the name in the list. */
export function MailRefused({ user: { email, mailRefusedAt }, mayEdit }: MailRefusedProps) {
  if (mailRefusedAt === null) return null;
  return (
    <Text size="xs" c="var(--coffer-warned)" style={{ overflowWrap: 'anywhere' }}>
      Mails to <Breakable text={email} /> are refused.{mayEdit ? ' Correct the address.' : null}
    </Text>
  );
}

/** Below the field with the address, as long as that is the one that was refused. */
export function refusedWords(user: UserRow | null, email: string) {
  if (user === null || user.mailRefusedAt === null || email.trim() !== user.email) return undefined;
  return (
    <Text span inherit c="var(--coffer-warned)">
      The mail server refused this address on {formatDate(user.mailRefusedAt)}. Correct it.
    </Text>
  );
}
