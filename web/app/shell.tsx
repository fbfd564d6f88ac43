// The frame around every page of a signed-in person: sidebar, header, content.

import { AppShell, Drawer, Tooltip } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import { isClientUser } from '#contract/policy/actor.ts';
import { keepPreferences } from '#web/data/preferences.ts';
import { queryClient, refreshFailed } from '#web/data/query-client.ts';
import { useConnection } from '#web/lib/connection.ts';
import { loading } from '#web/lib/messages.ts';
import { usePageFacts } from '#web/lib/page-facts.ts';
import { useFirmFace } from '#web/lib/product.ts';
import {
  expiredUser,
  getSession,
  isLookTab,
  leaveExpiredSession,
  onSessionChange,
  useSessionUser,
} from '#web/lib/session.ts';
import { useBackgroundUpload } from '#web/parts/uploads/background-upload.ts';
import { ConfirmIdentity } from '#web/screens/session/confirm-identity.tsx';
import { SignInAgain } from '#web/screens/session/sign-in-again.tsx';
import { ChosenLook } from '#web/ui/chosen-look.ts';
import { ConfirmProvider } from '#web/ui/confirm-dialog.tsx';
import { InSlices } from '#web/ui/in-slices.tsx';
import { HeaderTitle } from '#web/ui/page-header.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useHistoryStep } from '#web/ui/use-history-step.ts';
import { CONNECTION_BAR_PX, ConnectionBar } from './connection-bar.tsx';
import { Header } from './header.tsx';
import { lazyScreen } from './lazy-screen.tsx';
import { titleOf } from './navigation/navigation.ts';
import { CommandCentre } from './palette/command-centre.tsx';
import { SessionWarning } from './session-warning.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { useSidebarFold } from './use-sidebar-fold.ts';

/** The first page is there by then; a change in between shows when its list is opened again. */
const LISTENS_AFTER_MS = 1_000;

/** Changes, once the page stands: what they need is loaded then, and is missed by nobody who cannot have it. */
const ListNews = lazy(async () => {
  await new Promise((resolve) => setTimeout(resolve, LISTENS_AFTER_MS));
  const { ListNews: loaded } = await import('./list-news.tsx').catch(() => ({ ListNews: () => null }));
  return { default: loaded };
});

const passwordWanted = lazyScreen(async () => (await import('./password-wanted.tsx')).PasswordWanted);

/** docs/behaviour.md, Constants. */
const TOOLTIP_DELAY_MS = 700;
const TOOLTIP_SKIP_DELAY_MS = 300;

const HEADER_PX = 56;
const SIDEBAR_PX = 240;
const FOLDED_PX = 60;

export function Shell({ children }: { children?: ReactNode }) {
  useEffect(() => {
    let awaited = expiredUser() !== null;
    const stop = onSessionChange(() => {
      if (awaited && getSession() !== null) void refreshFailed();
      awaited = expiredUser() !== null;
    });
    return () => {
      stop();
      if (getSession() !== null) return;
      // Nothing that one person saw stays in memory, or on the page, for the next.
      queryClient.clear();
      toast.putAway();
      leaveExpiredSession();
    };
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      <Tooltip.Group openDelay={TOOLTIP_DELAY_MS} closeDelay={TOOLTIP_SKIP_DELAY_MS}>
        <Pages>{children ?? <Outlet />}</Pages>
        {isLookTab ? null : (
          <>
            <ConfirmIdentity />
            <SessionWarning />
            <SignInAgain />
          </>
        )}
      </Tooltip.Group>
    </QueryClientProvider>
  );
}

/** The frame with its page; for somebody who must change the password first, nothing but the form for that. */
function Pages({ children }: { children: ReactNode }) {
  const { mustChangePassword, preferences } = useSessionUser();
  const look = useMemo(() => ({ ...preferences, choose: keepPreferences }), [preferences]);
  const { Panel: UploadPanel } = useBackgroundUpload();
  useEffect(() => {
    // What was refused meanwhile is asked again.
    if (!mustChangePassword) void refreshFailed();
  }, [mustChangePassword]);
  if (mustChangePassword) {
    return (
      <Suspense fallback={<Spinner label={loading.page} />}>
        <passwordWanted.Screen />
      </Suspense>
    );
  }
  return (
    <ChosenLook.Provider value={look}>
      <Frame>{children}</Frame>
      <CommandCentre />
      {UploadPanel ? <UploadPanel /> : null}
    </ChosenLook.Provider>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const [drawerOpened, { close: closeDrawer, toggle: toggleDrawer }] = useDisclosure(false);
  const [folded] = useSidebarFold();
  const connected = useConnection() === 'online';
  const path = useRouterState({ select: (state) => state.location.pathname });
  const title = titleOf(path);
  const { name } = usePageFacts();
  const firm = useFirmFace();
  const user = useSessionUser();
  const isPhone = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false });
  const headerPx = connected ? HEADER_PX : HEADER_PX + CONNECTION_BAR_PX;
  const main = useRef<HTMLElement>(null);
  const formerPath = useRef(path);

  useEffect(() => {
    if (formerPath.current === path) return;
    formerPath.current = path;
    // A new page: people with keyboard or screen reader start at its top, not in the sidebar.
    main.current?.focus({ preventScroll: true });
  }, [path]);

  useHistoryStep(closeDrawer);
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  useEffect(() => {
    // Out of sight there, it would keep the page from scrolling, and every key to itself.
    if (isWide) closeDrawer();
  }, [isWide, closeDrawer]);

  return (
    <AppShell
      layout="alt"
      header={{ height: user.look === null ? headerPx : `calc(${headerPx}px + var(--coffer-look-bar, 0px))` }}
      navbar={{ width: folded ? FOLDED_PX : SIDEBAR_PX, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding={0}
      transitionDuration={0}
    >
      <title>{`${name ?? title} · ${firm.name}`}</title>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <AppShell.Navbar aria-label="Main" visibleFrom="sm" className={classes.navbar ?? ''}>
        <Sidebar folded={folded} />
      </AppShell.Navbar>
      <AppShell.Header className={classes.header ?? ''}>
        <ConnectionBar />
        <Header title={title} drawerOpened={drawerOpened} onToggleDrawer={toggleDrawer} />
      </AppShell.Header>
      <Drawer
        opened={drawerOpened}
        onClose={closeDrawer}
        size={272}
        padding={0}
        withCloseButton={false}
        hiddenFrom="sm"
        transitionProps={{ duration: 120 }}
        attributes={{ content: { 'aria-label': 'Menu' } }}
        styles={{ body: { height: '100%' } }}
      >
        <nav aria-label="Main" className={classes.drawer}>
          <Sidebar onNavigate={closeDrawer} />
        </nav>
      </Drawer>
      <AppShell.Main id="main" ref={main} tabIndex={-1}>
        <Suspense>
          <ListNews />
        </Suspense>
        <div className={classes.content}>
          {/* On a phone the name of the company takes its place. */}
          <HeaderTitle.Provider value={isPhone && isClientUser(user) ? null : title}>
            <ConfirmProvider>
              <InSlices>{children}</InSlices>
            </ConfirmProvider>
          </HeaderTitle.Provider>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
