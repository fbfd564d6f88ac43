// What is done with batches and what they suggest to remember.
import type { Actor } from './actor.ts';
import type { Rights } from './gate.ts';

export const batchRights = {
  // Which batches: `batchReach`.
  'batches.use': { gate: ['batches.manage'], stepUp: 'never' },
  'batches.release': { gate: ['batches.release'], stepUp: 'always' },
  // It hands out nothing, and may be in a hurry.
  'batches.stop': { gate: ['batches.release'], stepUp: 'never' },
  'batches.recall': { gate: ['batches.manage'], stepUp: 'always' },
  'batches.discard': { gate: ['batches.manage'], stepUp: 'always' },
  'suggestions.read': { gate: ['batches.manage', 'report-types.manage', 'clients.manage'], stepUp: 'never' },
  // As for phrases and names that are entered by hand.
  'suggestions.accept': { gate: ['report-types.manage', 'clients.manage'], stepUp: 'never' },
  'suggestions.remove': { gate: ['batches.manage', 'report-types.manage', 'clients.manage'], stepUp: 'never' },
} as const satisfies Rights<'batches' | 'suggestions'>;

/**
 * Whether a person may release a document that was accepted: with four eyes on, somebody else does. What was accepted before anybody noted
 * by whom is accepted anew.
 */
export function mayReleaseAccepted({ id }: Pick<Actor, 'id'>, acceptedById: number | null, fourEyes: boolean): boolean {
  return !fourEyes || (acceptedById !== null && acceptedById !== id);
}
