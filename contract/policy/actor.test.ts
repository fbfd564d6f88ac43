// The rules of docs/behaviour.md, Rights, as examples: what the built-in roles hold, and where they come in.
import { describe, expect, it } from 'vitest';
import { actor } from '#server/testing/actors.ts';
import { CAPABILITIES, hasClientPages, hasCommonRouting, newRoleRights, systemRoles } from './actor.ts';

describe('the pages of clients', () => {
  it('are for everyone but Client users, and for those of them who manage clients', () => {
    expect([actor('admin'), actor('cpa'), actor(null), actor('client')].map(hasClientPages)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(hasClientPages(actor('client', { capabilities: ['clients.manage'] }))).toBe(true);
  });
});

describe('roles', () => {
  it('are Admin with everything, CPA and Client with lists, and custom ones with nothing', () => {
    expect(systemRoles.admin).toMatchObject({ reach: 'all', capabilities: CAPABILITIES });
    expect(systemRoles.cpa).toMatchObject({
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
    });
    expect(systemRoles.client).toMatchObject({ reach: 'lists', capabilities: ['documents.upload'] });
    expect(newRoleRights).toEqual({ reach: 'lists', capabilities: [] });
  });

  it('send CPA and Client to the dashboard and everyone else to the overview', () => {
    expect([hasCommonRouting('cpa'), hasCommonRouting('client')]).toEqual([true, true]);
    expect([hasCommonRouting('admin'), hasCommonRouting(null)]).toEqual([false, false]);
  });
});
