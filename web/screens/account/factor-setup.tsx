// The dialog in which a second factor is set up, and in which recovery codes are shown once.
import { Modal } from '@mantine/core';
import type { Enrolled } from '#contract/factors.ts';
import type { TotpKey } from '#web/data/account.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { PasskeySetup } from '#web/parts/second-factor/passkey-setup.tsx';
import { RecoveryCodes } from '#web/parts/second-factor/recovery-codes.tsx';
import { TotpSetup } from '#web/parts/second-factor/totp-setup.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { accountDone } from './account-messages.ts';

/** What is being set up, or has been and is shown only now. */
export type Setup =
  | { readonly name: 'app'; readonly totpKey: TotpKey }
  | { readonly name: 'passkey' }
  | { readonly name: 'codes'; readonly codes: readonly string[] };

const titles: Record<Setup['name'], string> = {
  app: 'Set up authenticator app',
  passkey: 'Add a passkey',
  codes: 'Your recovery codes',
};

interface FactorSetupProps {
  setup: Pick<Dialog<Setup>, 'opened' | 'subject' | 'close'>;
  /** What follows once it is set up; `words` say so. */
  onEnrolled: (words: string) => (enrolled: Enrolled) => void;
}

export function FactorSetup({ setup, onEnrolled }: FactorSetupProps) {
  const user = useSessionUser();
  const shown = setup.subject;
  return (
    <Modal
      opened={setup.opened}
      onClose={setup.close}
      title={shown ? titles[shown.name] : ''}
      size="sm"
      styles={{ title: { fontWeight: 600 } }}
      // Codes are shown once: they close by the button that says they are kept.
      withCloseButton={shown?.name !== 'codes'}
      closeOnClickOutside={false}
      closeOnEscape={shown?.name !== 'codes'}
    >
      {shown?.name === 'app' ? (
        <TotpSetup
          totpKey={shown.totpKey}
          onEnrolled={onEnrolled(accountDone.authenticatorAdded)}
          backLabel="Cancel"
          onBack={setup.close}
        />
      ) : null}
      {shown?.name === 'passkey' ? (
        <PasskeySetup onEnrolled={onEnrolled(accountDone.passkeyAdded)} backLabel="Cancel" onBack={setup.close} />
      ) : null}
      {shown?.name === 'codes' ? (
        <RecoveryCodes codes={shown.codes} username={user.username} goOnLabel="Done" onKept={setup.close} />
      ) : null}
    </Modal>
  );
}
