// What is done with clients, report types and what holds for the whole firm.
import type { Rights, Rules } from './gate.ts';
import { trashReach } from './reach.ts';

export const firmRights = {
  'overview.read': { gate: 'signed-in', stepUp: 'never' },
  'first-steps.read': { gate: 'whole-firm', stepUp: 'never' },
  'first-steps.dismiss': { gate: 'whole-firm', stepUp: 'never' },
  'clients.read': { gate: 'signed-in', stepUp: 'never' },
  'clients.create': { gate: ['clients.manage'], stepUp: 'never' },
  'clients.update': { gate: ['clients.manage'], stepUp: 'never' },
  'clients.delete': { gate: ['clients.manage'], stepUp: 'always' },
  'clients.restore': { gate: ['clients.manage'], stepUp: 'always' },
  'clients.purge': { gate: 'all-clients', stepUp: 'always' },
  'report-types.read': { gate: 'signed-in', stepUp: 'never' },
  'report-types.create': { gate: ['report-types.manage'], stepUp: 'never' },
  // What is recognised by it is released by a person.
  'report-types.update': { gate: ['report-types.manage'], stepUp: 'never' },
  'report-types.delete': { gate: ['report-types.manage'], stepUp: 'always' },
  'firm-settings.read': { gate: ['batches.manage', 'roles.manage'], stepUp: 'never' },
  'firm-settings.update': { gate: 'whole-firm', stepUp: 'always' },
} as const satisfies Rights<'overview' | 'first-steps' | 'clients' | 'report-types' | 'firm-settings'>;

export interface FirmSubjects {
  'clients.restore': { readonly deletedById: number };
}

export const firmRules: Rules<FirmSubjects> = {
  'clients.restore': (actor, { deletedById }) =>
    trashReach(actor).clients === 'all' || deletedById === actor.id ? null : 'forbidden',
};
