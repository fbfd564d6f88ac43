// What each address is called, and which of them a person's sidebar shows (docs/behaviour.md, Screens: addresses and titles, sidebar and header).

import {
  IconActivity,
  IconBuilding,
  IconBuildingBank,
  IconCalendarDue,
  IconFiles,
  IconFolder,
  IconKey,
  IconLayoutDashboard,
  IconListCheck,
  IconListDetails,
  IconMail,
  IconReport,
  IconServer,
  IconSettings,
  IconShieldCheck,
  IconStack2,
  IconTags,
  IconTrash,
  IconUpload,
  IconUsers,
} from '@tabler/icons-react';
import { can, isClientUser } from '#contract/policy/actor.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { SessionUser } from '#contract/session.ts';

export type NavIcon = typeof IconFolder;

const PAGE_NOT_FOUND = 'Page Not Found';

const titles: Readonly<Record<string, string>> = {
  '/': 'Dashboard',
  '/login': 'Login',
  '/invitation': 'Invitation',
  '/new-password': 'New Password',
  '/end-mails': 'End Mails',
  '/file-upload': 'File Upload',
  '/batches': 'Batches',
  '/clients': 'Clients',
  '/users': 'Users',
  '/permissions': 'User Permissions',
  '/roles': 'Roles',
  '/report-types': 'Report Types',
  '/activity': 'Activity',
  '/completeness': 'Completeness',
  '/requests': 'Requests',
  '/completeness/unopened': 'Never Opened',
  '/trash': 'Trash',
  '/retention': 'Retention',
  '/jobs': 'Background Jobs',
  '/mail': 'Mail',
  '/firm-settings': 'Firm',
  '/system': 'System',
  '/cpa-dashboard': 'Reports',
  '/firm-details': 'Firm Details',
  '/firm-documents': 'Firm Documents',
  '/client-reports': 'Reports',
  '/account-settings': 'Account Settings',
  '/help': 'Help',
};

/** The header's title for an address. */
export function titleOf(pathname: string): string {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
  if (/^\/cpa-dashboard\/report\/[1-9]\d*$/.test(path)) return 'Report';
  if (/^\/clients\/[1-9]\d*$/.test(path)) return 'Client';
  if (/^\/batches\/[1-9]\d*$/.test(path)) return 'Batch';
  if (/^\/requests\/[1-9]\d*$/.test(path)) return 'Request';
  return Object.hasOwn(titles, path) ? (titles[path] ?? PAGE_NOT_FOUND) : PAGE_NOT_FOUND;
}

export interface NavItem {
  readonly label: string;
  readonly to: string;
  readonly icon: NavIcon;
  /** The report types hang below it; where its own page lists them as well, they unfold there on request alone. */
  readonly reportTypes?: 'below' | 'on its page';
  /** Where company documents are. */
  readonly documents?: true;
}

export interface NavGroup {
  readonly label?: string;
  readonly items: readonly NavItem[];
}

const dashboard: NavItem = { label: 'Dashboard', to: '/', icon: IconLayoutDashboard };
const accountSetting: NavItem = { label: 'Account Setting', to: '/account-settings', icon: IconSettings };
const fileUpload: NavItem = { label: 'File Upload', to: '/file-upload', icon: IconUpload };
const batches = (user: SessionUser): NavItem[] =>
  mayAttempt(user, 'batches.use') ? [{ label: 'Batches', to: '/batches', icon: IconFiles }] : [];
const firmDetails: NavItem = { label: 'Firm Details', to: '/firm-details', icon: IconBuildingBank };
const firmDocuments: NavItem = { label: 'Firm Documents', to: '/firm-documents', icon: IconFolder, documents: true };
const reports = (to: string, reportTypes: NonNullable<NavItem['reportTypes']>): NavItem => ({
  label: 'Reports',
  to,
  icon: IconReport,
  reportTypes,
});
const staffReports = reports('/cpa-dashboard', 'on its page');
const activity: NavItem = { label: 'Activity', to: '/activity', icon: IconActivity };

/** For staff. */
const completeness = (user: SessionUser): NavItem[] =>
  mayAttempt(user, 'completeness.read') ? [{ label: 'Completeness', to: '/completeness', icon: IconListCheck }] : [];

/** What clients are asked for: for who asks, and who answers. */
const requests = (user: SessionUser): NavItem[] =>
  mayAttempt(user, 'requests.read') ? [{ label: 'Requests', to: '/requests', icon: IconListDetails }] : [];

