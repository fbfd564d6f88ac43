// Records every refusal of a signed-in person, for every endpoint: the log of account events shows who tries what.
import type { FastifyRequest, RouteOptions } from 'fastify';
import type { api, EndpointName } from '#contract/api.ts';
import { type ErrorCode, Refusal } from '#contract/errors.ts';
import { Id, IdText } from '#contract/fields.ts';
import type { SecurityLog } from '../audit/security-events.ts';
import { callerOf } from '../people/access/viewer.ts';
import { originOf } from './origin.ts';

/** Without `reauth_required`: every honest session is asked for that, and the answer is recorded. */
const NOTED: ReadonlySet<ErrorCode> = new Set(['forbidden', 'not_found', 'look_reads_only']);

type SignedInEndpoint = {
  [Name in EndpointName]: (typeof api)[Name]['action'] extends 'session.open' ? never : Name;
}[EndpointName];

/** What a call was for, as its person reads it in their own log. In braces is its object. */
const words: Readonly<Record<SignedInEndpoint, string>> = {
  'session.logout': 'sign out',
  'session.me': 'read the session',
  'session.preferences': 'keep preferences',
  'session.password': 'change the password',
  'session.devices': 'read the devices',
  'session.end-others': 'sign out the other devices',
  'session.end': 'sign out {device}',
  'session.reauth': 'confirm with the second factor',
  'session.reauth-passkey': 'confirm with a passkey',
  'session.jobs': 'read the own background work',
  'session.events': 'read the account activity',
  'factors.list': 'read the second factors',
  'factors.new-totp': 'set up an authenticator app',
  'factors.confirm-totp': 'set up an authenticator app',
  'factors.remove-totp': 'remove the authenticator app',
  'factors.passkey-options': 'set up a passkey',
  'factors.add-passkey': 'set up a passkey',
  'factors.remove-passkey': 'remove {passkey}',
  'factors.recovery-codes': 'make recovery codes',
  'users.list': 'read the users',
  'users.get': 'read {user}',
  'users.create': 'add a user',
  'users.import': 'add users from a list',
  'users.update': 'change {user}',
  'users.delete': 'delete {user}',
  'users.client-access': 'read the clients of {user}',
  'users.report-access': 'read the report types of {user}',
  'users.look': 'look as {user}',
  'users.invite-anew': 'give another invitation to {user}',
  'users.withdraw-invitation': 'withdraw the invitation of {user}',
  'users.reset-second-factor': 'reset the second factor of {user}',
  'roles.list': 'read the roles',
  'roles.create': 'add a role',
  'roles.update': 'change {role}',
  'roles.delete': 'delete {role}',
  'permissions.list': 'read the permissions',
  'permissions.update': 'change the permissions of {role}',
  'permissions.user': 'read the reach of {user}',
  'permissions.client': 'read who reaches {client}',
  'clients.list': 'read the clients',
  'clients.get': 'read {client}',
  'clients.create': 'add a client',
  'clients.import': 'add clients from a list',
  'clients.update': 'change {client}',
  'clients.removal': 'read what would go with {client}',
  'clients.delete': 'delete {client}',
  'clients.restore': 'restore {client}',
  'clients.purge': 'delete for ever {client}',
  'report-types.list': 'read the report types',
  'report-types.create': 'add a report type',
  'report-types.import': 'add report types from a list',
  'report-types.update': 'change {report type}',
  'report-types.save-phrases': 'change the phrases of {report type}',
  'report-types.delete': 'delete {report type}',
  'files.list': 'read the files',
  'files.export': 'export the files',
  'files.news': 'read what is new',
  'files.archive': 'download {file}',
  'archives.list': 'read the prepared archives',
  'archives.order': 'prepare an archive of {file}',
  'archives.open': 'download {prepared archive}',
  'archives.retry': 'prepare {prepared archive}',
  'archives.delete': 'remove {prepared archive}',
  'batches.list': 'read the batches',
  'batches.create': 'begin a batch',
  'batches.get': 'read {batch}',
  'batches.add-file': 'add a file to {batch}',
  'batches.leave-out': 'name what was left out of {batch}',
  'batches.unlock-file': 'unlock a file of {batch}',
  'batches.read': 'read the files of {batch}',
  'batches.documents': 'read the documents of {batch}',
  'batches.decide': 'review documents of {batch}',
  'batches.split': 'split a document of {batch}',
  'batches.join': 'join documents of {batch}',
  'batches.open-file': 'open {file of a batch}',
  'batches.release': 'release {batch}',
  'batches.stop': 'stop the release of {batch}',
  'batches.recall': 'recall {batch}',
  'batches.accesses': 'read who opened documents of {batch}',
  'batches.certificate': 'read the certificate of {batch}',
  'batches.discard': 'discard {batch}',
  'suggestions.list': 'read what reviewers suggest',
  'suggestions.accept': 'accept what a reviewer suggests',
  'suggestions.remove': 'decline what a reviewer suggests',
  'firm-settings.get': 'read the settings of the firm',
  'firm-settings.update': 'change the settings of the firm',
  'completeness.board': 'read what is missing',
  'completeness.export': 'export what is missing',
  'completeness.summary': 'read what is missing',
  'completeness.propose': 'propose what is expected',
  'completeness.save-many': 'say what is expected of clients',
  'completeness.list': 'read what is expected of {client}',
  'completeness.save': 'say what is expected of {client}',
  'files.marked': 'read which files name another company',
  'files.readers': 'read who sees files',
  'files.settle-mark': 'confirm {file}',
  'files.facts': 'read about {file}',
  'files.already-there': 'look for files to upload',
  'files.upload': 'upload a file',
  'files.search-inside': 'search inside files',
  'files.open': 'open {file}',
  'files.download': 'download {file}',
  'files.view': 'view {file}',
  'files.view-ticket': 'view {file}',
  'files.periods': 'read the periods of files',
  'files.set-period': 're-file {file}',
  'files.refile': 're-file {file}',
  'files.delete': 'delete {file}',
  'files.restore': 'restore {file}',
  'files.purge': 'delete for ever {file}',
  'trash.list': 'read the trash',
  'holds.list': 'read what is on hold',
  'holds.place': 'put something on hold',
  'holds.lift': 'lift {hold}',
  'requests.list': 'read what clients are asked for',
  'requests.summary': 'read what clients are asked for',
  'requests.create': 'ask clients for documents',
  'requests.get': 'read {request}',
  'requests.update': 'change {request}',
  'requests.close': 'close {request}',
  'requests.reopen': 'reopen {request}',
  'requests.send-file': 'send a file for {item of a request}',
  'requests.say-not': 'answer {item of a request}',
  'requests.decide': 'decide {item of a request}',
  'requests.templates': 'read the templates of requests',
  'requests.create-template': 'add a template of requests',
  'requests.update-template': 'change {template of requests}',
  'requests.delete-template': 'delete {template of requests}',
  'retention.list': 'read what is due',
  'retention.rules': 'read how long files are kept',
  'retention.save-rule': 'say how long files are kept',
  'retention.dispose': 'dispose of files',
  'retention.disposals': 'read what was disposed of',
  'retention.certificate': 'read the certificate of {disposal}',
  'retention.export': 'read the certificate of {disposal}',
  'retention.decide-rest': 'decide the rest of {disposal}',
  'activity.list': 'read the activity',
  'activity.export': 'export the activity',
  'activity.announce': 'announce {file}',
  'overview.get': 'read the overview',
  'overview.first-steps': 'read the first steps',
  'overview.dismiss-first-steps': 'dismiss the first steps',
  'changes.follow': 'follow changes',
  'jobs.list': 'read the background jobs',
  'jobs.retry': 'repeat {job}',
  'jobs.cancel': 'cancel {job}',
  'mail.facts': 'read how mail is set up',
  'mail.list': 'read the mails',
  'mail.retry': 'repeat {mail}',
  'mail.retry-all': 'repeat all mails',
  'mail.test': 'send a test mail',
  'digests.own': 'read what one hears of by mail',
  'digests.choose': 'choose what one hears of by mail',
  'digests.usual': 'read what is usual of mails',
  'digests.set-usual': 'set what is usual of mails',
  'unopened.list': 'read what nobody has opened',
  'unopened.remind': 'remind of what nobody has opened',
  'system.facts': 'read how the portal fares',
  'docs.openapi': 'read the description of the API',
  'docs.page': 'read the description of the API',
};

