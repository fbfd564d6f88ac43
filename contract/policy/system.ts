// What is done with the portal itself: its jobs, its facts, the description of its calls.
import type { Rights } from './gate.ts';

export const systemRights = {
  'api.describe': { gate: 'signed-in', stepUp: 'never' },
  'jobs.read': { gate: 'whole-log', stepUp: 'never' },
  // The second factor was asked for when the job was ordered, and the job acts with the rights of that person.
  'jobs.manage': { gate: 'whole-log', stepUp: 'never' },
  'system.read': { gate: 'whole-log', stepUp: 'never' },
} as const satisfies Rights<'api' | 'jobs' | 'system'>;
