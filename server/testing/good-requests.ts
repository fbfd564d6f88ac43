// A request that each endpoint would accept, for tests that change it a little: its body and an existing id.
import type { z } from 'zod';
import type { api, EndpointName } from '#contract/api.ts';
import { clientInput, type Firm, PASSWORD } from './firm.ts';

export type NameWithBody = {
  [Name in EndpointName]: (typeof api)[Name] extends { body: z.ZodType } ? Name : never;
}[EndpointName];

/** What calls cannot be without in their query. */
export const goodQueries: Partial<Record<EndpointName, readonly (readonly [string, string])[]>> = {
  'files.readers': [['ids', '1']],
  'files.periods': [['clientId', '1']],
  'digests.end-page': [['token', 'reports.v1.nobody']],
  'digests.end': [['token', 'reports.v1.nobody']],
};

/** A body that each call would accept: an endpoint without one here does not compile. */
export const goodBodies: { [Name in NameWithBody]: (firm: Firm) => z.input<(typeof api)[Name]['body']> } = {
  'session.login': () => ({ username: 'clientA', password: PASSWORD }),
  'session.invitation': () => ({ token: 'nobody' }),
  'session.forgotten': () => ({ username: 'clientA' }),
  'session.join': () => ({ token: 'nobody', newPassword: 'another password' }),
  'session.password': () => ({ currentPassword: PASSWORD, newPassword: 'another password' }),
  'session.second-factor': () => ({ challenge: 'nobody', factor: { method: 'totp', code: '123456' } }),
  'session.second-factor-passkey': () => ({ challenge: 'nobody' }),
  'session.reauth': () => ({ factor: { method: 'recovery', code: 'ABCD-EFGH-JKMN-PQRS' } }),
  'factors.confirm-totp': () => ({ code: '123456' }),
  'factors.add-passkey': () => ({
    name: 'Office key',
    response: {
      id: 'AAAA',
      rawId: 'AAAA',
      type: 'public-key',
      response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
    },
  }),
  'users.create': (firm) => ({
    username: 'new.user',
    password: PASSWORD,
    fullName: 'New User',
    roleId: firm.roles.client,
  }),
  'users.import': () => ({
    rows: [{ username: 'new.user', password: PASSWORD, fullName: 'New User', role: 'Client', clients: 'All' }],
  }),
  'users.update': (firm) => ({
    username: 'clientA',
    fullName: 'Renamed',
    roleId: firm.roles.client,
    clientIds: [],
    password: '',
  }),
  'users.invite-anew': () => ({ invitation: 'anew'.padEnd(43, '-') }),
  'roles.create': () => ({ name: 'Reviewer' }),
  'roles.update': () => ({ name: 'Bookkeeper II' }),
  'permissions.update': (firm) => ({ roleId: firm.roles.bookkeeper, capabilities: ['activity.read'], reach: 'all' }),
  'clients.create': () => clientInput('Larch Street Dental'),
  'clients.import': () => ({ rows: [clientInput('Larch Street Dental')] }),
  'clients.update': () => clientInput('Larch Street Dental'),
  'report-types.create': () => ({ name: 'Deposit Confirmation' }),
  'report-types.update': () => ({ name: 'Deposit Slips' }),
  'report-types.save-phrases': () => ({ phrases: ['Weekly hours report'] }),
  'report-types.import': () => ({ rows: [{ name: 'Deposit Confirmation' }] }),
  'files.already-there': (firm) => ({
    files: [
      { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0], name: 'f1.pdf', size: 1 },
    ],
  }),
  'files.archive': (firm) => ({ ids: [firm.files.f1.id] }),
  'archives.order': (firm) => ({ ids: [firm.files.f1.id] }),
  'batches.create': () => ({ name: 'Pay run of March' }),
  'batches.leave-out': () => ({ files: [{ name: 'March/notes.txt', reason: 'empty' }] }),
  'batches.unlock-file': () => ({ fileId: 1, password: 'sesame' }),
  'batches.decide': (firm) => ({ ids: [1], clientId: firm.clients[0] }),
  'batches.split': () => ({ documentId: 1, page: 2 }),
  'batches.join': () => ({ documentId: 2 }),
  'batches.release': () => ({ ids: [1] }),
  'batches.recall': () => ({ reason: 'Sent to the wrong company' }),
  'session.preferences': () => ({ density: 'compact' }),
  'firm-settings.update': () => ({ fourEyes: false, supportEmail: 'help@example.com' }),
  'overview.dismiss-first-steps': () => ({ dismissed: false }),
  'completeness.propose': (firm) => ({ clientIds: [firm.clients[0]] }),
  'completeness.save-many': (firm) => ({
    expectations: [
      {
        clientId: firm.clients[0],
        reportTypeId: firm.reportTypes[0],
        frequency: 'biweekly',
        dueDays: 2,
        starts: '2026-01-05',
      },
    ],
  }),
  'completeness.save': (firm) => ({
    expectations: [{ reportTypeId: firm.reportTypes[0], frequency: 'quarterly', dueDays: 31, starts: null }],
  }),
  // Of what fits as it is, they change nothing.
  'files.restore': (firm) => ({ clientId: firm.clients[0], reportTypeId: firm.reportTypes[0] }),
  'clients.restore': () => ({ name: 'Closed Lane Florist', people: [] }),
  'holds.place': (firm) => ({ kind: 'file', id: firm.files.f2.id, reason: 'An audit' }),
  'digests.choose': () => ({ topic: 'reports', pace: 'daily' }),
  'digests.set-usual': () => ({
    timeZone: 'America/Chicago',
    clients: { reports: 'daily' },
    staff: { documents: 'never' },
  }),
  'requests.create': (firm) => ({
    clientIds: [firm.clients[0]],
    title: 'Year-end package',
    message: 'For the forms W-2',
    dueOn: '2026-12-15',
    items: [{ name: 'Bank statements', note: 'All accounts' }],
  }),
  'requests.update': () => ({
    title: 'Year-end package',
    message: '',
    dueOn: null,
    items: [{ name: 'Bank statements', note: '' }],
  }),
  'requests.say-not': () => ({ note: 'We have no such account' }),
  'requests.decide': () => ({ decision: 'sendBack', reason: 'The second page is missing' }),
  'requests.create-template': () => ({ name: 'Quarter-end package', items: [{ name: 'Bank statements', note: '' }] }),
  'requests.update-template': () => ({ name: 'Year-end package', items: [{ name: 'Bank statements', note: '' }] }),
  'unopened.remind': (firm) => ({ clientId: firm.clients[0] }),
  'retention.save-rule': (firm) => ({ reportTypeId: firm.reportTypes[0], years: 7 }),
  'retention.dispose': (firm) => ({ ids: [firm.files.f1.id], expected: 1 }),
  'retention.decide-rest': () => ({ decision: 'leave' }),
  'mail.test': () => ({ to: 'rosa@example.com' }),
  'files.set-period': (firm) => ({ ids: [firm.files.f1.id], period: '2026-Q1' }),
  'files.refile': (firm) => ({ clientId: firm.clients[1], fileType: 'company_document', documentType: 'Other' }),
  'activity.announce': (firm) => ({
    action: 'view',
    fileId: firm.files.f1.id,
    details: 'x',
    clientId: firm.clients[0],
  }),
};
export const namesWithBody = Object.keys(goodBodies) as NameWithBody[];

/** An existing id, so that a call whose other input were wrongly accepted would change something. */
export function idFor(path: string, firm: Firm): number {
  if (path.includes('/users/')) return firm.users.clientA;
  if (path.includes('/clients/')) return firm.clients[0];
  if (path.startsWith('/api/roles/')) return firm.roles.bookkeeper;
  if (path.startsWith('/api/report-types/')) return firm.reportTypes[2];
  if (['suggestions/', 'holds/', 'retention/', 'request'].some((noun) => path.startsWith(`/api/${noun}`))) return 1;
  if (path.includes('/archives/') || path.includes('/batches/')) return 1;
  if (path.startsWith('/api/files/')) return firm.files.f1.id;
  if (path.startsWith('/api/auth/') || path.startsWith('/api/jobs/') || path.startsWith('/api/mail/')) return 1;
  throw new Error(`No id is known for ${path}`);
}
