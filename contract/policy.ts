// Who may do what and who reaches what: the only file that knows the system roles.
import type { Remembered } from './batch-words.ts';
import { type ErrorCode, refuse } from './errors.ts';

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

interface RoleRights {
  readonly reach: Reach;
  readonly capabilities: readonly Capability[];
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

// ---- Who reaches what -------------------------------------------------------------------------------------------
// `server/people/access/scope.ts` says the same in SQL; a property test holds the two together.

export interface FileAccess {
  readonly clientId: number;
  readonly fileType: 'report' | 'company_document';
  readonly reportTypeId: number | null;
  readonly uploadedById: number | null;
}

export function reachesClient(actor: ListedActor, clientId: number): boolean {
  return actor.reach === 'all' || actor.clientIds.includes(clientId);
}

/**
 * Whether the actor is shown federal ids whole: who files with them (CPA, and whoever uploads reports), who keeps them, and
 * a Client user, whose own they are. Everyone else sees the last four digits, and finds a client by no more than those.
 */
export function seesFederalIds(actor: Actor): boolean {
  return hasCommonRouting(actor.roleKey) || can(actor, 'clients.manage') || can(actor, 'reports.upload');
}

/**
 * Whether the actor is shown by which phrases pages of a report type are recognised: whoever keeps them, and whoever looks at what
 * was recognised by them. They are the firm's own notes, and may name people.
 */
export function seesPhrases(actor: Actor): boolean {
  return can(actor, 'report-types.manage') || can(actor, 'batches.manage');
}

/** Whether an actor takes reports back: who uploads them, and may not delete them anyway. */
export function takesBack(actor: Pick<Actor, 'capabilities'>): boolean {
  return can(actor, 'reports.upload') && !can(actor, 'files.delete');
}

/** How long after its upload a report may be taken back. */
export const TAKE_BACK_MS = 24 * 60 * 60_000;

export function reachesFile(actor: ListedActor, file: FileAccess): boolean {
  if (actor.reach === 'all') return true;
  if (!actor.clientIds.includes(file.clientId)) return false;
  if (file.fileType === 'company_document') return true;
  if (file.reportTypeId === null) return file.uploadedById === actor.id;
  return actor.reportTypeIds.includes(file.reportTypeId);
}

/** True where no client, not even a later one, is out of reach. */
export function reachesEveryClient(actor: Pick<Actor, 'reach' | 'allClients'>): boolean {
  return actor.reach === 'all' || actor.allClients;
}

/** Whether people with this role may be given all clients, also later ones: a Client user never, and a role that reaches all needs it not. */
export function mayHoldAllClients(role: Pick<RoleFacts, 'reach' | 'systemKey'>): boolean {
  return role.reach === 'lists' && role.systemKey !== 'client';
}

/** True where report types are not limited by a list: reach over all, or the capability to manage them. */
export function reachesEveryReportType(actor: Actor): boolean {
  return actor.reach === 'all' || can(actor, 'report-types.manage');
}

export function reachesReportType(actor: ListedActor, reportTypeId: number): boolean {
  return reachesEveryReportType(actor) || actor.reportTypeIds.includes(reportTypeId);
}

/** Whether the actor may file under a report type, expect it and hand it on: who manages report types finds all of them in lists, which gives no reach. */
export function usesReportType(actor: ListedActor, reportTypeId: number): boolean {
  return actor.reach === 'all' || actor.reportTypeIds.includes(reportTypeId);
}

/** True where a list of users is not just oneself. */
export function reachesEveryUser(actor: Actor): boolean {
  return actor.reach === 'all' || can(actor, 'users.manage');
}

export function reachesUser(actor: Actor, userId: number): boolean {
  return reachesEveryUser(actor) || actor.id === userId;
}

/** True where a list of roles is not just one's own. */
export function reachesEveryRole(actor: Actor): boolean {
  return actor.reach === 'all' || can(actor, 'roles.manage') || can(actor, 'users.manage');
}

/**
 * What of the trash an actor sees and restores: everything, the files within today's reach that the actor might delete, or what the actor
 * deleted, as far as it is within today's reach. A client in the trash is in nobody's list; who deleted it reached it.
 */
export function trashReach(actor: Actor): {
  readonly files: 'all' | 'deletable' | 'own';
  readonly clients: 'all' | 'own' | 'none';
} {
  const all = actor.reach === 'all';
  const ofClients = can(actor, 'clients.manage');
  return {
    files: can(actor, 'files.delete') ? (all ? 'all' : 'deletable') : 'own',
    clients: ofClients ? (all ? 'all' : 'own') : 'none',
  };
}

/**
 * Which batches an actor works on: everybody's with reach over everything, since they name any client; else one's own, and of those of
 * colleagues that are in review or beyond, the ones whose every document that is not dropped has a client and report type in reach.
 */
export function batchReach(actor: Actor): 'all' | 'own' | 'none' {
  if (!can(actor, 'batches.manage')) return 'none';
  return actor.reach === 'all' ? 'all' : 'own';
}

/** Whether an actor keeps the words of a kind for the firm: phrases of report types, other names of clients. Others suggest them. */
export function keepsWords(actor: Actor, kind: Remembered): boolean {
  return can(actor, kind === 'type' ? 'report-types.manage' : 'clients.manage');
}

/** How much of the activity log an actor reads: everything, own actions and those on own clients, or own actions. */
export function activityReach(actor: Actor): 'all' | 'own-and-clients' | 'own' {
  if (can(actor, 'activity.read')) return 'all';
  return can(actor, 'activity.read-clients') ? 'own-and-clients' : 'own';
}

export function reachesActivity(
  actor: ListedActor,
  entry: { readonly userId: number | null; readonly clientId: number | null },
): boolean {
  const reach = activityReach(actor);
  if (reach === 'all' || entry.userId === actor.id) return true;
  return reach === 'own-and-clients' && entry.clientId !== null && reachesClient(actor, entry.clientId);
}

/** Who sees what clients are asked for, of clients in reach: staff who ask, and Client users who may answer. */
export function seesRequests(actor: Pick<Actor, 'roleKey' | 'capabilities'>): boolean {
  return answersRequests(actor) || (!isClientUser(actor) && can(actor, 'requests.manage'));
}

/** Who answers requests: Client users who may upload. */
function answersRequests(actor: Pick<Actor, 'roleKey' | 'capabilities'>): boolean {
  return isClientUser(actor) && can(actor, 'documents.upload');
}

// ---- Who may do what --------------------------------------------------------------------------------------------

/**
 * Who gets past the route guard of an action: anyone, anyone signed in, holders of any one of these capabilities; `whole-log` is anyone who reads the
 * whole log and reaches every client: background jobs and mails may show anybody's work; `all-files` and `all-clients` are those who restore any
 * file or client, and so may end it for good; `whole-firm` is anyone who manages roles and
 * reaches every client: what is decided for the firm holds for everybody; `sees-requests` and `answers-requests` are who that says.
 */
type Gate =
  | 'public'
  | 'signed-in'
  | 'whole-log'
  | 'whole-firm'
  | 'all-files'
  | 'all-clients'
  | 'sees-requests'
  | 'answers-requests'
  | readonly [Capability, ...Capability[]];

const gates = {
  'session.open': 'public',
  'session.use': 'signed-in',
  'session.devices': 'signed-in',
  'session.jobs': 'signed-in',
  'session.password': 'signed-in',
  'session.preferences': 'signed-in',
  'factors.read': 'signed-in',
  'factors.enrol': 'signed-in',
  'factors.change': 'signed-in',
  'api.describe': 'signed-in',
  'overview.read': 'signed-in',
  'first-steps.read': 'whole-firm',
  'first-steps.dismiss': 'whole-firm',
  'changes.read': 'signed-in',
  'clients.read': 'signed-in',
  'clients.create': ['clients.manage'],
  'clients.update': ['clients.manage'],
  'clients.delete': ['clients.manage'],
  'clients.restore': ['clients.manage'],
  'clients.purge': 'all-clients',
  'users.read': 'signed-in',
  'users.create': ['users.manage'],
  'users.update': ['users.manage'],
  'users.delete': ['users.manage'],
  'users.look': ['users.manage'],
  'users.withdraw-invitation': ['users.manage'],
  'users.reset-second-factor': ['users.manage'],
  'roles.read': 'signed-in',
  'roles.create': ['roles.manage'],
  'roles.update': ['roles.manage'],
  'roles.delete': ['roles.manage'],
  'report-types.read': 'signed-in',
  'report-types.create': ['report-types.manage'],
  'report-types.update': ['report-types.manage'],
  'report-types.delete': ['report-types.manage'],
  'files.read': 'signed-in',
  'files.upload': ['reports.upload', 'documents.upload'],
  'files.refile': ['reports.upload', 'documents.upload'],
  'files.delete': 'signed-in',
  'files.take-back': ['reports.upload'],
  'files.restore': 'signed-in',
  'files.purge': 'all-files',
  'files.read-marks': 'signed-in',
  'files.settle-mark': ['reports.upload', 'documents.upload'],
  'files.read-readers': ['activity.read', 'activity.read-clients', 'users.manage'],
  'files.read-versions': 'signed-in',
  'trash.read': 'signed-in',
  'holds.read': 'signed-in',
  'holds.manage': ['holds.manage'],
  'retention.read': 'all-files',
  'retention.manage': 'all-files',
  'archives.use': 'signed-in',
  'batches.use': ['batches.manage'],
  'batches.release': ['batches.release'],
  'batches.recall': ['batches.manage'],
  'batches.discard': ['batches.manage'],
  'suggestions.read': ['batches.manage', 'report-types.manage', 'clients.manage'],
  'suggestions.accept': ['report-types.manage', 'clients.manage'],
  'suggestions.remove': ['batches.manage', 'report-types.manage', 'clients.manage'],
  'firm-settings.read': ['batches.manage', 'roles.manage'],
  'firm-settings.update': 'whole-firm',
  'completeness.read': 'signed-in',
  'completeness.manage': ['reports.upload', 'clients.manage'],
  'requests.read': 'sees-requests',
  'requests.manage': ['requests.manage'],
  'requests.answer': 'answers-requests',
  'requests.keep-templates': 'whole-firm',
  'activity.read': 'signed-in',
  'activity.export': 'signed-in',
  'activity.announce': 'signed-in',
  'permissions.read': 'signed-in',
  'permissions.explain': ['users.manage'],
  'permissions.update': ['roles.manage'],
  'jobs.read': 'whole-log',
  'jobs.manage': 'whole-log',
  'mail.read': 'whole-log',
  'mail.manage': 'whole-log',
  'digests.choose': 'signed-in',
  'files.remind': ['reports.upload'],
  'system.read': 'whole-log',
} as const satisfies Record<string, Gate>;

export type Action = keyof typeof gates;

/** The acts that change what somebody may do or reach, or what may be done with a file or client at all: no other act is judged while one of them runs. */
const changesOfRights: ReadonlySet<Action> = new Set<Action>([
  'users.create',
  'users.update',
  'users.delete',
  'users.withdraw-invitation',
  'users.reset-second-factor',
  'roles.create',
  'roles.update',
  'roles.delete',
  'permissions.update',
  'clients.delete',
  // Its people sign in again, and who reached it reaches it again.
  'clients.restore',
  'report-types.delete',
  // Nothing is deleted, purged or replaced while it is decided that it stays.
  'holds.manage',
]);

export function changesRights(action: Action): boolean {
  return changesOfRights.has(action);
}

/** What a Client user never does, whatever the role may: it is the firm's own view of its clients. */
const actsOfStaff: ReadonlySet<Action> = new Set<Action>([
  'completeness.read',
  'completeness.manage',
  'files.read-marks',
  'files.settle-mark',
  'files.read-readers',
  'files.read-versions',
  'holds.read',
  'holds.manage',
  'requests.manage',
  'files.remind',
  'retention.read',
  'retention.manage',
]);

/**
 * What somebody does who looks as another person: read. Every other act is refused, a new one too; so are those of the account, what
 * leaves something behind (prepared ZIPs), and the workbench of batches.
 */
const actsOfLooks: ReadonlySet<Action> = new Set<Action>([
  'session.use',
  'api.describe',
  'overview.read',
  'changes.read',
  'clients.read',
  'users.read',
  'roles.read',
  'report-types.read',
  'files.read',
  'files.read-marks',
  'files.read-versions',
  'trash.read',
  'holds.read',
  'retention.read',
  'firm-settings.read',
  'completeness.read',
  'requests.read',
  'activity.read',
  'activity.export',
  'permissions.read',
  'permissions.explain',
  'jobs.read',
  'mail.read',
  'system.read',
]);

export function isActOfLooks(action: Action): boolean {
  return actsOfLooks.has(action);
}

/**
 * By what somebody acts (`server/people/access/credential.ts`). The person's rights are the same by each; by all but a session of
 * one's own only what is named here is done.
 */
export type CredentialKind = 'session' | 'look' | 'file-cookie' | 'view-ticket' | 'sign-in' | 'job';

const actsBy: Readonly<Record<Exclude<CredentialKind, 'session'>, ReadonlySet<Action>>> = {
  look: actsOfLooks,
  'file-cookie': new Set<Action>(['files.read', 'archives.use', 'batches.use']),
  'view-ticket': new Set<Action>(['files.read']),
  'sign-in': new Set<Action>(['factors.enrol']),
  // What the kinds of job do, each asked for when it was ordered. Never the account: passwords, factors, sessions.
  job: new Set<Action>([
    'files.read',
    'files.upload',
    // What a released document takes the place of.
    'files.delete',
    'archives.use',
    'batches.use',
    'batches.release',
    'retention.manage',
  ]),
};

/** Whether `action` is ever done by a credential of this kind. */
export function mayActBy(kind: CredentialKind, action: Action): boolean {
  return kind === 'session' || actsBy[kind].has(action);
}

/** The look of the actor where it stops `action`, else null. */
function stoppingLook({ look = null }: Actor, action: Action): Look | null {
  return isActOfLooks(action) ? null : look;
}

/** All that somebody may do who must change the password first: change it, show the second factor for that, and sign out. */
const beforePasswordChange: ReadonlySet<Action> = new Set<Action>(['session.use', 'session.password', 'factors.read']);

export function waitsForPasswordChange(action: Action): boolean {
  return !isPublic(action) && !beforePasswordChange.has(action);
}

export function isPublic(action: Action): boolean {
  return gates[action] === 'public';
}

/** Whether the actor gets past the route guard of `action`, before anything is known of its object. */
export function mayAttempt(actor: Actor, action: Action): boolean {
  const gate: Gate = gates[action];
  if (stoppingLook(actor, action) !== null) return false;
  if (actsOfStaff.has(action) && isClientUser(actor)) return false;
  if (gate === 'whole-log') return actor.reach === 'all' && can(actor, 'activity.read');
  if (gate === 'all-files') return trashReach(actor).files === 'all';
  if (gate === 'all-clients') return trashReach(actor).clients === 'all';
  if (gate === 'sees-requests') return seesRequests(actor);
  if (gate === 'answers-requests') return answersRequests(actor);
  if (gate === 'whole-firm') return actor.reach === 'all' && can(actor, 'roles.manage');
  return typeof gate === 'string' || gate.some((capability) => can(actor, capability));
}

export interface RoleFacts extends RoleRights {
  readonly systemKey: SystemRole | null;
}

/** What an action must know of its object before it can be allowed. Actions not named here need only their gate. */
interface Subjects {
  'files.upload': {
    readonly fileType: 'report' | 'company_document';
    readonly clientReached: boolean;
    /** null where no report type is named. */
    readonly reportTypeReached: boolean | null;
  };
  'files.delete': Pick<FileAccess, 'fileType' | 'uploadedById'>;
  'files.take-back': Subjects['files.delete'] & {
    /** Since its upload, in ms. */
    readonly ageMs: number;
    /** Whether anybody but its uploader has viewed or downloaded it; null where nobody has looked. */
    readonly openedByOthers: boolean | null;
  };
  'files.restore': Subjects['files.delete'] & {
    readonly deletedById: number;
    /** Filed without a type from now on, since the one it had is gone. */
    readonly losesType: boolean;
  };
  /** Where the file is, and stays. */
  'files.settle-mark': Subjects['files.upload'];
  'clients.restore': { readonly deletedById: number };
  'files.refile': {
    readonly from: Pick<FileAccess, 'fileType' | 'uploadedById'>;
    readonly to: Subjects['files.upload'];
  };
  /** `listsReached`: everything the person reaches, before and after, is within the actor's own reach. */
  'users.create': { readonly role: RoleFacts; readonly listsReached: boolean };
  'users.update': {
    readonly userId: number;
    readonly formerRole: RoleFacts;
    readonly role: RoleFacts;
    readonly listsReached: boolean;
    readonly setsPassword: boolean;
  };
  'users.delete': { readonly userId: number; readonly role: RoleFacts; readonly listsReached: boolean };
  'users.look': { readonly userId: number; readonly role: RoleFacts };
  'users.withdraw-invitation': { readonly role: RoleFacts; readonly listsReached: boolean };
  'users.reset-second-factor': { readonly role: RoleFacts; readonly listsReached: boolean };
  'roles.update': RoleFacts;
  'roles.delete': RoleFacts;
  /** `rows`: how many entries of the log are asked for, from the newest on. */
  'activity.read': { readonly rows: number };
  'permissions.update': { readonly role: RoleFacts; readonly change: RoleRights };
}

export type SubjectOf<A extends Action> = A extends keyof Subjects ? [subject: Subjects[A]] : [];

/** Nobody grants more than they hold, or takes over an account that may do or reach more. */
function covers(actor: Actor, rights: RoleRights): boolean {
  return (
    (actor.reach === 'all' || rights.reach === 'lists') &&
    rights.capabilities.every((capability) => can(actor, capability))
  );
}

/**
 * Whether nothing that anybody sees is hidden from the actor: every row, everybody's log and trash, and federal ids whole. A look
 * never shows more than the looker may see.
 */
function seesEverything(actor: Actor): boolean {
  return activityReach(actor) === 'all' && trashReach(actor).files === 'all' && seesFederalIds(actor);
}

/** A role is assigned by its name, so renaming it too is only for those who hold all its rights. */
function ownableRole(actor: Actor, role: RoleFacts): ErrorCode | null {
  if (role.systemKey !== null) return 'role_built_in';
  return covers(actor, role) ? null : 'forbidden';
}

const objectRules: { [A in keyof Subjects]: (actor: Actor, subject: Subjects[A]) => ErrorCode | null } = {
  'files.upload': (actor, { fileType, clientReached, reportTypeReached }) =>
    can(actor, fileType === 'report' ? 'reports.upload' : 'documents.upload') &&
    clientReached &&
    reportTypeReached !== false
      ? null
      : 'forbidden',
  'files.delete': (actor, { fileType, uploadedById }) => {
    const allowed =
      fileType === 'report'
        ? can(actor, 'files.delete')
        : uploadedById === actor.id || (actor.reach === 'all' && can(actor, 'files.delete'));
    return allowed ? null : 'forbidden';
  },
  'files.take-back': (actor, { fileType, uploadedById, ageMs, openedByOthers }) => {
    if (fileType !== 'report' || uploadedById !== actor.id) return 'forbidden';
    if (ageMs >= TAKE_BACK_MS) return 'take_back_over';
    return openedByOthers === false ? null : 'opened_meanwhile';
  },
  'files.restore': (actor, { deletedById, losesType, ...file }) => {
    if (trashReach(actor).files === 'own' && deletedById !== actor.id) return 'forbidden';
    // Whoever took it back could as well upload it again.
    const tookBack = takesBack(actor) && file.uploadedById === actor.id && deletedById === actor.id;
    const refused = tookBack ? null : objectRules['files.delete'](actor, file);
    if (refused !== null) return refused;
    return losesType && actor.reach !== 'all' && file.uploadedById !== actor.id ? 'report_type_gone' : null;
  },
  // Whoever may file it where it is may say that it is right there: nothing is taken away.
  'files.settle-mark': (actor, place) => objectRules['files.upload'](actor, place),
  'clients.restore': (actor, { deletedById }) =>
    trashReach(actor).clients === 'all' || deletedById === actor.id ? null : 'forbidden',
  'files.refile': (actor, { from, to }) => {
    const refused = objectRules['files.delete'](actor, from) ?? objectRules['files.upload'](actor, to);
    if (refused !== null) return refused;
    // A report without a type is seen by its uploader and by who reaches everything: nobody may file it out of their own sight.
    const staysInSight =
      to.fileType !== 'report' ||
      to.reportTypeReached !== null ||
      actor.reach === 'all' ||
      from.uploadedById === actor.id;
    return staysInSight ? null : 'forbidden';
  },
  'users.create': (actor, { role, listsReached }) => (covers(actor, role) && listsReached ? null : 'forbidden'),
  'users.update': (actor, { userId, formerRole, role, listsReached, setsPassword }) => {
    if (!covers(actor, formerRole) || !covers(actor, role) || !listsReached) return 'forbidden';
    // One's own password is changed where the old one is asked for.
    return setsPassword && userId === actor.id ? 'own_password' : null;
  },
  'users.delete': (actor, { userId, role, listsReached }) => {
    if (userId === actor.id) return 'own_account';
    return covers(actor, role) && listsReached ? null : 'forbidden';
  },
  'users.look': (actor, { userId, role }) =>
    userId !== actor.id &&
    role.systemKey !== 'admin' &&
    actor.reach === 'all' &&
    covers(actor, role) &&
    seesEverything(actor)
      ? null
      : 'forbidden',
  'users.withdraw-invitation': (actor, { role, listsReached }) =>
    covers(actor, role) && listsReached ? null : 'forbidden',
  'users.reset-second-factor': (actor, { role, listsReached }) =>
    covers(actor, role) && listsReached ? null : 'forbidden',
  'roles.update': ownableRole,
  'roles.delete': ownableRole,
  'activity.read': () => null,
  'permissions.update': (actor, { role, change }) => {
    if (role.systemKey === 'admin') return 'role_built_in';
    if (role.systemKey !== null && change.reach !== role.reach) return 'role_built_in';
    return covers(actor, role) && covers(actor, change) ? null : 'forbidden';
  },
};

function verdict<A extends Action>(actor: Actor, action: A, subject: SubjectOf<A>): ErrorCode | null {
  if (!mayAttempt(actor, action)) return 'forbidden';
  const rule = (objectRules as Record<string, ((actor: Actor, subject: unknown) => ErrorCode | null) | undefined>)[
    action
  ];
  return rule ? rule(actor, subject[0]) : null;
}

/** Whether `authorize` would pass: what a screen asks before it offers a button. */
export function may<A extends Action>(actor: Actor, action: A, ...subject: SubjectOf<A>): boolean {
  return verdict(actor, action, subject) === null;
}

/**
 * Whether a person may release a document that was accepted: with four eyes on, somebody else does. What was accepted before anybody noted
 * by whom is accepted anew.
 */
export function mayReleaseAccepted({ id }: Pick<Actor, 'id'>, acceptedById: number | null, fourEyes: boolean): boolean {
  return !fourEyes || (acceptedById !== null && acceptedById !== id);
}

// ---- What asks for more than a session (SAFEGUARDS=on) -----------------------------------------------------------

/** As much of other people's log as a screen shows; more is as good as an export. */
const LOG_ROWS_SHOWN = 200;

/**
 * What an unattended session must not be enough for: the second factor is asked for again. That is every act that gives
 * or takes rights, destroys something, or reads the whole log; a rule decides where it depends on the request. Every
 * action is listed here, so that a new one cannot be forgotten.
 */
const stepUps: {
  readonly [A in Action]:
    | 'never'
    | 'always'
    | (A extends keyof Subjects ? (actor: Actor, subject: Subjects[A]) => boolean : never);
} = {
  'session.open': 'never',
  'session.use': 'never',
  'session.devices': 'never',
  'session.jobs': 'never',
  'session.password': 'always',
  'session.preferences': 'never',
  'factors.read': 'never',
  'factors.enrol': 'always',
  'factors.change': 'always',
  'api.describe': 'never',
  'overview.read': 'never',
  'first-steps.read': 'never',
  'first-steps.dismiss': 'never',
  'changes.read': 'never',
  'clients.read': 'never',
  'clients.create': 'never',
  'clients.update': 'never',
  'clients.delete': 'always',
  'clients.restore': 'always',
  'clients.purge': 'always',
  'users.read': 'never',
  'users.create': 'always',
  'users.update': 'always',
  'users.delete': 'always',
  'users.look': 'always',
  'users.withdraw-invitation': 'always',
  'users.reset-second-factor': 'always',
  'roles.read': 'never',
  // A new role has no rights yet.
  'roles.create': 'never',
  'roles.update': 'always',
  'roles.delete': 'always',
  'report-types.read': 'never',
  'report-types.create': 'never',
  // What is recognised by it is released by a person.
  'report-types.update': 'never',
  'report-types.delete': 'always',
  'files.read': 'never',
  'files.upload': 'never',
  // It shows the file to other people.
  'files.refile': 'always',
  'files.delete': 'always',
  'files.take-back': 'always',
  // It shows the file to other people again.
  'files.restore': 'always',
  'files.purge': 'always',
  'files.read-marks': 'never',
  'files.settle-mark': 'never',
  'files.read-readers': 'never',
  'files.read-versions': 'never',
  'trash.read': 'never',
  'holds.read': 'never',
  'holds.manage': 'always',
  'retention.read': 'never',
  'retention.manage': 'always',
  'archives.use': 'never',
  // Nobody else sees a batch before its release.
  'batches.use': 'never',
  'batches.release': 'always',
  'batches.recall': 'always',
  'batches.discard': 'always',
  'suggestions.read': 'never',
  // As for phrases and names that are entered by hand.
  'suggestions.accept': 'never',
  'suggestions.remove': 'never',
  'firm-settings.read': 'never',
  'firm-settings.update': 'always',
  // Nobody sees more or less because of it.
  'completeness.read': 'never',
  'completeness.manage': 'never',
  // As any upload: it shows nothing to anybody who does not see the client's documents.
  'requests.read': 'never',
  'requests.manage': 'never',
  'requests.answer': 'never',
  'requests.keep-templates': 'never',
  'activity.read': (actor, { rows }) => activityReach(actor) !== 'own' && rows > LOG_ROWS_SHOWN,
  'activity.export': 'always',
  'activity.announce': 'never',
  'permissions.read': 'never',
  'permissions.explain': 'never',
  'permissions.update': 'always',
  'jobs.read': 'never',
  // The second factor was asked for when the job was ordered, and the job acts with the rights of that person.
  'jobs.manage': 'never',
  'mail.read': 'never',
  // A mail says nothing to whoever sends it, and nothing of the firm where anybody may have it sent.
  'mail.manage': 'never',
  // It says to people what they may see, once a day.
  'files.remind': 'never',
  // Nobody but the person hears less or more.
  'digests.choose': 'never',
  'system.read': 'never',
};

/** The person who acts on the server. */
export interface ActingActor extends Actor {
  readonly credential: { readonly kind: CredentialKind };
  /** Nothing else is done before the password is changed. */
  readonly mustChangePassword: boolean;
  /** With SAFEGUARDS=on, true for a session whose second factor was last shown too long ago; without, always false. */
  readonly requiresStepUp: boolean;
}

/** Refuses what is never done by what the actor acts by; whoever looks as another person is told so. */
function refuseBeyondCredential(actor: ActingActor, action: Action): void {
  const look = stoppingLook(actor, action);
  if (look !== null) throw refuse('look_reads_only', look);
  if (!mayActBy(actor.credential.kind, action)) throw refuse('forbidden');
}

/** Refuses anyone whom the route guard of `action` stops: it is never done by what they act by, somebody else looks as the person, the password must be changed first, a right is missing, or the second factor must be shown again. */
export function guardRoute(actor: ActingActor, action: Action): void {
  refuseBeyondCredential(actor, action);
  if (actor.mustChangePassword && waitsForPasswordChange(action)) throw refuse('password_change_required');
  if (!mayAttempt(actor, action)) throw refuse('forbidden');
  if (actor.requiresStepUp && stepUps[action] === 'always') throw refuse('reauth_required');
}

function requiresStepUp<A extends Action>(actor: ActingActor, action: A, subject: SubjectOf<A>): boolean {
  const rule = stepUps[action] as 'never' | 'always' | ((actor: Actor, subject: unknown) => boolean);
  return actor.requiresStepUp && (typeof rule === 'function' ? rule(actor, subject[0]) : rule === 'always');
}

declare const proven: unique symbol;

/** Evidence that `action` was allowed; only `authorize` makes it, and every write asks for it. */
export interface Proof<A extends Action = Action> {
  readonly action: A;
  readonly actorId: number;
  readonly [proven]: A;
}

/** Proof that `actor` may do `action` to `subject`; throws the Refusal that says why not. */
export function authorize<A extends Action>(actor: ActingActor, action: A, ...subject: SubjectOf<A>): Proof<A> {
  refuseBeyondCredential(actor, action);
  const refusal = verdict(actor, action, subject);
  // Codes that need facts come from the stores, never from a rule: a rule's code always has a fixed sentence.
  if (refusal !== null) throw refuse(refusal as 'forbidden');
  if (requiresStepUp(actor, action, subject)) throw refuse('reauth_required');
  return Object.freeze({ action, actorId: actor.id }) as Proof<A>;
}
