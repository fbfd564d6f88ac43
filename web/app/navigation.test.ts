// The sidebar of each built-in role and of custom ones (docs/behaviour.md, Screens: sidebar and header).
import { expect, test } from 'vitest';
import { systemRoles } from '#contract/policy/actor.ts';
import type { SessionUser } from '#contract/session.ts';
import { isWithin, navigationFor } from './navigation.ts';

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
  const at = (pathname: string, section: string | null = null) => {
    const user = { ...systemRoles.client, capabilities: [], roleKey: 'client', commonRouting: true };
    const items = navigationFor(user as unknown as SessionUser).flatMap((group) => group.items);
    return items.filter((item) => isWithin(item, pathname, section)).map(({ to }) => to);
  };
  expect(at('/cpa-dashboard')).toEqual(['/client-reports']);
  expect(at('/cpa-dashboard/report/7')).toEqual(['/client-reports']);
  expect(at('/cpa-dashboard/report/7', '/firm-documents')).toEqual(['/firm-documents']);
  expect(at('/firm-details/anything')).toEqual(['/firm-details']);
  expect(at('/nowhere')).toEqual([]);
});
