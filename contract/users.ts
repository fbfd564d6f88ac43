// People who sign in, and the access lists they hold.
import { z } from 'zod';
import { Id, IdList, pageQuery, sortQuery, textLine, Version } from './fields.ts';
import { importOf, NameList } from './imports.ts';
import { newPassword, newPasswordOrBlank, type PasswordProfile } from './passwords.ts';

const userFields = {
  username: textLine({ min: 3, max: 64, message: 'Username must be at least 3 characters' }),
  fullName: textLine({ min: 1, max: 200, message: 'Full name is required' }),
  roleId: z.int({ error: 'Please select a role' }).min(1, 'Please select a role'),
  clientIds: IdList,
  /** All clients, also later ones: `clientIds` is then not looked at. Absent means no. */
  allClients: z.boolean().nullish().transform(Boolean),
  reportTypeIds: IdList,
};

export function userCreate(profile: PasswordProfile) {
  return z.strictObject({
    ...userFields,
    password: newPassword(profile),
    /** At the first sign-in. Absent means no. */
    mustChangePassword: z.boolean().nullish().transform(Boolean),
  });
}

export const UserCreate = userCreate('standard');

/** A new user in a list: role, clients and report types by their names. */
export function userImport(profile: PasswordProfile) {
  return importOf(
    z.strictObject({
      username: userFields.username,
      fullName: userFields.fullName,
      role: textLine({ min: 1, max: 100, message: 'Please select a role' }),
      clients: NameList,
      reportTypes: NameList,
      password: newPassword(profile),
    }),
  );
}
export const UserImport = userImport('standard');
export type UserImport = z.infer<typeof UserImport>;

/** As for a new user; a blank or absent password keeps the old one, and `mustChangePassword` stays as it is where it is absent. */
export function userUpdate(profile: PasswordProfile) {
  return z.strictObject({
    ...userFields,
    password: newPasswordOrBlank(profile),
    mustChangePassword: z.boolean().nullish(),
  });
}
export const UserUpdate = userUpdate('standard');
export type UserUpdate = z.infer<typeof UserUpdate>;

export const UserRow = z.object({
  id: Id,
  username: z.string(),
  fullName: z.string(),
  roleId: Id,
  roleName: z.string(),
  role: z.object({ id: Id, name: z.string() }),
  clientIds: z.array(Id),
  /** Every client is in `clientIds`, and each later one comes into it. */
  allClients: z.boolean(),
  reportTypeIds: z.array(Id),
  commonRouting: z.boolean(),
  /** The next sign-in asks for a new password before anything else. */
  mustChangePassword: z.boolean(),
  version: Version,
});
export type UserRow = z.infer<typeof UserRow>;

/** One user, with what the clients list lacks. */
export const UserDetails = UserRow.extend({
  /** Clients in the trash that come back into `clientIds` unless the user is saved before, as far as the reader may restore them. */
  clientsInTrash: z.array(z.object({ id: Id, name: z.string() })),
});
export type UserDetails = z.infer<typeof UserDetails>;

export const UserQuery = z.strictObject({
  ...pageQuery,
  sort: sortQuery(['fullName', 'username', 'roleName']),
});
export type UserQuery = z.infer<typeof UserQuery>;
