// One's second factors: the app, the passkeys and the recovery codes, each to be added or removed.

import { Button, Skeleton } from '@mantine/core';
import { IconDeviceMobile, IconFingerprint, IconKey } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import type { Enrolled, Factors } from '#contract/factors.ts';
import { startTotp, type TotpKey, useNewRecoveryCodes, useRemovePasskey, useRemoveTotp } from '#web/data/account.ts';
import { refresh } from '#web/data/query-client.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { failed } from '#web/lib/messages.ts';
import { knowsPasskeys } from '#web/lib/passkeys.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useDialog } from '#web/ui/use-dialog.ts';
import { accountDone, accountFailed } from './account-messages.ts';
import classes from './account-settings.module.css';
import { FactorSetup, type Setup } from './factor-setup.tsx';

const RECOVERY_CODES = 10;

export function SecondFactor({ query: { data, error, isFetching, refetch } }: { query: UseQueryResult<Factors> }) {
  if (data) return <FactorList factors={data} />;
  if (error) return <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />;
  return (
    <div role="status" aria-label="Loading second factor...">
      <Skeleton height={36} mb="md" aria-hidden />
      <Skeleton height={36} aria-hidden />
    </div>
  );
}

function FactorList({ factors }: { factors: Factors }) {
  const setup = useDialog<Setup>();
  const list = useRef<HTMLUListElement>(null);
  const removeTotp = useRemoveTotp();
  const removePasskey = useRemovePasskey();
  const confirm = useConfirm();
  /** The last one stays: without it nobody could sign in. */
  const removable = factors.passkeys.length + (factors.totp ? 1 : 0) > 1;

  const finish = (words: string) => (enrolled: Enrolled) => {
    toast.success(words);
    if (enrolled.recoveryCodes === null) setup.close();
    else setup.open({ name: 'codes', codes: enrolled.recoveryCodes });
    void refresh('factors', 'security-events');
  };

  const remove = (title: string, act: () => Promise<unknown>, words: string, refused: (reason: string) => string) =>
    confirm({
      title,
      message: 'You can no longer sign in with it.',
      confirmLabel: 'Remove',
      busyLabel: 'Removing...',
      onConfirm: async () => {
        try {
          await act();
        } catch (error) {
          // One that is gone is removed, as was asked for.
          if (!(error instanceof ApiFault && error.code === 'not_found')) {
            toastFault(error, refused);
            return;
          }
        }
        toast.success(words);
        // The button disappears with its row.
        list.current?.focus();
      },
    });

  return (
    <>
      <ul ref={list} className={classes.devices} aria-label="Second factors" tabIndex={-1}>
        <AppFactor
          isSetUp={factors.totp}
          onStarted={(totpKey) => setup.open({ name: 'app', totpKey })}
          onRemove={
            removable
              ? () =>
                  remove(
                    'Remove authenticator app?',
                    removeTotp.mutateAsync,
                    accountDone.authenticatorRemoved,
                    accountFailed.removeAuthenticator,
                  )
              : null
          }
        />
        {factors.passkeys.map((passkey) => (
          <PasskeyFactor
            key={passkey.id}
            passkey={passkey}
            onRemove={
              removable
                ? () =>
                    remove(
                      `Remove passkey ${passkey.name}?`,
                      () => removePasskey.mutateAsync(passkey.id),
                      accountDone.passkeyRemoved,
                      accountFailed.removePasskey,
                    )
                : null
            }
          />
        ))}
        <RecoveryCodesFactor
          left={factors.recoveryCodesLeft}
          onMade={(codes) => setup.open({ name: 'codes', codes })}
        />
      </ul>
      {knowsPasskeys() ? (
        <div className={classes.foot}>
          <Button variant="default" onClick={() => setup.open({ name: 'passkey' })}>
            Add a passkey
          </Button>
        </div>
      ) : null}
      <FactorSetup setup={setup} onEnrolled={finish} />
    </>
  );
}

interface FactorProps {
  icon: ReactNode;
  name: string;
  facts: ReactNode;
  children: ReactNode;
}

