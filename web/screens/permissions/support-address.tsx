// Where "Contact Support" on the sign-in page writes to.
import { Group, Paper, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { mayAttempt } from '#contract/policy.ts';
import { firmSettingsQuery, useUpdateFirmSettings } from '#web/data/firm-settings.ts';
import { fieldFaultsOf } from '#web/lib/api.ts';
import { guessedSupportEmail } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useAddressRequest } from '#web/ui/use-address-request.ts';

/** Left out where it cannot be loaded: nothing else here depends on it. The server judges what is typed. */
export function SupportAddress() {
  const user = useSessionUser();
  const { data, isError } = useQuery(firmSettingsQuery());
  const update = useUpdateFirmSettings();
  /** Null until somebody types: then it is as the firm has it, whoever changed it. */
  const [typed, setTyped] = useState<string | null>(null);
  const [fault, setFault] = useState<string | undefined>();
  const field = useRef<HTMLInputElement>(null);
  useAddressRequest('support', () => {
    field.current?.scrollIntoView({ block: 'center' });
    field.current?.focus();
  });
  if (isError && data === undefined) return null;

  const held = data?.supportEmail ?? '';
  const isChanged = typed !== null && typed.trim() !== held;
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isChanged || update.isPending) return;
    update.mutate(
      { supportEmail: typed },
      {
        onSuccess: ({ supportEmail }) => {
          setTyped(null);
          toast.success(
            supportEmail === '' ? 'Support address removed' : `"Contact Support" now writes to ${supportEmail}`,
          );
        },
        onError: (error) => {
          toastFault(error, (reason) => `Failed to set the support address: ${reason}`);
          setFault(fieldFaultsOf(error).supportEmail);
          field.current?.focus();
        },
      },
    );
  };
  const mayUpdate = mayAttempt(user, 'firm-settings.update');
  const otherwise = data?.supportEmailOfServer ?? guessedSupportEmail;
  return (
    <Paper withBorder radius="md" p="md" mt="lg">
      <form aria-label="Support address" noValidate onSubmit={save}>
        <TextInput
          ref={field}
          label="Support address"
          description={`Where "Contact Support" on the sign-in page writes to. Left empty, it is ${otherwise}.`}
          type="email"
          autoComplete="off"
          maw="32rem"
          readOnly={data === undefined || !mayUpdate}
          value={typed ?? held}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setFault(undefined);
          }}
          error={fault}
        />
        {mayUpdate ? (
          <Group mt="sm">
            <BusyButton type="submit" variant="default" busy={update.isPending} disabled={!isChanged}>
              {update.isPending ? 'Saving...' : 'Save Address'}
            </BusyButton>
          </Group>
        ) : null}
      </form>
    </Paper>
  );
}
