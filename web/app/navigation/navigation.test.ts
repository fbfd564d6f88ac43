// The sidebar of each built-in role and of custom ones (docs/behaviour.md, Screens: sidebar and header).
import { expect, test } from 'vitest';
import { systemRoles } from '#contract/policy/actor.ts';
import type { SessionUser } from '#contract/session.ts';
import { entryOf, navigationFor } from './navigation.ts';

const FIVE = ['/', '/cpa-dashboard', '/firm-details', '/firm-documents', '/account-settings'];

/** The addresses of each group, with its label, for a user of the built-in role `key`. */
function groupsOf(key: 'cpa' | 'client', more: Partial<SessionUser> = {}) {
  const { reach, capabilities } = systemRoles[key];
  const user = { reach, capabilities: [...capabilities], roleKey: key, commonRouting: true, ...more } as SessionUser;
  return navigationFor(user).map(({ label, items }) => ({ label, to: items.map(({ to }) => to) }));
}

test('a CPA has the five entries, and below them what the role can do', () => {
  expect(groupsOf('cpa')).toEqual([
    { label: undefined, to: FIVE },
    { label: 'More', to: ['/file-upload', '/batches', '/requests', '/completeness', '/activity', '/trash'] },
  ]);
  expect(groupsOf('cpa', { capabilities: ['reports.upload', 'clients.manage', 'report-types.manage'] })[1]).toEqual({
    label: 'More',
    to: ['/file-upload', '/clients', '/report-types', '/completeness', '/activity', '/trash'],
  });
});

test('documents are sent from Firm Documents: for them alone nobody needs File Upload', () => {
  expect(groupsOf('cpa', { capabilities: ['documents.upload'] })[1]?.to).toEqual([
    '/completeness',
    '/activity',
    '/trash',
  ]);
  // Who takes reports back has them in the trash; who may delete nothing has nothing there.
  expect(groupsOf('cpa', { capabilities: ['reports.upload'] })[1]?.to).toContain('/trash');
  expect(groupsOf('cpa', { capabilities: ['batches.manage'] })[1]?.to).not.toContain('/trash');
});

test('a Client user has the five entries and their own activity', () => {
  const own = FIVE.map((to) => (to === '/cpa-dashboard' ? '/client-reports' : to));
  expect(groupsOf('client')).toEqual([
    { label: undefined, to: own },
    { label: 'More', to: ['/requests', '/activity', '/trash'] },
  ]);
});

test('a page below an entry belongs to it, and a report to the section that it names', () => {
  const of = (person: object) => {
    const items = navigationFor({ commonRouting: true, ...person } as unknown as SessionUser).flatMap(
      (group) => group.items,
    );
    return (pathname: string, section: string | null = null) => entryOf(items, pathname, section);
  };
  const client = of({ ...systemRoles.client, capabilities: [], roleKey: 'client' });
  expect(client('/')).toBe('/');
  expect(client('/cpa-dashboard')).toBe('/client-reports');
  expect(client('/cpa-dashboard/report/7')).toBe('/client-reports');
  expect(client('/cpa-dashboard/report/7', '/firm-documents')).toBe('/firm-documents');
  expect(client('/firm-details/anything')).toBe('/firm-details');
  expect(client('/nowhere')).toBe(null);

  // What is nobody's entry belongs to the nearest one.
  expect(client('/cpa-dashboard/report/7', '/file-upload')).toBe('/firm-documents');
  expect(client('/help')).toBe('/account-settings');
  const cpa = of({ ...systemRoles.cpa, roleKey: 'cpa' });
  expect(cpa('/clients/7')).toBe('/');
  expect(cpa('/client-reports')).toBe('/cpa-dashboard');
  expect(cpa('/cpa-dashboard/report/7')).toBe('/cpa-dashboard');
  const admin = of({ ...systemRoles.admin, roleKey: 'admin', commonRouting: false });
  expect(admin('/clients/7')).toBe('/clients');
  expect(admin('/firm-details')).toBe('/clients');
});
