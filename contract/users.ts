// People who sign in, and the access lists they hold.
import { z } from 'zod';
import { Id, IdList, pageQuery, sortQuery, textLine } from './fields.ts';
import { newPassword, newPasswordOrBlank, type PasswordProfile } from './passwords.ts';

const userFields = {
  username: textLine({ min: 3, max: 64, message: 'Username must be at least 3 characters' }),
  fullName: textLine({ min: 1, max: 200, message: 'Full name is required' }),
  roleId: z.int({ error: 'Please select a role' }).min(1, 'Please select a role'),
  clientIds: IdList,
  reportTypeIds: IdList,
};

export function userCreate(profile: PasswordProfile) {
  return z.strictObject({ ...userFields, password: newPassword(profile) });
}

export const UserCreate = userCreate('standard');

/** As for a new user; a blank or absent password keeps the old one. */
export function userUpdate(profile: PasswordProfile) {
  return z.strictObject({ ...userFields, password: newPasswordOrBlank(profile) });
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
  reportTypeIds: z.array(Id),
  commonRouting: z.boolean(),
});
export type UserRow = z.infer<typeof UserRow>;

export const UserQuery = z.strictObject({
  ...pageQuery,
  sort: sortQuery(['fullName', 'username', 'roleName']),
});
export type UserQuery = z.infer<typeof UserQuery>;
