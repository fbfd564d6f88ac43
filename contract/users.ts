// People who sign in, and the access lists they hold.
import { z } from 'zod';
import { EmailOrNone, Id, IdList, Instant, pageQuery, sortQuery, textLine, Version } from './fields.ts';
import { importOf, NameList } from './imports.ts';
import { INVITATION_STATES } from './invitation.ts';
import { newPassword, newPasswordOrBlank, type PasswordProfile, tooShort } from './passwords.ts';

/** 256 random bits in base64url: whoever has them chooses the password of the person who is invited, once. */
const InvitationSecret = z
  .string({ error: 'Must be 43 characters of base64url' })
  .max(43, { error: 'Must be 43 characters of base64url', abort: true })
  .regex(/^[A-Za-z0-9_-]{43}$/, 'Must be 43 characters of base64url');

interface SignInFields {
  readonly password?: unknown;
  readonly invitation?: unknown;
}

/**
 * A password for the person, or null for it and an invitation to choose one. The secret of the invitation is made by whoever invites,
 * and only its SHA-256 is kept.
 */
const signInFields = (profile: PasswordProfile) => ({
  password: newPassword(profile).nullable(),
  invitation: InvitationSecret.nullish(),
});
const isOneGiven = ({ password, invitation }: SignInFields) => Boolean(password || invitation);
const isOneAlone = ({ password, invitation }: SignInFields) => !(password && invitation);
const oneGiven = (profile: PasswordProfile) => ({ path: ['password'], error: tooShort(profile) });
const oneAlone = { path: ['password'], error: 'Either a password or an invitation, not both' };

/** Another link for somebody who was invited and has not joined. */
export const InvitationAnew = z.strictObject({ invitation: InvitationSecret });

/** What a person is called. */
export const personNames = {
  username: textLine({ min: 3, max: 64, message: 'Username must be at least 3 characters' }),
  fullName: textLine({ min: 1, max: 200, message: 'Full name is required' }),
};

const userFields = {
  ...personNames,
  roleId: z.int({ error: 'Please select a role' }).min(1, 'Please select a role'),
  clientIds: IdList,
  /** All clients, also later ones: `clientIds` is then not looked at. Absent means no. */
  allClients: z.boolean().nullish().transform(Boolean),
  reportTypeIds: IdList,
  /** Where the person is written to. Blank means nowhere; absent stays as it is, for somebody new nowhere. */
  email: EmailOrNone.nullish(),
};

/** With a password, or with an invitation in its place. */
export function userCreate(profile: PasswordProfile) {
  return z
    .strictObject({
      ...userFields,
      ...signInFields(profile),
      /** At the first sign-in. Absent means no. */
      mustChangePassword: z.boolean().nullish().transform(Boolean),
    })
    .refine(isOneGiven, oneGiven(profile))
    .refine(isOneAlone, oneAlone);
}

export const UserCreate = userCreate('standard');

/** A new user in a list: role, clients and report types by their names. */
export function userImport(profile: PasswordProfile) {
  return importOf(
    z
      .strictObject({
        username: userFields.username,
        fullName: userFields.fullName,
        email: userFields.email,
        role: textLine({ min: 1, max: 100, message: 'Please select a role' }),
        clients: NameList,
        reportTypes: NameList,
        ...signInFields(profile),
      })
      .refine(isOneGiven, oneGiven(profile))
      .refine(isOneAlone, oneAlone),
  );
}
export const UserImport = userImport('standard');
export type UserImport = z.infer<typeof UserImport>;

/** As for a new user; where password and invitation are blank or absent the person keeps the password or the invitation, and `mustChangePassword` stays as it is where it is absent. */
export function userUpdate(profile: PasswordProfile) {
  return z
    .strictObject({
      ...userFields,
      ...signInFields(profile),
      password: newPasswordOrBlank(profile),
      mustChangePassword: z.boolean().nullish(),
    })
    .refine(isOneAlone, oneAlone);
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
  /** Empty where nobody has said. */
  email: z.string(),
  /** When the mail server last refused that address; null where it did not lately, or took a later mail to it. */
  mailRefusedAt: Instant.nullable(),
  /** Of somebody who was invited and has not joined: until when the link is good for, and whether it was withdrawn before. Else null. */
  invitation: z.object({ until: Instant, withdrawn: z.boolean() }).nullable(),
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
  /** Only who is that far. */
  state: z.enum(INVITATION_STATES, { error: `Must be one of ${INVITATION_STATES.join(', ')}` }).optional(),
});
export type UserQuery = z.infer<typeof UserQuery>;
