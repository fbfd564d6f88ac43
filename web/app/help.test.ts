// What Help says to each role: pages that this person has, and nothing that the person cannot do.
import { describe, expect, it, vi } from 'vitest';
import { CAPABILITIES, type SystemRole, systemRoles } from '#contract/policy/actor.ts';
import type { SessionUser } from '#contract/session.ts';
import { helpFor } from '#web/screens/help/help-messages.ts';
import { navigationFor } from './navigation/navigation.ts';

// It asks the browser, and there is none here.
vi.mock('#web/lib/modifier.ts', () => ({ modifierLabel: 'Ctrl' }));

const SETTING = { safeguards: false, mailIsOn: false, trashDays: 30, searchesInside: true };

function person(key: SystemRole | null, more: Partial<SessionUser> = {}): SessionUser {
  const { reach, capabilities } = systemRoles[key ?? 'cpa'];
  const commonRouting = key === 'cpa' || key === 'client';
  return { reach, capabilities: [...capabilities], roleKey: key, commonRouting, look: null, ...more } as SessionUser;
}

const PEOPLE: Readonly<Record<string, SessionUser>> = {
  admin: person('admin'),
  cpa: person('cpa'),
  client: person('client'),
  'a client without a right': person('client', { capabilities: [] }),
  'nobody in particular': person(null, { capabilities: [] }),
  ...Object.fromEntries(CAPABILITIES.map((one) => [one, person(null, { capabilities: [one] })])),
};

const textOf = (user: SessionUser, setting = SETTING) =>
  helpFor(user, setting)
    .flatMap(({ title, lines }) => [title, ...lines])
    .join('\n');

describe.each(Object.entries(PEOPLE))('help for %s', (_name, user) => {
  const topics = helpFor(user, SETTING);
  const pages = new Map(navigationFor(user).flatMap(({ items }) => items.map(({ to, label }) => [to, label] as const)));

  it('leads to pages of the person alone, by their names', () => {
    expect(topics.length).toBeGreaterThan(4);
    for (const { to } of topics) if (to) expect([to.path, pages.get(to.path)]).toEqual([to.path, to.label]);
  });

  it('has each topic once, with something to say', () => {
    expect(new Set(topics.map(({ id }) => id)).size).toBe(topics.length);
    for (const { lines } of topics) expect(lines.length).toBeGreaterThan(0);
  });

  it('says of no button that the person does not have', () => {
    const said = textOf(user);
    const has = (one: (typeof CAPABILITIES)[number]) => user.capabilities.includes(one);
    expect(said.includes('"Upload Document"')).toBe(user.roleKey === 'client' && has('documents.upload'));
    expect(said.includes('"Upload Files"')).toBe(user.roleKey !== 'client' && has('reports.upload'));
    expect(said.includes('"New Batch"')).toBe(user.roleKey !== 'client' && has('batches.manage'));
    expect(said.includes('"Add Client"')).toBe(has('clients.manage'));
    expect(said.includes('"Add User"')).toBe(has('users.manage'));
    expect(said.includes('"Firm"')).toBe(user.reach === 'all' && has('roles.manage'));
  });

  it('says who opened what to those alone who are shown it, and what comes back from the trash and what does not', () => {
    const said = textOf(user);
    const has = (...some: (typeof CAPABILITIES)[number][]) => some.some((one) => user.capabilities.includes(one));
    const isClient = user.roleKey === 'client';
    expect(said.includes('whether one has opened it')).toBe(
      !isClient && has('activity.read', 'activity.read-clients', 'users.manage'),
    );
    expect(said.includes('you see who had opened it')).toBe(
      !isClient &&
        has('batches.manage') &&
        has('files.delete') &&
        has('activity.read', 'activity.read-clients', 'users.manage'),
    );
    expect(said.includes('A file or client that you may delete')).toBe(!isClient && has('clients.manage'));
    const keepsTrash = has('files.delete', 'documents.upload', 'reports.upload', 'clients.manage');
    expect(said.includes('does not come back')).toBe(
      !isClient && keepsTrash && has('users.manage', 'roles.manage', 'report-types.manage'),
    );
  });
});

it('counts the days of the trash, also where it is one', () => {
  expect(textOf(person('admin'))).toContain('for 30 days and is brought back');
  expect(textOf(person('client'), { ...SETTING, trashDays: 1 })).toContain('for 1 day and is brought back');
});

it('tells of a second factor where the portal asks for one, and of a link by mail where it sends any', () => {
  const client = person('client');
  expect(textOf(client)).not.toMatch(/second factor|authenticator|sends a link/i);
  expect(textOf(client, { ...SETTING, safeguards: true })).toMatch(/six digits[\s\S]*recovery codes/);
  expect(textOf(client, { ...SETTING, mailIsOn: true })).toContain('sends a link to your mail address');
});

it('tells everybody where mails are chosen, where the portal sends any', () => {
  for (const user of Object.values(PEOPLE)) {
    expect(textOf(user)).not.toContain('hear of by mail');
    expect(textOf(user, { ...SETTING, mailIsOn: true })).toContain('"Mail" under "Account Setting" lists');
  }
});

it('tells a client where the search and the filters of reports are, and of Print where it is', () => {
  const said = textOf(person('client'));
  expect(said).toContain(
    'search by words of their names and choose a period; "Show Filters" has report type and date.',
  );
  expect(said).toContain('Above the pages of a PDF is "Print"');
});

it('promises words inside documents only where these are read', () => {
  const client = person('client');
  expect(textOf(client)).toContain('by parts of their names, and documents by words that stand in them.');
  expect(textOf(client, { ...SETTING, searchesInside: false })).toMatch(/by parts of their names\.$/m);
});
