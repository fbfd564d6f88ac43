// What is read of the log, and the stream of changes.
import type { Actor } from './actor.ts';
import type { Rights, Rules } from './gate.ts';
import { activityReach } from './reach.ts';

/** As much of other people's log as a screen shows; more is as good as an export. */
const LOG_ROWS_SHOWN = 200;

export interface AuditSubjects {
  /** `rows`: how many entries of the log are asked for, from the newest on. */
  'activity.read': { readonly rows: number };
}

export const auditRights = {
  'changes.read': { gate: 'signed-in', stepUp: 'never' },
  'activity.read': {
    gate: 'signed-in',
    stepUp: (actor: Actor, { rows }: AuditSubjects['activity.read']) =>
      activityReach(actor) !== 'own' && rows > LOG_ROWS_SHOWN,
  },
  'activity.export': { gate: 'signed-in', stepUp: 'always' },
  'activity.announce': { gate: 'signed-in', stepUp: 'never' },
} as const satisfies Rights<'changes' | 'activity'>;

export const auditRules: Rules<AuditSubjects> = {
  'activity.read': () => null,
};
