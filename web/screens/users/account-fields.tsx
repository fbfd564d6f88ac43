// Who a user is and how they sign in, in the dialog of a user.
import { Anchor, Checkbox, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RoleRow } from '#contract/roles.ts';
import type { UserRow } from '#contract/users.ts';
import { newInvitation } from '#web/lib/invitation.ts';
import { empty } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { InvitationOf } from './invitation.tsx';
import { refusedWords } from './mail-refused.tsx';
import { PasswordForUser } from './password-for-user.tsx';
import type { RoleFacts } from './role-facts.ts';
import { unavailableWords } from './unavailable-list.ts';
import type { UserForm } from './user-values.ts';

/** The hint below the password field. One's own password is changed where the current one is asked for. */
function passwordHint(user: UserRow | null, ownId: number) {
  if (user === null) return undefined;
  if (user.invitation !== null) return 'There is none yet. One that you set here ends the invitation.';
  if (user.id !== ownId) {
    return 'Leave blank to keep the current password. A new one signs this user out everywhere.';
  }
  return (
    <>
      You change your own password under{' '}
      <Anchor inherit underline="always" renderRoot={(props) => <Link to="/account-settings" {...props} />}>
        Account Settings
      </Anchor>
      .
    </>
  );
}

const INVITE = 'Invite instead: a link by which they choose their own password';

const INVITE_AGAIN = 'Invite anew: a link by which they choose another password, which ends this one now';

const INVITE_ANEW = 'Invite anew: a new link, which ends the old one';

interface AccountFieldsProps {
  user: UserRow | null;
  form: UserForm;
  roles: UseQueryResult<{ readonly rows: readonly RoleRow[] }>;
  roleFacts: RoleFacts;
  generated: string | null;
  onGenerate: (password: string) => void;
  onCopied: (password: string) => void;
}

export function AccountFields({ user, form, roles, roleFacts, generated, onGenerate, onCopied }: AccountFieldsProps) {
  const me = useSessionUser();
  const { roleId } = form.values;
  const invites = form.values.invitation !== null;
  const offered = (roles.data?.rows ?? []).filter((role) => role.id === user?.roleId || roleFacts.mayGive(role.id));
  const held = offered.some((role) => role.id === user?.roleId) ? undefined : user?.role;
  /** Whoever sets a password for somebody else knows it: it is to be changed, unless that is unticked. */
  const setPassword = (password: string | null) => {
    const [was, is] = [form.values.password ?? '', password ?? ''];
    if (user !== null && (is === '') !== (was === '')) {
      form.setFieldValue('mustChangePassword', is !== '' || user.mustChangePassword);
    }
    form.setFieldValue('password', password);
  };
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="md">
        <TextInput
          label="Username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('username')}
        />
        <PasswordForUser
          label="Password"
          aria-required={user === null && !invites}
          description={invites ? undefined : passwordHint(user, me.id)}
          disabled={user?.id === me.id || invites}
          generated={generated}
          onCopied={onCopied}
          onGenerate={(password) => {
            onGenerate(password);
            setPassword(password);
          }}
          {...form.getInputProps('password')}
          value={form.values.password ?? ''}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <TextInput label="Full Name" autoComplete="off" {...form.getInputProps('fullName')} />
        <Select
          label="Role"
          placeholder="Select a role"
          allowDeselect={false}
          data={[...(held ? [held] : []), ...offered].map((role) => ({ value: String(role.id), label: role.name }))}
          nothingFoundMessage={unavailableWords(roles, empty.roles)}
          description={
            roleFacts.reachesAll(roleId)
              ? 'Sees every client and report type, whatever the lists below say.'
              : undefined
          }
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...form.getInputProps('roleId')}
          value={roleId === null ? null : String(roleId)}
          onChange={(chosen) => form.setFieldValue('roleId', chosen === null ? null : Number(chosen))}
        />
        <TextInput
          label="Email"
          type="email"
          autoComplete="off"
          aria-required={false}
          description={refusedWords(user, form.values.email)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...form.getInputProps('email')}
        />
      </SimpleGrid>
      {user === null ? null : <InvitationOf key={`${user.id} ${user.invitation?.until}`} user={user} />}
      {user?.id === me.id ? null : (
        <Checkbox
          label={user === null ? INVITE : user.invitation === null ? INVITE_AGAIN : INVITE_ANEW}
          data-path="invitation"
          checked={invites}
          error={form.errors.invitation}
          onChange={({ currentTarget }) => {
            // Another one each time: what was refused is not sent again.
            form.setFieldValue('invitation', currentTarget.checked ? newInvitation() : null);
            setPassword(currentTarget.checked ? null : '');
          }}
        />
      )}
      {user?.id === me.id || invites ? null : (
        <Checkbox
          label={`Must change the password at the ${user === null ? 'first' : 'next'} sign-in`}
          {...form.getInputProps('mustChangePassword', { type: 'checkbox' })}
        />
      )}
    </>
  );
}
