// Roles, what they may do and how far they reach, and who can see what because of it.
import { z } from 'zod';
import { Id, pageQuery, sortQuery, textLine, Version } from './fields.ts';
import { CAPABILITIES, REACHES, SYSTEM_ROLES } from './policy/actor.ts';

export const RoleInput = z.strictObject({
  name: textLine({ min: 1, max: 100, message: 'Role name is required' }),
});
export type RoleInput = z.infer<typeof RoleInput>;

/** A role; `systemKey` marks the three built in. */
export const RoleRow = z.object({
  id: Id,
  name: z.string(),
  systemKey: z.enum(SYSTEM_ROLES).nullable(),
  /** Of the name. */
  version: Version,
});
export type RoleRow = z.infer<typeof RoleRow>;

export const RoleQuery = z.strictObject({ ...pageQuery, sort: sortQuery(['name']) });
export type RoleQuery = z.infer<typeof RoleQuery>;

export const RolePermissions = RoleRow.extend({
  reach: z.enum(REACHES),
  capabilities: z.array(z.enum(CAPABILITIES)),
  /** How many hold it; null for a viewer who does not reach every user. */
  users: z.int().nullable(),
  /** Of its rights. */
  version: Version,
});
export type RolePermissions = z.infer<typeof RolePermissions>;

export const PermissionChange = z.strictObject({
  roleId: Id,
  capabilities: z.array(z.enum(CAPABILITIES)).max(CAPABILITIES.length),
  reach: z.enum(REACHES).optional(),
});
export type PermissionChange = z.infer<typeof PermissionChange>;

/** Why somebody reaches something: the role reaches all, they are given all clients and later ones, or an entry in their access list. */
const Why = z.enum(['reach-all', 'all-clients', 'access-list']);

/** Who can see this, asked of a user: the clients and report types the user reaches. */
export const UserReach = z.object({
  reach: z.enum(REACHES),
  clients: z.array(z.object({ id: Id, name: z.string(), why: Why })),
  reportTypes: z.array(z.object({ id: Id, name: z.string(), why: Why })),
});
export type UserReach = z.infer<typeof UserReach>;

/** Who can see this, asked of a client: the people who reach it, and the report types each of them sees there. */
export const ClientReach = z.object({
  users: z.array(
    z.object({
      id: Id,
      username: z.string(),
      fullName: z.string(),
      roleName: z.string(),
      roleKey: z.enum(SYSTEM_ROLES).nullable(),
      /** Whether whoever asks may look at the portal as the person has it. */
      mayLook: z.boolean(),
      why: Why,
      reportTypes: z.array(z.string()),
    }),
  ),
});
export type ClientReach = z.infer<typeof ClientReach>;
