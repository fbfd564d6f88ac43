// Passwords and links that were made in the dialog of a user, for as long as it is open.
import { useEffect, useState } from 'react';
import type { UserRow } from '#contract/users.ts';
import { invitationLink } from '#web/lib/invitation.ts';
import { mailIsOn } from '#web/lib/product.ts';
import type { GivenSecret } from './password-for-user.tsx';
import type { Secrets } from './user-values.ts';

/** Passwords and links that were made here, for as long as the dialog is open. */
export function useGivenSecrets(opened: boolean) {
  const [generated, setGenerated] = useState<string | null>(null);
  const [given, setGiven] = useState<readonly GivenSecret[]>([]);
  const [copied, setCopied] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (opened) return;
    setGenerated(null);
    setGiven([]);
    setCopied(new Set());
  }, [opened]);
  return {
    generated,
    setGenerated,
    given,
    noteCopied: (secret: string) => setCopied((before) => new Set(before).add(secret)),
    /** Whether closing loses one of them: a link that is mailed is not lost. */
    losesOne: given.some(
      ({ secret, until, email }) => !(copied.has(secret) || (until !== null && email !== '' && mailIsOn)),
    ),
    /** Keeps what somebody who was saved is to be handed, where it was made here; whether it was. */
    keep: ({ fullName, username, email, invitation: asSaved }: UserRow, { password, invitation }: Secrets) => {
      const hasPassword = password !== null && password !== '' && password === generated;
      if (!(invitation || hasPassword)) return false;
      const secret = invitation ? invitationLink(invitation) : (password ?? '');
      const until = invitation ? (asSaved?.until ?? null) : null;
      setGiven((before) => [...before, { key: before.length, fullName, username, secret, until, email }]);
      setGenerated(null);
      return true;
    },
  };
}
