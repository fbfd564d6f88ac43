// What a change to a role would do, in sentences shown before it is saved.
import { CAPABILITIES, type Capability, type Reach } from '#contract/policy/actor.ts';
import type { RolePermissions } from '#contract/roles.ts';
import { formatCount } from '#web/lib/format.ts';
import { capabilityFacts, reachFacts } from './capability-facts.ts';

export interface RoleRights {
  readonly capabilities: readonly Capability[];
  readonly reach: Reach;
}

export interface Effect {
  readonly kind: 'gain' | 'loss';
  readonly sentence: string;
}

const listed = new Intl.ListFormat('en-US', { type: 'conjunction' });

/** 'no users', '1 user', '12 users'. */
export function userCount(users: number): string {
  if (users === 0) return 'no users';
  return users === 1 ? '1 user' : `${formatCount(users)} users`;
}

/** One sentence for what is granted, one for what is removed, one for a new reach; none where nothing changes. */
export function effectsOf(role: RolePermissions, next: RoleRights): Effect[] {
  const who = role.users === null ? role.name : `${role.name} (${userCount(role.users)})`;
  const deeds = (capabilities: readonly Capability[]) =>
    listed.format(capabilities.map((capability) => capabilityFacts[capability].deed));
  const granted = CAPABILITIES.filter((key) => next.capabilities.includes(key) && !role.capabilities.includes(key));
  const taken = CAPABILITIES.filter((key) => !next.capabilities.includes(key) && role.capabilities.includes(key));

  const effects: Effect[] = [];
  if (granted.length > 0) effects.push({ kind: 'gain', sentence: `${who} will be able to ${deeds(granted)}.` });
  if (taken.length > 0) effects.push({ kind: 'loss', sentence: `${who} will no longer be able to ${deeds(taken)}.` });
  if (next.reach !== role.reach) {
    effects.push({
      kind: next.reach === 'all' ? 'gain' : 'loss',
      sentence: `${who} will ${reachFacts[next.reach].deed}.`,
    });
  }
  return effects;
}
