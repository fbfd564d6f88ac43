// What the palette offers: the pages of a person's navigation, actions, and what the server found, each as one entry.

import {
  IconBuilding,
  IconBuildingPlus,
  IconEyeOff,
  IconFileSearch,
  IconFileText,
  IconHelp,
  IconKeyboard,
  IconList,
  IconListDetails,
  IconLogout,
  IconMoon,
  IconPin,
  IconReport,
  IconSun,
  IconTags,
  IconUpload,
  IconUser,
  IconUserPlus,
} from '@tabler/icons-react';
import type { ClientRow } from '#contract/clients.ts';
import { FILE_TYPES, type FileType } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import type { InsideHit } from '#contract/inside.ts';
import { hasClientPages, isClientUser } from '#contract/policy/actor.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import { matchesSearch, searchForm } from '#contract/search.ts';
import type { SessionUser } from '#contract/session.ts';
import type { UserRow } from '#contract/users.ts';
import type { ListPage } from '#web/lib/api.ts';
import { formatClientName, formatDate, formatTotal } from '#web/lib/format.ts';
import { ALL_IN_ADDRESS, choosesClient, reachesSeveral } from '#web/parts/clients/chosen-client.ts';
import { placeOnPage } from '#web/parts/files/page-of-report.ts';
import { uploadableTypes } from '#web/parts/uploads/upload-form.ts';
import { type NavIcon, navigationFor } from '../navigation/navigation.ts';

