// Every address of the portal and its screen (docs/behaviour.md, Screens: addresses and titles); screens load when they are first needed.

import { createRootRoute, createRoute, createRouter, Outlet, redirect, useParams } from '@tanstack/react-router';
import { type ComponentType, useSyncExternalStore } from 'react';
import { homeClientsQuery } from '#web/data/clients.ts';
import { queryClient } from '#web/data/query-client.ts';
import { awaitReportTypes } from '#web/data/report-types.ts';
import { resolveSession } from '#web/data/session.ts';
import { loading } from '#web/lib/messages.ts';
import { getSession, isInside, onSessionChange, sessionEnd } from '#web/lib/session.ts';
import { LoginScreen } from '#web/screens/session/login.tsx';
import { InSlices } from '#web/ui/in-slices.tsx';
import type { Address } from '#web/ui/page-link.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { awaitHome, Home, homeOf } from './home.tsx';
import { type LazyScreen, lazyScreen } from './lazy-screen.tsx';
import { NotFound } from './not-found.tsx';
import { PageError } from './page-error.tsx';
import { safeNext } from './safe-next.ts';

const shell = lazyScreen(async () => (await import('./shell.tsx')).Shell);

const root = createRootRoute({
  component: Outlet,
  // Addresses carry plain text; each screen reads what it knows and passes over the rest.
  validateSearch: (search: Record<string, unknown>) => search as Address,
});

/** The code of a screen is all that its route loads, once; a failure shows in the screen's place. */
function loads(screenOf: () => Pick<LazyScreen<never>, 'load' | 'preload'>) {
  return {
    // Hovering a link preloads the code too: `preload`.
    loader: ({ preload }: { preload: boolean }) => (preload ? screenOf().preload() : screenOf().load()),
    staleTime: Number.POSITIVE_INFINITY,
  };
}

function screen(fetchCode: () => Promise<ComponentType>) {
  const lazy = lazyScreen(fetchCode);
  return { ...loads(() => lazy), component: lazy.Screen };
}

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: ({ search }) => {
    if (getSession() !== null) throw redirect({ href: safeNext(search.next), replace: true });
  },
  // Not loaded later, unlike the others: it is what the first page shows, and costs those who are signed in next to nothing.
  component: LoginScreen,
});

const invitationCode = lazyScreen(async () => (await import('#web/screens/session/invitation.tsx')).InvitationScreen);

/** For whoever was invited or has forgotten the password; whether somebody is signed in is shown, and leads nowhere. */
const linkTo = (path: '/invitation' | '/new-password') =>
  createRoute({
    getParentRoute: () => root,
    path,
    loader: async () => {
      await Promise.all([resolveSession(), invitationCode.load()]);
    },
    staleTime: Number.POSITIVE_INFINITY,
    component: invitationCode.Screen,
  });

const endMails = lazyScreen(async () => (await import('#web/screens/session/end-mails.tsx')).EndMailsScreen);

/** A stored session counts once the server has confirmed it; the code of the frame is loaded meanwhile. */
async function frame(): Promise<void> {
  await Promise.all([resolveSession(), shell.load()]);
}

/** Pages where the sidebar shows the report types from the start. */
const OPENS_REPORT_TYPES = /^\/(cpa-dashboard|client-reports)(\/|$)/;

/** Everything behind sign-in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    if (isInside()) return;
    const returns = location.href !== '/' && sessionEnd() === 'expired';
    throw redirect({ to: '/login', search: (returns ? { next: location.href } : {}) as Record<string, string> });
  },
  loader: async ({ location }) => {
    // Requested together with the session, they are there with the frame, and unfold over nothing that is shown already.
    await Promise.all([frame(), OPENS_REPORT_TYPES.test(location.pathname) ? awaitReportTypes() : undefined]);
  },
  staleTime: Number.POSITIVE_INFINITY,
  component: Inside,
});

function Inside() {
  return (
    <InSlices meanwhile={<Spinner label={loading.page} />}>
      <shell.Screen />
    </InSlices>
  );
}

/** Every unknown address: inside the frame for somebody who is signed in. */
const nowhere = createRoute({
  getParentRoute: () => root,
  path: '$',
  loader: async () => {
    if (isInside()) await frame();
  },
  component: NotFoundPage,
});

function NotFoundPage() {
  if (!useSyncExternalStore(onSessionChange, isInside)) return <NotFound alone />;
  return (
    <shell.Screen>
      <NotFound />
    </shell.Screen>
  );
}

/** An id as the address of a page has it. */
const IN_PATH = /^[1-9]\d{0,14}$/;

/** A page of one row, drawn anew for each id in the address; what is no id is nowhere. */
function rowPage<Props extends object>(fetchCode: () => Promise<ComponentType<Props>>, propsOf: (id: number) => Props) {
  const lazy = lazyScreen(fetchCode);
  function RowPage() {
    const { id } = useParams({ strict: false });
    if (id === undefined || !IN_PATH.test(id)) return <NotFound />;
    return <lazy.Screen key={id} {...propsOf(Number(id))} />;
  }
  return { ...loads(() => lazy), component: RowPage };
}

/** Beside the type that `addChildren` takes, `createRoute` would take `any` for its path, and no link would take parameters or a search. */
type Routes = readonly unknown[];

const behind = { getParentRoute: () => signedIn };

