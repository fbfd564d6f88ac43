// What the dialog of a user asks for, what of it is sent, and which fields the server's answer is about.
import type { UseFormReturnType } from '@mantine/form';
import type { UserRow } from '#contract/users.ts';
import type { UserChange } from '#web/data/users.ts';
import { ApiFault, fieldFaultsOf } from '#web/lib/api-fault.ts';
import { newInvitation } from '#web/lib/invitation.ts';

/** The form of the dialog. */
export type UserForm = UseFormReturnType<Values>;

export interface Values extends Record<string, unknown> {
  username: string;
  /** Null where the person is invited to choose one. */
  password: string | null;
  invitation: string | null;
  fullName: string;
  email: string;
  roleId: number | null;
  clientIds: number[];
  allClients: boolean;
  reportTypeIds: number[];
  mustChangePassword: boolean;
}

/** As the checklists keep them, so that undoing a tick leaves nothing to save. */
export const ascending = (ids: readonly number[]) => [...ids].sort((one, other) => one - other);

export function valuesOf(user: UserRow | null): Values {
  return {
    username: user?.username ?? '',
    password: '',
    invitation: null,
    fullName: user?.fullName ?? '',
    email: user?.email ?? '',
    roleId: user?.roleId ?? null,
    clientIds: ascending(user?.clientIds ?? []),
    allClients: user?.allClients ?? false,
    reportTypeIds: ascending(user?.reportTypeIds ?? []),
    // Who sets a password for somebody else knows it.
    mustChangePassword: user?.mustChangePassword ?? true,
  };
}

/** What the next one begins with, where several are added one after the other. */
export function nextAfter(before: Values): Values {
  const { roleId, clientIds, allClients, reportTypeIds, mustChangePassword } = before;
  // Whoever invites one after the other goes on inviting.
  const invitation = before.invitation === null ? null : newInvitation();
  const password = invitation === null ? '' : null;
  const kept = { roleId, clientIds, allClients, reportTypeIds, mustChangePassword, password, invitation };
  return { ...valuesOf(null), ...kept };
}

export type Secrets = Pick<Values, 'password' | 'invitation'>;

/** What is sent: none selected travels as null (docs/behaviour.md, Users: User Management). */
export function bodyOf(values: Values): UserChange & Secrets {
  const orNull = (ids: number[]) => (ids.length > 0 ? ids : null);
  return {
    username: values.username.trim(),
    password: values.password,
    invitation: values.invitation,
    fullName: values.fullName.trim(),
    email: values.email.trim(),
    roleId: values.roleId ?? 0,
    clientIds: values.allClients ? null : orNull(values.clientIds),
    allClients: values.allClients,
    mustChangePassword: values.mustChangePassword,
    reportTypeIds: orNull(values.reportTypeIds),
  };
}

/** The first fault of each field, as the form names its fields: `clientIds.2` belongs to `clientIds`. */
export function faultsOf(error: unknown): Record<string, string> {
  if (error instanceof ApiFault && error.code === 'username_taken') return { username: error.message };
  if (error instanceof ApiFault && error.code === 'last_admin') return { roleId: error.message };
  const faults: Record<string, string> = {};
  for (const [path, message] of Object.entries(fieldFaultsOf(error))) faults[path.split('.')[0] ?? path] ??= message;
  return faults;
}
