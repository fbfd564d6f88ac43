// The form that changes one's own password.

import { PasswordInput, Stack, VisuallyHidden } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useRef } from 'react';
import { passwordChange } from '#contract/session.ts';
import { lastPasswordChange, useChangePassword } from '#web/data/account.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault, fieldFaultsOf } from '#web/lib/api-fault.ts';
import { passwordProfile } from '#web/lib/product.ts';
import { repetitionFault } from '#web/lib/repeated-password.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { RequiredFields } from '#web/ui/required-fields.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useAddressRequest } from '#web/ui/use-address-request.ts';
import { accountDone, accountFailed } from './account-messages.ts';
import classes from './account-settings.module.css';

interface Values extends Record<string, unknown> {
  currentPassword: string;
  newPassword: string;
  repeatedPassword: string;
}

const FIELDS = ['currentPassword', 'newPassword', 'repeatedPassword'] as const;
type Faults = Readonly<Record<string, unknown>>;

/** To a phone a password that is shown is text, which it would begin with a capital and correct. */
const asTyped = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false };

const blank: Values = { currentPassword: '', newPassword: '', repeatedPassword: '' };

const checkChange = schemaResolver(passwordChange(passwordProfile), { sync: true });

function faultsOf({ repeatedPassword, ...change }: Values) {
  const faults = checkChange(change);
  const fault = repetitionFault(change.newPassword, repeatedPassword);
  return fault === null ? faults : { ...faults, repeatedPassword: fault };
}

export function ChangePassword() {
  const user = useSessionUser();
  const change = useChangePassword();
  const element = useRef<HTMLFormElement>(null);
  const form = useForm<Values>({ mode: 'controlled', initialValues: blank, validate: faultsOf });
  const busy = change.isPending;

  const focusFirst = (faults: Faults) => {
    const name = FIELDS.find((field) => faults[field]);
    if (name) element.current?.querySelector<HTMLInputElement>(`[data-path="${name}"]`)?.focus();
  };

  useAddressRequest('password', () => focusFirst({ currentPassword: true }));

  const save = async ({ currentPassword, newPassword }: Values) => {
    if (busy) return;
    const { unsure } = lastPasswordChange;
    try {
      await change.mutateAsync({ currentPassword, newPassword });
      form.reset();
      toast.success(accountDone.passwordChanged);
    } catch (error) {
      toastFault(error, lastPasswordChange.unsure ? accountFailed.changeUnsure : accountFailed.changePassword);
      const wrong = error instanceof ApiFault && error.code === 'wrong_password';
      const faults = wrong
        ? { currentPassword: unsure ? accountFailed.currentUnsure : error.message }
        : fieldFaultsOf(error);
      form.setErrors(faults);
      focusFirst(faults);
    }
  };

  return (
    <form
      ref={element}
      className={classes.form}
      aria-label="Change password"
      noValidate
      onSubmit={form.onSubmit((values) => void save(values), focusFirst)}
    >
      <Stack gap="md">
        {/* A password manager files the new password under this name. */}
        <VisuallyHidden aria-hidden>
          <input type="text" autoComplete="username" value={user.username} readOnly tabIndex={-1} />
        </VisuallyHidden>
        <RequiredFields>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...asTyped}
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label="New password"
            autoComplete="new-password"
            {...asTyped}
            {...form.getInputProps('newPassword')}
          />
          <PasswordInput
            label="Repeat new password"
            autoComplete="new-password"
            {...asTyped}
            {...form.getInputProps('repeatedPassword')}
          />
        </RequiredFields>
        <div>
          <BusyButton type="submit" busy={busy}>
            {busy ? 'Changing...' : 'Change Password'}
          </BusyButton>
        </div>
      </Stack>
    </form>
  );
}
