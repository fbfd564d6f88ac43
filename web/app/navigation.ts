// What each address is called, and which of them a person's sidebar shows (docs/behaviour.md, Screens: addresses and titles, sidebar and header).

import {
  IconActivity,
  IconBuilding,
  IconBuildingBank,
  IconFolder,
  IconKey,
  IconLayoutDashboard,
  IconReport,
  IconSettings,
  IconShieldCheck,
  IconStack2,
  IconTags,
  IconUpload,
  IconUsers,
} from '@tabler/icons-react';
import { can, isClientUser, mayAttempt } from '#contract/policy.ts';
import type { SessionUser } from '#contract/session.ts';

export type NavIcon = typeof IconFolder;

const PAGE_NOT_FOUND = 'Page Not Found';

const titles: Readonly<Record<string, string>> = {
  '/': 'Dashboard',
  '/login': 'Login',
  '/file-upload': 'File Upload',
  '/clients': 'Clients',
  '/users': 'Users',
  '/permissions': 'User Permissions',
  '/roles': 'Roles',
  '/report-types': 'Report Types',
  '/activity': 'Activity',
  '/jobs': 'Background Jobs',
  '/cpa-dashboard': 'Reports',
  '/firm-details': 'Firm Details',
  '/firm-documents': 'Firm Documents',
  '/client-reports': 'Reports',
  '/account-settings': 'Account Settings',
};

/** The header's title for an address. */
export function titleOf(pathname: string): string {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
  if (/^\/cpa-dashboard\/report\/[1-9]\d*$/.test(path)) return 'Report';
  return Object.hasOwn(titles, path) ? (titles[path] ?? PAGE_NOT_FOUND) : PAGE_NOT_FOUND;
}

export interface NavItem {
  readonly label: string;
  readonly to: string;
  /** Pages elsewhere that belong to it begin so. */
  readonly alsoAt?: string;
  readonly icon: NavIcon;
  /** The report types hang below it. */
  readonly reportTypes?: true;
}

export interface NavGroup {
  readonly label?: string;
  readonly items: readonly NavItem[];
}

const dashboard: NavItem = { label: 'Dashboard', to: '/', icon: IconLayoutDashboard };
const accountSetting: NavItem = { label: 'Account Setting', to: '/account-settings', icon: IconSettings };
const fileUpload: NavItem = { label: 'File Upload', to: '/file-upload', icon: IconUpload };
const firmDetails: NavItem = { label: 'Firm Details', to: '/firm-details', icon: IconBuildingBank };
const firmDocuments: NavItem = { label: 'Firm Documents', to: '/firm-documents', icon: IconFolder };
const reports = (to: string): NavItem => ({ label: 'Reports', to, icon: IconReport, reportTypes: true });
/** A single report has one address for everyone, below the list of firm staff. */
const clientReports: NavItem = { ...reports('/client-reports'), alsoAt: '/cpa-dashboard/report/' };

/** The sidebar of a person: five entries for CPA and Client, with more below where the role can do more; else what the role can use. */
export function navigationFor(user: SessionUser): readonly NavGroup[] {
  if (user.commonRouting) {
    const ownReports = isClientUser(user) ? clientReports : reports('/cpa-dashboard');
    const own = { items: [dashboard, ownReports, firmDetails, firmDocuments, accountSetting] };
    return can(user, 'reports.upload') ? [own, { label: 'Files', items: [fileUpload] }] : [own];
  }

  const files: NavItem[] = [];
  if (mayAttempt(user, 'files.upload') || can(user, 'files.delete')) {
    files.push(fileUpload);
  }
  files.push(reports('/cpa-dashboard'), firmDocuments);
  if (user.reach === 'lists') files.push(firmDetails);

  const manage: NavItem[] = [];
  if (mayAttempt(user, 'clients.create')) manage.push({ label: 'Clients', to: '/clients', icon: IconBuilding });
  if (mayAttempt(user, 'users.create')) manage.push({ label: 'Users', to: '/users', icon: IconUsers });
  if (mayAttempt(user, 'roles.create')) manage.push({ label: 'Roles', to: '/roles', icon: IconKey });
  if (mayAttempt(user, 'permissions.update') || mayAttempt(user, 'permissions.explain')) {
    manage.push({ label: 'User Permissions', to: '/permissions', icon: IconShieldCheck });
  }
  if (mayAttempt(user, 'report-types.create')) {
    manage.push({ label: 'Report Types', to: '/report-types', icon: IconTags });
  }

  const system: NavItem[] = [];
  if (mayAttempt(user, 'jobs.read')) system.push({ label: 'Background Jobs', to: '/jobs', icon: IconStack2 });

  return [
    { items: [dashboard] },
    ...(manage.length > 0 ? [{ label: 'Manage', items: manage }] : []),
    { label: 'Files', items: files },
    { label: 'More', items: [{ label: 'Activity', to: '/activity', icon: IconActivity }, accountSetting] },
    ...(system.length > 0 ? [{ label: 'System', items: system }] : []),
  ];
}
