// Who reaches what, as pure rules. `server/people/access/reach.ts` says the same in SQL; a property test holds the two together.
import type { Remembered } from '../batch-words.ts';
import { type Actor, can, hasCommonRouting, isClientUser, type ListedActor, type RoleFacts } from './actor.ts';

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
export function answersRequests(actor: Pick<Actor, 'roleKey' | 'capabilities'>): boolean {
  return isClientUser(actor) && can(actor, 'documents.upload');
}