/** As many ids as a person reads. */
const IDS_MAX = 20;

/** The ids of a call's objects, if any: at the route guard the request has not been validated yet. */
function idsOf({ params, body }: FastifyRequest): number[] {
  const { id } = (params ?? {}) as { id?: unknown };
  const inAddress = IdText.safeParse(id);
  if (inAddress.success) return [inAddress.data];
  const { fileId, roleId, ids } = (body ?? {}) as { fileId?: unknown; roleId?: unknown; ids?: unknown };
  const named: readonly unknown[] = Array.isArray(ids) ? ids.slice(0, IDS_MAX) : [fileId ?? roleId];
  return named.flatMap((one) => {
    const read = Id.safeParse(one);
    return read.success ? [read.data] : [];
  });
}

/** 'delete client 7', 'download files 1, 2', and 'delete a client' where the object is unknown. */
function describe(endpoint: SignedInEndpoint, request: FastifyRequest): string {
  return words[endpoint].replace(/\{(.+)\}/, (_, noun: string) => {
    const ids = idsOf(request);
    if (ids.length === 0) return `a ${noun}`;
    return `${noun}${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`;
  });
}

const STEPS = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'handler'] as const;

type Step = (this: unknown, request: FastifyRequest, ...rest: unknown[]) => unknown;

/**
 * The route with every step of it watched, from the route guard to the handler: where one refuses somebody signed in, the answer
 * waits until that is recorded, and is a fault where it cannot be. Something missing is recorded like something out
 * of reach: neither the answer nor its time distinguishes the two.
 */
export function noteDenied(route: RouteOptions, endpoint: EndpointName, securityLog: SecurityLog): RouteOptions {
  async function note(error: unknown, request: FastifyRequest): Promise<void> {
    const { viewer } = request;
    if (!(error instanceof Refusal) || !NOTED.has(error.code) || viewer === null || !(endpoint in words)) return;
    const caller = callerOf(viewer);
    await securityLog.record({
      kind: 'denied',
      user: caller,
      actor: { id: caller.id, name: caller.fullName },
      origin: originOf(request),
      endpoint,
      detail: `${describe(endpoint as SignedInEndpoint, request)}${viewer.look === null ? '' : ` (looking as ${viewer.look.as})`}`,
    });
  }
  const watched = (step: Step): Step =>
    async function (request, ...rest) {
      try {
        return await step.call(this, request, ...rest);
      } catch (error) {
        await note(error, request);
        throw error;
      }
    };
  const steps = STEPS.flatMap((name) => {
    const step = route[name];
    if (step === undefined) return [];
    return [[name, Array.isArray(step) ? (step as Step[]).map(watched) : watched(step as Step)]];
  });
  return { ...route, ...Object.fromEntries(steps) };
}
