// Where "Contact Support" on the sign-in page writes to.
import { Group, Paper, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { FirmSettingsInput } from '#contract/firm-settings.ts';
import { mayAttempt } from '#contract/policy.ts';
import { firmSettingsQuery, useUpdateFirmSettings } from '#web/data/firm-settings.ts';
import { fieldFaultsOf } from '#web/lib/api.ts';
import { done, failed } from '#web/lib/messages.ts';
import { guessedSupportEmail } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useAddressRequest } from '#web/ui/use-address-request.ts';

const checkAddress = schemaResolver(FirmSettingsInput, { sync: true });

/** Left out where it cannot be loaded: nothing else here depends on it. */
export function SupportAddress() {
  const user = useSessionUser();
  const { data, isError } = useQuery(firmSettingsQuery());
  const update = useUpdateFirmSettings();
  const form = useForm({ mode: 'controlled', initialValues: { supportEmail: '' }, validate: checkAddress });
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef(form);
  latest.current = form;
  const held = data?.supportEmail;
  useEffect(() => {
    // What somebody is typing is not answered over.
    if (held === undefined || latest.current.isDirty()) return;
    latest.current.setValues({ supportEmail: held });
    latest.current.resetDirty({ supportEmail: held });
  }, [held]);
  useAddressRequest('support', () => {
    field.current?.scrollIntoView({ block: 'center' });
    field.current?.focus();
  });
  if (isError && data === undefined) return null;

  const save = ({ supportEmail }: { supportEmail: string }) => {
    if (update.isPending) return;
    update.mutate(
      { supportEmail },
      {
        onSuccess: (now) => {
          form.setValues({ supportEmail: now.supportEmail });
          form.resetDirty({ supportEmail: now.supportEmail });
          toast.success(
            now.supportEmail === '' ? done.supportAddressRemoved : done.supportAddressSet(now.supportEmail),
          );
        },
        onError: (error) => {
          toastFault(error, failed.setSupportAddress);
          form.setErrors(fieldFaultsOf(error));
          field.current?.focus();
        },
      },
    );
  };
  const mayUpdate = mayAttempt(user, 'firm-settings.update');
  return (
    <Paper withBorder radius="md" p="md" mt="lg">
      <form aria-label="Support address" noValidate onSubmit={form.onSubmit(save, () => field.current?.focus())}>
        <Group align="flex-start" gap="sm">
          <TextInput
            ref={field}
            label="Support address"
            type="email"
            inputMode="email"
            autoComplete="off"
            description={`Where "Contact Support" on the sign-in page writes to. Left empty, it is ${data?.supportEmailOfServer ?? guessedSupportEmail}.`}
            flex="1 1 20rem"
            maw="32rem"
            readOnly={data === undefined || !mayUpdate}
            {...form.getInputProps('supportEmail')}
          />
          {mayUpdate ? (
            <BusyButton type="submit" variant="default" busy={update.isPending} disabled={!form.isDirty()} mt="auto">
              {update.isPending ? 'Saving...' : 'Save Address'}
            </BusyButton>
          ) : null}
        </Group>
      </form>
    </Paper>
  );
}