/** For whoever may delete something. Documents are deleted by who sent them, and reports taken back. */
const trash = (user: SessionUser): NavItem[] =>
  (['files.delete', 'documents.upload', 'reports.upload', 'clients.manage'] as const).some((each) => can(user, each))
    ? [{ label: 'Trash', to: '/trash', icon: IconTrash }]
    : [];

/** For whoever disposes of files. */
const retention = (user: SessionUser): NavItem[] =>
  mayAttempt(user, 'retention.read') ? [{ label: 'Retention', to: '/retention', icon: IconCalendarDue }] : [];

/** What the firm is set up with: an entry for each list that the person may change. */
function managed(user: SessionUser): NavItem[] {
  const items: NavItem[] = [];
  if (mayAttempt(user, 'clients.create')) items.push({ label: 'Clients', to: '/clients', icon: IconBuilding });
  if (mayAttempt(user, 'users.create')) items.push({ label: 'Users', to: '/users', icon: IconUsers });
  if (mayAttempt(user, 'roles.create')) items.push({ label: 'Roles', to: '/roles', icon: IconKey });
  if (mayAttempt(user, 'permissions.update') || mayAttempt(user, 'permissions.explain')) {
    items.push({ label: 'User Permissions', to: '/permissions', icon: IconShieldCheck });
  }
  if (mayAttempt(user, 'report-types.create')) {
    items.push({ label: 'Report Types', to: '/report-types', icon: IconTags });
  }
  return items;
}

/** The sidebar of a person: five entries for CPA and Client, with what else the role can do below; else what the role can use. */
export function navigationFor(viewer: SessionUser): readonly NavGroup[] {
  // A look has the pages of the person, read only; but for batches, which are nothing but work.
  const user = { ...viewer, look: null };
  const manage = managed(user);
  const system: NavItem[] = [];
  if (mayAttempt(user, 'firm-settings.update'))
    system.push({ label: 'Firm', to: '/firm-settings', icon: IconBuildingBank });
  if (mayAttempt(user, 'system.read')) system.push({ label: 'System', to: '/system', icon: IconServer });
  if (mayAttempt(user, 'jobs.read')) system.push({ label: 'Background Jobs', to: '/jobs', icon: IconStack2 });
  if (mayAttempt(user, 'mail.read')) system.push({ label: 'Mail', to: '/mail', icon: IconMail });

  if (user.commonRouting) {
    const own = isClientUser(user) ? reports('/client-reports', 'below') : staffReports;
    // Documents alone are sent from Firm Documents, and deleted there.
    const upload = can(user, 'reports.upload') || can(user, 'files.delete') ? [fileUpload] : [];
    return [
      { items: [dashboard, own, firmDetails, firmDocuments, accountSetting] },
      {
        label: 'More',
        items: [
          ...upload,
          ...batches(viewer),
          ...manage,
          ...requests(user),
          ...completeness(user),
          activity,
          ...trash(user),
          ...retention(user),
          ...system,
        ],
      },
    ];
  }

  const files: NavItem[] = [];
  if (mayAttempt(user, 'files.upload') || can(user, 'files.delete')) {
    files.push(fileUpload);
  }
  files.push(...batches(viewer), staffReports, firmDocuments);
  if (user.reach === 'lists') files.push(firmDetails);

  return [
    { items: [dashboard] },
    ...(manage.length > 0 ? [{ label: 'Manage', items: manage }] : []),
    { label: 'Files', items: files },
    {
      label: 'More',
      items: [...requests(user), ...completeness(user), activity, ...trash(user), ...retention(user), accountSetting],
    },
    ...(system.length > 0 ? [{ label: 'System', items: system }] : []),
  ];
}

/** Where a page belongs whose own entry a sidebar has not: to the first of these that is there, else to the first page. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  // "View Reports" leads everybody to the list of firm staff, and a single report has its address below that.
  '/cpa-dashboard': ['/client-reports'],
  '/client-reports': ['/cpa-dashboard'],
  '/file-upload': ['/firm-documents'],
  '/firm-details': ['/clients'],
  '/help': ['/account-settings'],
};

/** The address of the entry that a page belongs to, null for an address that leads nowhere; `section` is what the page itself says, null where its address tells. */
export function entryOf(items: readonly NavItem[], pathname: string, section: string | null): string | null {
  const page = section ?? pathname;
  const own = items.find(({ to }) => page === to || (to !== '/' && page.startsWith(`${to}/`)));
  if (own !== undefined) return own.to;
  if (titleOf(page) === PAGE_NOT_FOUND) return null;
  const instead = INSTEAD[`/${page.split('/')[1]}`] ?? [];
  return instead.find((address) => items.some(({ to }) => to === address)) ?? '/';
}
