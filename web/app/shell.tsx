// The frame around every page of a signed-in person: sidebar, header, content.

import { AppShell, Drawer, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { queryClient, refreshFailed } from '#web/data/query-client.ts';
import { useConnection } from '#web/lib/connection.ts';
import { productName } from '#web/lib/product.ts';
import { expiredUser, getSession, leaveExpiredSession, onSessionChange } from '#web/lib/session.ts';
import { ConfirmIdentity } from '#web/screens/session/confirm-identity.tsx';
import { SignInAgain } from '#web/screens/session/sign-in-again.tsx';
import { ConfirmProvider } from '#web/ui/confirm-dialog.tsx';
import { CONNECTION_BAR_PX, ConnectionBar } from './connection-bar.tsx';
import { Header } from './header.tsx';
import { IdleWarning } from './idle-warning.tsx';
import { titleOf } from './navigation.ts';
import { CommandCentre } from './palette/command-centre.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { useSidebarFold } from './use-sidebar-fold.ts';

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
      // Nothing that one person saw stays in memory for the next.
      queryClient.clear();
      leaveExpiredSession();
    };
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      <Tooltip.Group openDelay={TOOLTIP_DELAY_MS} closeDelay={TOOLTIP_SKIP_DELAY_MS}>
        <Frame>{children ?? <Outlet />}</Frame>
        <CommandCentre />
        <ConfirmIdentity />
        <IdleWarning />
        <SignInAgain />
      </Tooltip.Group>
    </QueryClientProvider>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const [drawerOpened, drawer] = useDisclosure(false);
  const [folded] = useSidebarFold();
  const connected = useConnection() === 'online';
  const path = useRouterState({ select: (state) => state.location.pathname });
  const title = titleOf(path);
  const main = useRef<HTMLElement>(null);
  const formerPath = useRef(path);

  useEffect(() => {
    if (formerPath.current === path) return;
    formerPath.current = path;
    // A new page: people with keyboard or screen reader start at its top, not in the sidebar.
    main.current?.focus({ preventScroll: true });
  }, [path]);

  return (
    <AppShell
      layout="alt"
      header={{ height: connected ? HEADER_PX : HEADER_PX + CONNECTION_BAR_PX }}
      navbar={{ width: folded ? FOLDED_PX : SIDEBAR_PX, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding={0}
      transitionDuration={0}
    >
      <title>{`${title} · ${productName}`}</title>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <AppShell.Navbar aria-label="Main" visibleFrom="sm" className={classes.navbar ?? ''}>
        <Sidebar folded={folded} />
      </AppShell.Navbar>
      <AppShell.Header className={classes.header ?? ''}>
        <ConnectionBar />
        <Header title={title} drawerOpened={drawerOpened} onToggleDrawer={drawer.toggle} />
      </AppShell.Header>
      <Drawer
        opened={drawerOpened}
        onClose={drawer.close}
        size={272}
        padding={0}
        withCloseButton={false}
        hiddenFrom="sm"
        transitionProps={{ duration: 120 }}
        attributes={{ content: { 'aria-label': 'Menu' } }}
        styles={{ body: { height: '100%' } }}
      >
        <nav aria-label="Main" className={classes.drawer}>
          <Sidebar onNavigate={drawer.close} />
        </nav>
      </Drawer>
      <AppShell.Main id="main" ref={main} tabIndex={-1}>
        <div className={classes.content}>
          <ConfirmProvider>{children}</ConfirmProvider>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