function Factor({ icon, name, facts, children }: FactorProps) {
  return (
    <li className={classes.device}>
      {icon}
      <div className={classes.about}>
        <p className={classes.name}>{name}</p>
        {facts}
      </div>
      {children}
    </li>
  );
}

interface AppFactorProps {
  isSetUp: boolean;
  /** Told the key that the app is given. */
  onStarted: (totpKey: TotpKey) => void;
  /** Null where it stays. */
  onRemove: (() => void) | null;
}

function AppFactor({ isSetUp, onStarted, onRemove }: AppFactorProps) {
  const [starting, setStarting] = useState(false);
  const startApp = async () => {
    if (starting) return;
    setStarting(true);
    try {
      onStarted(await startTotp());
    } catch (error) {
      toastFault(error, failed.addAuthenticator);
    } finally {
      setStarting(false);
    }
  };
  return (
    <Factor
      icon={<IconDeviceMobile size={22} stroke={1.5} aria-hidden />}
      name="Authenticator app"
      facts={<Fact>{isSetUp ? 'Set up' : 'Not set up'}</Fact>}
    >
      {isSetUp ? (
        onRemove && (
          <Button variant="default" size="xs" aria-label="Remove authenticator app" onClick={onRemove}>
            Remove
          </Button>
        )
      ) : (
        <BusyButton
          variant="default"
          size="xs"
          aria-label="Set up authenticator app"
          busy={starting}
          onClick={() => void startApp()}
        >
          Set up
        </BusyButton>
      )}
    </Factor>
  );
}

interface RecoveryCodesFactorProps {
  left: number;
  /** Told those that are made in place of the others. */
  onMade: (codes: readonly string[]) => void;
}

function RecoveryCodesFactor({ left, onMade }: RecoveryCodesFactorProps) {
  const newCodes = useNewRecoveryCodes();
  const confirm = useConfirm();
  // They are shown only once: until they are, neither Back nor the end of the tab leaves the page.
  useBlocker({
    shouldBlockFn: ({ action }) => action !== 'PUSH' && action !== 'REPLACE',
    disabled: !newCodes.isPending,
  });
  const renewCodes = () =>
    confirm({
      title: 'Make new recovery codes?',
      message: 'The codes that you have now stop working.',
      confirmLabel: 'Make New Codes',
      busyLabel: 'Making codes...',
      onConfirm: async () => {
        try {
          const { recoveryCodes } = await newCodes.mutateAsync();
          toast.success(accountDone.recoveryCodesMade);
          onMade(recoveryCodes);
        } catch (error) {
          toastFault(error, accountFailed.makeRecoveryCodes);
        }
      },
    });

  return (
    <Factor
      icon={<IconKey size={22} stroke={1.5} aria-hidden />}
      name="Recovery codes"
      facts={<Fact>{`${left} of ${RECOVERY_CODES} left`}</Fact>}
    >
      <Button variant="default" size="xs" aria-label="Make new recovery codes" onClick={renewCodes}>
        Make new
      </Button>
    </Factor>
  );
}

interface PasskeyFactorProps {
  passkey: Factors['passkeys'][number];
  /** Null where it stays. */
  onRemove: (() => void) | null;
}

function PasskeyFactor({ passkey, onRemove }: PasskeyFactorProps) {
  return (
    <Factor
      icon={<IconFingerprint size={22} stroke={1.5} aria-hidden />}
      name={passkey.name}
      facts={
        <>
          <Fact>
            Passkey, added <Moment at={passkey.createdAt} />
          </Fact>
          <Fact>
            {passkey.lastUsedAt === null ? (
              'Not used yet'
            ) : (
              <>
                Last used <Moment at={passkey.lastUsedAt} />
              </>
            )}
          </Fact>
        </>
      }
    >
      {onRemove ? (
        <Button variant="default" size="xs" aria-label={`Remove passkey ${passkey.name}`} onClick={onRemove}>
          Remove
        </Button>
      ) : null}
    </Factor>
  );
}

function Fact({ children }: { children: ReactNode }) {
  return <p className={classes.fact}>{children}</p>;
}
