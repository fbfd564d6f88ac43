// Every address of the portal and the screen behind it (spec 2); screens load when they are first wanted.

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useParams,
} from '@tanstack/react-router';
import { loading } from '#web/lib/messages.ts';
import { getSession, sessionEnd, useSession, useSessionUser } from '#web/lib/session.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { NotFound } from './not-found.tsx';
import { PageError } from './page-error.tsx';
import { safeNext } from './safe-next.ts';

const LazyShell = lazyRouteComponent(() => import('./shell.tsx'), 'Shell');

function NotFoundPage() {
  return useSession() === null ? (
    <main>
      <NotFound />
    </main>
  ) : (
    <LazyShell>
      <NotFound />
    </LazyShell>
  );
}

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  // Addresses carry plain text; each screen reads what it knows and passes over the rest.
  validateSearch: (search: Record<string, unknown>) => search as Record<string, string>,
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: ({ search }) => {
    if (getSession() !== null) throw redirect({ href: safeNext(search.next), replace: true });
  },
  component: lazyRouteComponent(() => import('#web/screens/session/login.tsx'), 'LoginScreen'),
});

/** Everything behind sign-in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    if (getSession() !== null) return;
    const returns = location.href !== '/' && sessionEnd() === 'expired';
    throw redirect({ to: '/login', search: (returns ? { next: location.href } : {}) as Record<string, string> });
  },
  component: LazyShell,
});

const Dashboard = lazyRouteComponent(() => import('#web/screens/dashboard/dashboard.tsx'), 'DashboardScreen');
const Overview = lazyRouteComponent(() => import('#web/screens/overview/overview.tsx'), 'OverviewScreen');

function Home() {
  return useSessionUser().commonRouting ? <Dashboard /> : <Overview />;
}

const Report = lazyRouteComponent(() => import('#web/screens/reports/report.tsx'), 'ReportScreen');

function ReportPage() {
  const { id } = useParams({ strict: false });
  return id !== undefined && /^[1-9]\d{0,14}$/.test(id) ? <Report key={id} reportId={Number(id)} /> : <NotFound />;
}

const behind = { getParentRoute: () => signedIn };

const routeTree = root.addChildren([
  login,
  signedIn.addChildren([
    createRoute({ ...behind, path: '/', component: Home }),
    createRoute({
      ...behind,
      path: '/file-upload',
      component: lazyRouteComponent(() => import('#web/screens/files/files.tsx'), 'FilesScreen'),
    }),
    createRoute({
      ...behind,
      path: '/clients',
      component: lazyRouteComponent(() => import('#web/screens/clients/clients.tsx'), 'ClientsScreen'),
    }),
    createRoute({
      ...behind,
      path: '/users',
      component: lazyRouteComponent(() => import('#web/screens/users/users.tsx'), 'UsersScreen'),
    }),
    createRoute({
      ...behind,
      path: '/permissions',
      component: lazyRouteComponent(() => import('#web/screens/permissions/permissions.tsx'), 'PermissionsScreen'),
    }),
    createRoute({
      ...behind,
      path: '/roles',
      component: lazyRouteComponent(() => import('#web/screens/roles/roles.tsx'), 'RolesScreen'),
    }),
    createRoute({
      ...behind,
      path: '/report-types',
      component: lazyRouteComponent(() => import('#web/screens/report-types/report-types.tsx'), 'ReportTypesScreen'),
    }),
    createRoute({
      ...behind,
      path: '/activity',
      component: lazyRouteComponent(() => import('#web/screens/activity/activity.tsx'), 'ActivityScreen'),
    }),
    createRoute({
      ...behind,
      path: '/cpa-dashboard',
      component: lazyRouteComponent(() => import('#web/screens/reports/cpa-reports.tsx'), 'CpaReportsScreen'),
    }),
    createRoute({ ...behind, path: '/cpa-dashboard/report/$id', component: ReportPage }),
    createRoute({
      ...behind,
      path: '/firm-details',
      component: lazyRouteComponent(() => import('#web/screens/company/firm-details.tsx'), 'FirmDetailsScreen'),
    }),
    createRoute({
      ...behind,
      path: '/firm-documents',
      component: lazyRouteComponent(() => import('#web/screens/documents/firm-documents.tsx'), 'FirmDocumentsScreen'),
    }),
    createRoute({
      ...behind,
      path: '/client-reports',
      component: lazyRouteComponent(() => import('#web/screens/reports/client-reports.tsx'), 'ClientReportsScreen'),
    }),
    createRoute({
      ...behind,
      path: '/account-settings',
      component: lazyRouteComponent(() => import('#web/screens/account/account-settings.tsx'), 'AccountSettingsScreen'),
    }),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultPendingMinMs: 200,
  defaultPendingComponent: () => <Spinner label={loading.page} />,
  defaultErrorComponent: PageError,
  scrollRestoration: true,
  // Plain `?q=12-345` instead of the router's JSON form: addresses are read, sent and typed by people.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const set = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(set.map(([key, value]) => [key, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
