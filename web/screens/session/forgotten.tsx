// What "Forgot password" opens where the portal sends mail: a link to the address of whoever is named above. Loaded once it is asked for.
import { Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { askForPasswordLink } from '#web/data/session.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { reasonOf } from '#web/lib/api-fault.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import type { CredentialFaults } from './credentials.ts';
import { ASK_THE_FIRM, Note } from './login-note.tsx';
import { sessionRequired } from './session-messages.ts';

export interface ForgottenProps {
  /** As it stands in the form above. */
  username: string;
  /** Nobody is named there. */
  onMissing: (faults: CredentialFaults) => void;
}

export function Forgotten({ username, onMissing }: ForgottenProps) {
  const [busy, setBusy] = useState(false);
  /** For whom a link was asked for: another name may have one of its own. */
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const named = username.trim();
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed button is gone.
    if (askedFor !== null && document.activeElement === document.body) note.current?.focus();
  }, [askedFor]);
  const ask = async () => {
    if (named === '') {
      onMissing({ username: sessionRequired.username });
      return;
    }
    setBusy(true);
    try {
      await askForPasswordLink(named);
      setAskedFor(named);
    } catch (error) {
      toastFault(error, reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="xs">
      <div ref={note} role="status" tabIndex={-1}>
        <Note>
          {askedFor === null
            ? 'A link to choose a new password can be sent to the mail address of your user. Type your username above: it stands in the mail that invited you, if you got one.'
            : `If there is a user "${askedFor}" with a mail address, a link is on its way there. It works once, for 30 minutes. Nothing has come? ${ASK_THE_FIRM}`}
        </Note>
      </div>
      {askedFor !== null && askedFor === named ? null : (
        <BusyButton variant="default" fullWidth busy={busy} onClick={() => void ask()}>
          {busy ? 'Sending...' : 'Send Link'}
        </BusyButton>
      )}
    </Stack>
  );
}
