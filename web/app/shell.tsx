// The frame around every page of a signed-in person: sidebar, header, content.

import { AppShell, Drawer, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { queryClient } from '#web/data/query-client.ts';
import { productName } from '#web/lib/product.ts';
import { getSession } from '#web/lib/session.ts';
import { ConfirmProvider } from '#web/ui/confirm-dialog.tsx';
import { Header } from './header.tsx';
import { titleOf } from './navigation.ts';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

/** Spec 9. */
const TOOLTIP_DELAY_MS = 700;
const TOOLTIP_SKIP_DELAY_MS = 300;

export function Shell({ children }: { children?: ReactNode }) {
  useEffect(
    () => () => {
      // Nothing that one person was shown waits in memory for the next.
      if (getSession() === null) queryClient.clear();
    },
    [],
  );
  return (
    <QueryClientProvider client={queryClient}>
      <Frame>{children ?? <Outlet />}</Frame>
    </QueryClientProvider>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const [drawerOpened, drawer] = useDisclosure(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const title = titleOf(path);
  const main = useRef<HTMLElement>(null);
  const formerPath = useRef(path);

  useEffect(() => {
    if (formerPath.current === path) return;
    formerPath.current = path;
    // A new page: whoever reads by keyboard or ear starts at its top, not in the sidebar.
    main.current?.focus({ preventScroll: true });
  }, [path]);

  return (
    <AppShell
      layout="alt"
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding={0}
      transitionDuration={0}
    >
      <title>{`${title} · ${productName}`}</title>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <AppShell.Navbar aria-label="Main" className={classes.navbar ?? ''}>
        <Sidebar />
      </AppShell.Navbar>
      <AppShell.Header className={classes.header ?? ''}>
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
          <Tooltip.Group openDelay={TOOLTIP_DELAY_MS} closeDelay={TOOLTIP_SKIP_DELAY_MS}>
            <ConfirmProvider>{children}</ConfirmProvider>
          </Tooltip.Group>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
