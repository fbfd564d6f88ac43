// What the palette offers: the pages of a person's navigation, actions, and what the server found, each as one entry.

import { IconBuilding, IconFileText, IconKeyboard, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import type { ClientRow } from '#contract/clients.ts';
import type { FileRow } from '#contract/files.ts';
import { isClientUser, isCpa, mayAttempt } from '#contract/policy.ts';
import type { SessionUser } from '#contract/session.ts';
import { formatClientName, formatDate } from '#web/lib/format.ts';
import { type NavIcon, navigationFor } from '../navigation.ts';

/** An address of the portal. */
export interface Place {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

export type Action = 'light' | 'dark' | 'shortcuts' | 'logout';

export interface Entry {
  /** Unique among all entries; part of an element's id. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly icon: NavIcon;
  readonly leadsTo: Place | Action;
}

/** Other words that people search a page by. */
const alsoCalled: Readonly<Record<string, string>> = {
  '/': 'home overview',
  '/file-upload': 'files reports documents',
  '/clients': 'client management companies',
  '/users': 'user management people',
  '/permissions': 'roles capabilities access who can see',
  '/activity': 'activity log history',
  '/jobs': 'queue maintenance tasks failed retry',
  '/cpa-dashboard': 'payroll reports',
  '/firm-details': 'company details',
  '/firm-documents': 'document library',
  '/account-settings': 'account settings password devices appearance density',
};

const actions: readonly (Entry & { readonly words: string })[] = [
  { id: 'dark', label: 'Switch to dark', icon: IconMoon, leadsTo: 'dark', words: 'dark theme appearance' },
  { id: 'light', label: 'Switch to light', icon: IconSun, leadsTo: 'light', words: 'light theme appearance' },
  { id: 'shortcuts', label: 'Keyboard shortcuts', icon: IconKeyboard, leadsTo: 'shortcuts', words: 'help keys' },
  { id: 'logout', label: 'Logout', icon: IconLogout, leadsTo: 'logout', words: 'log out sign out' },
];

/** True where every word of `words` begins a word of `text`; an empty search matches everything. */
function matches(text: string, words: string): boolean {
  const known = text.toLowerCase().split(/\s+/);
  const sought = words.toLowerCase().split(/\s+/);
  return sought.every((word) => known.some((candidate) => candidate.startsWith(word)));
}

export function pageEntries(user: SessionUser, words: string): Entry[] {
  return navigationFor(user)
    .flatMap((group) => group.items)
    .filter((item) => matches(`${item.label} ${alsoCalled[item.to] ?? ''}`, words))
    .map((item) => ({ id: `page-${item.to}`, label: item.label, icon: item.icon, leadsTo: { to: item.to } }));
}

/** `shown` is the scheme in force; only the other one is offered. */
export function actionEntries(shown: 'light' | 'dark', words: string): Entry[] {
  return actions
    .filter((action) => action.leadsTo !== shown && matches(`${action.label} ${action.words}`, words))
    .map(({ words: _words, ...entry }) => entry);
}

/** The page where this person sees a client, and its name. */
function clientPlace(user: SessionUser, client: ClientRow): Place & { readonly called: string } {
  const search = { client: String(client.id) };
  if (mayAttempt(user, 'clients.update')) return { to: '/clients', search: { q: client.name }, called: 'Clients' };
  if (isCpa(user)) return { to: '/firm-details', search, called: 'Firm Details' };
  if (!isClientUser(user)) return { to: '/cpa-dashboard', search, called: 'Reports' };
  // The details are those of a Client user's own company: the first in the access list.
  if (client.id === user.clientIds[0]) return { to: '/firm-details', called: 'Firm Details' };
  return { to: '/client-reports', search, called: 'Reports' };
}

export function clientEntries(user: SessionUser, rows: readonly ClientRow[]): Entry[] {
  return rows.map((client) => {
    const { called, ...leadsTo } = clientPlace(user, client);
    return {
      id: `client-${client.id}`,
      label: client.name,
      description: `Federal ID ${client.federalId}, in ${called}`,
      icon: IconBuilding,
      leadsTo,
    };
  });
}

export function fileEntries(rows: readonly FileRow[]): Entry[] {
  return rows.map((file) => ({
    id: `file-${file.id}`,
    label: file.originalName,
    description: [formatClientName(file.clientName), file.reportTypeName, formatDate(file.uploadedAt)]
      .filter(Boolean)
      .join(', '),
    icon: IconFileText,
    leadsTo: { to: `/cpa-dashboard/report/${file.id}` },
  }));
}
