// People who sign in, and the access lists they hold.
import { z } from 'zod';
import { Id, IdList, pageQuery, sortQuery, textLine } from './fields.ts';

const PASSWORD_MESSAGE = 'Password must be at least 6 characters';
const PASSWORD_MIN = 6;
const PASSWORD_MAX = 128;
/** 128 code points take at most this many UTF-16 units; longer text is refused before it is counted. */
export const PASSWORD_UNITS_MAX = PASSWORD_MAX * 2;

/** A password to be set: counted in code points, every character exact, outer space included. */
export const NewPassword = z
  .string({ error: PASSWORD_MESSAGE })
  .max(PASSWORD_UNITS_MAX, { error: `Password must be at most ${PASSWORD_MAX} characters`, abort: true })
  .refine((value) => [...value].length >= PASSWORD_MIN, PASSWORD_MESSAGE)
  .refine((value) => [...value].length <= PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`);

const userFields = {
  username: textLine({ min: 3, max: 64, message: 'Username must be at least 3 characters' }),
  fullName: textLine({ min: 1, max: 200, message: 'Full name is required' }),
  roleId: z.int({ error: 'Please select a role' }).min(1, 'Please select a role'),
  clientIds: IdList,
  reportTypeIds: IdList,
};

export const UserCreate = z.strictObject({ ...userFields, password: NewPassword });
export type UserCreate = z.infer<typeof UserCreate>;

/** As for a new user; a blank or absent password keeps the old one. */
export const UserUpdate = z.strictObject({
  ...userFields,
  password: z.union([z.literal(''), NewPassword], { error: PASSWORD_MESSAGE }).nullish(),
});
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