/** An address of the portal. */
export interface Place {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

export type Action = 'light' | 'dark' | 'shortcuts' | 'logout';

/** Makes this client the chosen one. */
export interface Choice {
  readonly chooses: number;
}

export interface Entry {
  /** Unique among all entries; part of an element's id. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** What stands in a document, with the words marked that were looked for. */
  readonly excerpt?: Pick<InsideHit, 'snippet' | 'marks'>;
  readonly icon: NavIcon;
  readonly leadsTo: Place | Action | Choice;
}

/** Other words that people search a page by. */
const alsoCalled: Readonly<Record<string, string>> = {
  '/': 'home overview',
  '/file-upload': 'files reports documents',
  '/clients': 'client management companies',
  '/users': 'user management people',
  '/permissions': 'roles capabilities access who can see',
  '/requests': 'asked documents owed due late',
  '/completeness': 'missing late expected reports due',
  '/trash': 'deleted restore undelete recycle bin',
  '/activity': 'activity log history',
  '/system': 'version health disk space backup warnings doctor',
  '/firm-settings': 'name logo colour color address phone welcome support appearance brand',
  '/mail': 'email smtp outbox test failed',
  '/retention': 'due disposal certificate years keep purge',
  '/jobs': 'queue maintenance tasks failed retry',
  '/cpa-dashboard': 'payroll reports',
  '/firm-details': 'company details',
  '/firm-documents': 'document library company documents',
  '/account-settings': 'account settings password devices appearance density',
};

interface KnownAction extends Entry {
  /** Other words that people search it by. */
  readonly words: string;
  /** Everyone unless set. */
  readonly isFor?: (user: SessionUser) => boolean;
}

const actions: readonly KnownAction[] = [
  {
    id: 'add-client',
    label: 'Add client',
    icon: IconBuildingPlus,
    leadsTo: { to: '/clients', search: { do: 'add' } },
    words: 'new create company',
    isFor: (user) => mayAttempt(user, 'clients.create'),
  },
  {
    id: 'add-user',
    label: 'Add user',
    icon: IconUserPlus,
    leadsTo: { to: '/users', search: { do: 'add' } },
    words: 'new create person',
    isFor: (user) => mayAttempt(user, 'users.create'),
  },
  {
    id: 'upload-files',
    label: 'Upload files',
    icon: IconUpload,
    leadsTo: { to: '/file-upload', search: { do: 'upload' } },
    words: 'send data reports documents',
    isFor: (user) => uploadableTypes(user).includes('report'),
  },
  {
    id: 'upload-documents',
    label: 'Upload documents',
    icon: IconUpload,
    leadsTo: { to: '/firm-documents', search: { do: 'upload' } },
    words: 'send files',
    isFor: (user) => uploadableTypes(user).join() === 'company_document',
  },
  { id: 'help', label: 'Help', icon: IconHelp, leadsTo: { to: '/help' }, words: 'how guide question support' },
  {
    id: 'unopened',
    label: 'Never opened',
    icon: IconEyeOff,
    leadsTo: { to: '/completeness/unopened' },
    words: 'unopened unread reports nobody',
    isFor: (user) => mayAttempt(user, 'files.read-readers'),
  },
  {
    id: 'new-request',
    label: 'New request',
    icon: IconListDetails,
    leadsTo: { to: '/requests', search: { do: 'add' } },
    words: 'ask client documents',
    isFor: (user) => mayAttempt(user, 'requests.manage'),
  },
  { id: 'dark', label: 'Switch to dark', icon: IconMoon, leadsTo: 'dark', words: 'dark theme appearance' },
  { id: 'light', label: 'Switch to light', icon: IconSun, leadsTo: 'light', words: 'light theme appearance' },
  { id: 'shortcuts', label: 'Keyboard shortcuts', icon: IconKeyboard, leadsTo: 'shortcuts', words: 'help keys' },
  { id: 'logout', label: 'Logout', icon: IconLogout, leadsTo: 'logout', words: 'log out sign out' },
];

/** True where every word of `words` begins a word of `text`; an empty search matches everything. */
function matches(text: string, words: string): boolean {
  const form = searchForm(words);
  // Signs alone begin no word.
  if (form === '') return words.trim() === '';
  const known = searchForm(text).split(' ');
  return form.split(' ').every((word) => known.some((candidate) => candidate.startsWith(word)));
}

export function pageEntries(user: SessionUser, words: string): Entry[] {
  return navigationFor(user)
    .flatMap((group) => group.items)
    .filter((item) => matches(`${item.label} ${alsoCalled[item.to] ?? ''}`, words))
    .map((item) => ({ id: `page-${item.to}`, label: item.label, icon: item.icon, leadsTo: { to: item.to } }));
}

/** `shown` is the scheme in force; only the other one is offered. */
export function actionEntries(user: SessionUser, shown: 'light' | 'dark', words: string): Entry[] {
  return actions
    .filter((action) => action.isFor?.(user) !== false)
    .filter((action) => action.leadsTo !== shown && matches(`${action.label} ${action.words}`, words))
    .map(({ words: _words, isFor: _isFor, ...entry }) => entry);
}

/** The page where this person sees a client, and its name. */
function clientPlace(user: SessionUser, client: Pick<ClientRow, 'id'>): Place & { readonly called?: string } {
  if (hasClientPages(user)) return { to: `/clients/${client.id}` };
  // Without its id the page would show the company that was chosen last.
  return {
    to: '/firm-details',
    ...(reachesSeveral(user) ? { search: { client: String(client.id) } } : {}),
    called: 'Firm Details',
  };
}

function clientEntry(user: SessionUser, client: ClientRow): Entry {
  const { called, ...leadsTo } = clientPlace(user, client);
  return {
    id: `client-${client.id}`,
    label: client.name,
    description: `Federal ID ${client.federalId}${called ? `, in ${called}` : ''}`,
    icon: IconBuilding,
    leadsTo,
  };
}

/** The rows found, and where the others of them are. */
type Found<Row> = Pick<ListPage<Row>, 'rows' | 'total' | 'more'>;

type Count = Pick<ListPage<unknown>, 'total' | 'more'>;

/** Leads to the filtered list. */
function seeAll(noun: string, { total, more }: Count, leadsTo: Place): Entry[] {
  return [{ id: `all-${noun}`, label: `See all ${formatTotal({ total, more })} ${noun}`, icon: IconList, leadsTo }];
}

const fileNouns: Readonly<Record<FileType, string>> = { report: 'reports', company_document: 'company documents' };

/** Those first whose name holds the words in the order in which they are typed: all of a name is typed to find that one. */
function exactFirst<Row>(rows: readonly Row[], words: string, nameOf: (row: Row) => string): Row[] {
  const sought = searchForm(words);
  const isExact = (row: Row) => Number(searchForm(nameOf(row)).includes(sought));
  return [...rows].sort((a, b) => isExact(b) - isExact(a));
}

export function clientEntries(user: SessionUser, found: Found<ClientRow>, subject: string): Entry[] {
  const others = found.total > found.rows.length && hasClientPages(user);
  const all = others ? seeAll('clients', found, { to: '/clients', search: { q: subject } }) : [];
  const rows = exactFirst(found.rows, subject, (client) => client.name);
  return [...rows.map((client) => clientEntry(user, client)), ...all];
}

function fileEntry(file: FileRow): Entry {
  return {
    id: `file-${file.id}`,
    label: file.originalName,
    description: [formatClientName(file.clientName), file.reportTypeName, formatDate(file.uploadedAt)]
      .filter(Boolean)
      .join(', '),
    icon: IconFileText,
    leadsTo: { to: `/cpa-dashboard/report/${file.id}` },
  };
}

/** Files by what stands on their pages; each leads to the page, where the words of the search are marked. */
export function insideEntries(hits: readonly InsideHit[], search: string): Entry[] {
  return hits.map(({ fileId, originalName, clientName, page, snippet, marks }) => ({
    id: `inside-${fileId}`,
    label: originalName,
    description: `${formatClientName(clientName)}, page ${page}`,
    excerpt: { snippet, marks },
    icon: IconFileSearch,
    leadsTo: { to: `/cpa-dashboard/report/${fileId}`, search: placeOnPage(page, search) },
  }));
}

/** The lists that show each kind of file, of all clients and report types as they were counted: for a Client user the own pages, else the Files screen. */
function listOfKind(user: SessionUser, fileType: FileType, q: string): Place {
  const all = { q, client: ALL_IN_ADDRESS };
  if (!isClientUser(user)) {
    return { to: '/file-upload', search: { ...all, ...(fileType === 'report' ? {} : { type: fileType }) } };
  }
  if (fileType === 'company_document') return { to: '/firm-documents', search: all };
  return { to: '/client-reports', search: { ...all, reportType: ALL_IN_ADDRESS } };
}

export function fileEntries(
  user: SessionUser,
  found: Found<FileRow>,
  byKind: Readonly<Partial<Record<FileType, Count | undefined>>>,
  words: string,
): Entry[] {
  const rows = exactFirst(found.rows, words, (file) => file.originalName);
  const all = FILE_TYPES.flatMap((fileType) => {
    const count = byKind[fileType];
    if (count === undefined || count.total === 0) return [];
    return seeAll(fileNouns[fileType], count, listOfKind(user, fileType, words));
  });
  return [...rows.map(fileEntry), ...all];
}

/** The list of the reports of a type. */
export function reportTypeEntries(user: SessionUser, types: readonly ReportTypeRow[]): Entry[] {
  return types.map(({ id, name }) => ({
    id: `type-${id}`,
    label: name,
    description: 'Report type, in Reports',
    icon: IconTags,
    leadsTo: { to: isClientUser(user) ? '/client-reports' : '/cpa-dashboard', search: { reportType: String(id) } },
  }));
}

export function userEntries(found: Found<UserRow>, words: string): Entry[] {
  return [
    ...exactFirst(found.rows, words, (row) => row.fullName).map((row) => ({
      id: `user-${row.id}`,
      label: row.fullName,
      description: `${row.username}, ${row.roleName}`,
      icon: IconUser,
      leadsTo: { to: '/users', search: { q: row.username } },
    })),
    ...(found.total > found.rows.length ? seeAll('users', found, { to: '/users', search: { q: words } }) : []),
  ];
}

/** What was opened last, newest first. */
export function recentEntries(user: SessionUser, opened: readonly (ClientRow | FileRow)[]): Entry[] {
  return opened
    .map((row) => ('federalId' in row ? clientEntry(user, row) : fileEntry(row)))
    .map((entry) => ({ ...entry, id: `recent-${entry.id}` }));
}

// ---- What can be done for a client --------------------------------------------------------------------------------

const BEFORE_A_CLIENT = /^(?:upload(?: files)?(?: for)?|open|choose) +(?=\S)/i;
const BEHIND_A_CLIENT = /(?:['’]s)? +reports$/i;

/** The client that `words` ask to do something for: 'harbor' of 'upload for harbor'; the words as they are where they ask nothing. */
export function subjectOf(words: string): string {
  return words.replace(BEFORE_A_CLIENT, '').replace(BEHIND_A_CLIENT, '');
}

/** For the first client found; where the words ask for something, that for each of them. */
export function clientActionEntries(user: SessionUser, rows: readonly ClientRow[], words: string): Entry[] {
  const asks = subjectOf(words) !== words;
  return (asks ? rows : rows.slice(0, 1))
    .flatMap((client) => actionsFor(user, client))
    .filter(({ label }) => !asks || matchesSearch(words, [label]));
}

function actionsFor(user: SessionUser, { id, name }: ClientRow): Entry[] {
  const search = { client: String(id) };
  const mayUpload = hasClientPages(user) && uploadableTypes(user).length > 0;
  return [
    {
      id: `reports-${id}`,
      label: `Open ${name}'s reports`,
      icon: IconReport,
      leadsTo: { to: isClientUser(user) ? '/client-reports' : '/cpa-dashboard', search },
    },
    ...(mayUpload
      ? [
          {
            id: `upload-${id}`,
            label: `Upload for ${name}`,
            icon: IconUpload,
            leadsTo: { to: `/clients/${id}`, search: { do: 'upload' } },
          },
        ]
      : []),
    ...(choosesClient(user)
      ? [{ id: `choose-${id}`, label: `Choose ${name}`, icon: IconPin, leadsTo: { chooses: id } }]
      : []),
  ];
}