const routeTree = root.addChildren([
  login,
  linkTo('/invitation'),
  linkTo('/new-password'),
  createRoute({ getParentRoute: () => root, path: '/end-mails', ...loads(() => endMails), component: endMails.Screen }),
  nowhere,
  signedIn.addChildren([
    createRoute({
      ...behind,
      path: '/',
      loader: async ({ preload, location }: { preload: boolean; location: { searchStr: string } }) => {
        const { commonRouting, mustChangePassword } = getSession()?.user ?? {};
        // Asked for beside the code, the rows are there with it.
        if (commonRouting && !mustChangePassword && !preload && location.searchStr === '') {
          void queryClient.prefetchQuery(homeClientsQuery());
        }
        const home = homeOf(commonRouting);
        await Promise.all([preload ? home.preload() : home.load(), awaitHome(commonRouting)]);
      },
      staleTime: Number.POSITIVE_INFINITY,
      // Whoever comes back waits anew for what is older than a minute.
      gcTime: 0,
      component: Home,
    }),
    createRoute({
      ...behind,
      path: '/file-upload',
      ...screen(async () => (await import('#web/screens/files/files.tsx')).FilesScreen),
    }),
    createRoute({
      ...behind,
      path: '/batches',
      ...screen(async () => (await import('#web/screens/batches/batches.tsx')).BatchesScreen),
    }),
    createRoute({
      ...behind,
      path: '/batches/$id',
      ...rowPage(
        async () => (await import('#web/screens/batches/batch.tsx')).BatchScreen,
        (id) => ({ batchId: id }),
      ),
    }),
    createRoute({
      ...behind,
      path: '/clients',
      ...screen(async () => (await import('#web/screens/clients/clients.tsx')).ClientsScreen),
    }),
    createRoute({
      ...behind,
      path: '/clients/$id',
      ...rowPage(
        async () => (await import('#web/screens/clients/client-page.tsx')).ClientScreen,
        (id) => ({ clientId: id }),
      ),
    }),
    createRoute({
      ...behind,
      path: '/users',
      ...screen(async () => (await import('#web/screens/users/users.tsx')).UsersScreen),
    }),
    createRoute({
      ...behind,
      path: '/permissions',
      ...screen(async () => (await import('#web/screens/permissions/permissions.tsx')).PermissionsScreen),
    }),
    createRoute({
      ...behind,
      path: '/roles',
      ...screen(async () => (await import('#web/screens/roles/roles.tsx')).RolesScreen),
    }),
    createRoute({
      ...behind,
      path: '/report-types',
      ...screen(async () => (await import('#web/screens/report-types/report-types.tsx')).ReportTypesScreen),
    }),
    createRoute({
      ...behind,
      path: '/activity',
      ...screen(async () => (await import('#web/screens/activity/activity.tsx')).ActivityScreen),
    }),
    createRoute({
      ...behind,
      path: '/completeness',
      ...screen(async () => (await import('#web/screens/completeness/completeness.tsx')).CompletenessScreen),
    }),
    createRoute({
      ...behind,
      path: '/requests',
      ...screen(async () => (await import('#web/screens/requests/requests.tsx')).RequestsScreen),
    }),
    createRoute({
      ...behind,
      path: '/requests/$id',
      ...rowPage(
        async () => (await import('#web/screens/requests/request.tsx')).RequestScreen,
        (id) => ({ requestId: id }),
      ),
    }),
    createRoute({
      ...behind,
      path: '/completeness/unopened',
      ...screen(async () => (await import('#web/screens/unopened/unopened.tsx')).UnopenedScreen),
    }),
    createRoute({
      ...behind,
      path: '/trash',
      ...screen(async () => (await import('#web/screens/trash/trash.tsx')).TrashScreen),
    }),
    createRoute({
      ...behind,
      path: '/retention',
      ...screen(async () => (await import('#web/screens/retention/retention.tsx')).RetentionScreen),
    }),
    createRoute({
      ...behind,
      path: '/jobs',
      ...screen(async () => (await import('#web/screens/jobs/jobs.tsx')).JobsScreen),
    }),
    createRoute({
      ...behind,
      path: '/mail',
      ...screen(async () => (await import('#web/screens/mail/mail.tsx')).MailScreen),
    }),
    createRoute({
      ...behind,
      path: '/firm-settings',
      ...screen(async () => (await import('#web/screens/firm/firm-settings.tsx')).FirmSettingsScreen),
    }),
    createRoute({
      ...behind,
      path: '/cpa-dashboard',
      ...screen(async () => (await import('#web/screens/reports/cpa-reports.tsx')).CpaReportsScreen),
    }),
    createRoute({
      ...behind,
      path: '/cpa-dashboard/report/$id',
      ...rowPage(
        async () => (await import('#web/screens/reports/report.tsx')).ReportScreen,
        (id) => ({ reportId: id }),
      ),
    }),
    createRoute({
      ...behind,
      path: '/firm-details',
      ...screen(async () => (await import('#web/screens/company/firm-details.tsx')).FirmDetailsScreen),
    }),
    createRoute({
      ...behind,
      path: '/firm-documents',
      ...screen(async () => (await import('#web/screens/documents/firm-documents.tsx')).FirmDocumentsScreen),
    }),
    createRoute({
      ...behind,
      path: '/client-reports',
      ...screen(async () => (await import('#web/screens/reports/client-reports.tsx')).ClientReportsScreen),
    }),
    createRoute({
      ...behind,
      path: '/system',
      ...screen(async () => (await import('#web/screens/system/system.tsx')).SystemScreen),
    }),
    createRoute({
      ...behind,
      path: '/help',
      ...screen(async () => (await import('#web/screens/help/help.tsx')).HelpScreen),
    }),
    createRoute({
      ...behind,
      path: '/account-settings',
      ...screen(async () => (await import('#web/screens/account/account-settings.tsx')).AccountSettingsScreen),
    }),
  ] satisfies Routes),
] satisfies Routes);

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
