// The sidebar of each built-in role and of custom ones (docs/behaviour.md, Screens: sidebar and header).
import { expect, test } from 'vitest';
import { systemRoles } from '#contract/policy.ts';
import type { SessionUser } from '#contract/session.ts';
import { navigationFor } from './navigation.ts';

const FIVE = ['/', '/cpa-dashboard', '/firm-details', '/firm-documents', '/account-settings'];

/** The addresses of each group, with its label, for a user of the built-in role `key`. */
function groupsOf(key: 'cpa' | 'client', more: Partial<SessionUser> = {}) {
  const { reach, capabilities } = systemRoles[key];
  const user = { reach, capabilities: [...capabilities], roleKey: key, commonRouting: true, ...more } as SessionUser;
  return navigationFor(user).map(({ label, items }) => ({ label, to: items.map(({ to }) => to) }));
}

test('a CPA has the five entries, and below them the upload of reports', () => {
  expect(groupsOf('cpa')).toEqual([
    { label: undefined, to: FIVE },
    { label: 'Files', to: ['/file-upload'] },
  ]);
});

test('without the capability to upload reports a CPA has the five entries alone', () => {
  expect(groupsOf('cpa', { capabilities: ['documents.upload'] })).toEqual([{ label: undefined, to: FIVE }]);
});

test('a Client user has the five entries alone: documents are sent from Firm Documents', () => {
  const own = FIVE.map((to) => (to === '/cpa-dashboard' ? '/client-reports' : to));
  expect(groupsOf('client')).toEqual([{ label: undefined, to: own }]);
});
