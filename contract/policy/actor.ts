// Who acts, and with what: capabilities, reach and the built-in roles. Nothing outside of this folder knows one role from another.

export const CAPABILITIES = [
  'clients.manage',
  'users.manage',
  'roles.manage',
  'report-types.manage',
  'reports.upload',
  'documents.upload',
  'files.delete',
  'holds.manage',
  'batches.manage',
  'batches.release',
  'requests.manage',
  'activity.read-clients',
  'activity.read',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** `all` sees every client and report type; `lists` sees what the user's access lists name. */
export const REACHES = ['all', 'lists'] as const;
export type Reach = (typeof REACHES)[number];

export const SYSTEM_ROLES = ['admin', 'cpa', 'client'] as const;
export type SystemRole = (typeof SYSTEM_ROLES)[number];

export interface RoleRights {
  readonly reach: Reach;
  readonly capabilities: readonly Capability[];
}

/** What is known of a role. */
export interface RoleFacts extends RoleRights {
  readonly systemKey: SystemRole | null;
}

/** The built-in roles as they are created at first start. */
export const systemRoles: Record<SystemRole, RoleRights & { readonly name: string }> = {
  admin: { name: 'Admin', reach: 'all', capabilities: CAPABILITIES },
  cpa: {
    name: 'CPA',
    reach: 'lists',
    capabilities: [
      'reports.upload',
      'documents.upload',
      'files.delete',
      'batches.manage',
      'batches.release',
      'requests.manage',
      'activity.read-clients',
    ],
  },
  client: { name: 'Client', reach: 'lists', capabilities: ['documents.upload'] },
};

/** What a role made by an Admin starts with. */
export const newRoleRights: RoleRights = { reach: 'lists', capabilities: [] };

/** The person who acts, as far as rights go: the session user in the browser, the viewer on the server. */
export interface Actor extends RoleRights {
  readonly id: number;
  readonly roleKey: SystemRole | null;
  /** The client list holds every client, and gets each later one. */
  readonly allClients: boolean;
  /** Set where somebody else looks as this person. */
  readonly look?: Look | null;
}

/** In a look somebody sees what another person sees, and changes nothing. */
export interface Look {
  /** The name of the person looked at. */
  readonly as: string;
}

/** An actor together with the access lists, for the pure reach rules. */
export interface ListedActor extends Actor {
  readonly clientIds: readonly number[];
  readonly reportTypeIds: readonly number[];
}

/** CPA and Client users share the dashboard home; everyone else gets the overview (docs/behaviour.md, Screens: addresses and titles). */
export function hasCommonRouting(roleKey: SystemRole | null): boolean {
  return roleKey === 'cpa' || roleKey === 'client';
}

export function isClientUser(actor: Pick<Actor, 'roleKey'>): boolean {
  return actor.roleKey === 'client';
}

export function isCpa(actor: Pick<Actor, 'roleKey'>): boolean {
  return actor.roleKey === 'cpa';
}

export function can(actor: Pick<Actor, 'capabilities'>, capability: Capability): boolean {
  return actor.capabilities.includes(capability);
}

/** Who opens the pages of single clients; a Client user has Company Details instead. */
export function hasClientPages(actor: Pick<Actor, 'roleKey' | 'capabilities'>): boolean {
  return !isClientUser(actor) || can(actor, 'clients.manage');
}
