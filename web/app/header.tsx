// The header: the page's title, the company's name or the chosen client, and who is signed in.

import { ActionIcon, Burger, Button, Tooltip } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isClientUser } from '#contract/policy/actor.ts';
import { clientQuery } from '#web/data/clients.ts';
import { signOut } from '#web/data/session.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { usePageFacts } from '#web/lib/page-facts.ts';
import { useFirmFace } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ALL_COMPANIES, choosesClient, keepsChosenClient, useClientOfPage } from '#web/parts/clients/chosen-client.ts';
import { useBeforePrint } from '#web/ui/use-before-print.ts';
import { AccountMenu } from './account-menu.tsx';
import { ClientChooser } from './client-chooser.tsx';
import classes from './header.module.css';
import { PaletteButton } from './palette/palette-button.tsx';
import { PreparedZips } from './prepared-zips.tsx';
import { useSidebarFold } from './use-sidebar-fold.ts';

export interface HeaderProps {
  title: string;
  drawerOpened: boolean;
  onToggleDrawer: () => void;
}

export function Header({ title, drawerOpened, onToggleDrawer }: HeaderProps) {
  const user = useSessionUser();
  const name = user.fullName || user.username;
  return (
    <div className={classes.header}>
      <div className={classes.start}>
        <Burger
          opened={drawerOpened}
          onClick={onToggleDrawer}
          size="sm"
          hiddenFrom="sm"
          className={classes.burger ?? ''}
          aria-label={drawerOpened ? 'Close menu' : 'Open menu'}
          aria-expanded={drawerOpened}
        />
        <FoldButton />
        {/* The heading is that of the page. */}
        <p className={classes.title} title={title}>
          {title}
        </p>
      </div>
      {isClientUser(user) ? (
        <ClientName />
      ) : choosesClient(user) ? (
        <ClientChooser className={classes.chooser ?? ''} />
      ) : (
        <span />
      )}
      <div className={classes.end}>
        <PaletteButton />
        <PreparedZips />
        <span className={classes.welcome} title={name}>
          Welcome, {name}
        </span>
        <AccountMenu name={name} />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconLogout size={15} aria-hidden />}
          className={classes.logout ?? ''}
          onClick={signOut}
          aria-label="Logout"
        >
          Logout
        </Button>
      </div>
      <Printed by={user.look === null ? name : null} />
    </div>
  );
}

/** On paper alone: when it was printed, and by whom; in a look, nobody whom the page knows. */
function Printed({ by }: { by: string | null }) {
  const [at, setAt] = useState('');
  const { name } = useFirmFace();
  useBeforePrint(() => setAt(new Date().toISOString()));
  return (
    <p className={classes.printed}>
      Printed {at === '' ? '' : formatDateTime(at)}
      {by === null ? '' : ` by ${by}`}
      {` · ${name}`}
    </p>
  );
}

function FoldButton() {
  const [folded, setFolded] = useSidebarFold();
  const label = folded ? 'Expand sidebar' : 'Collapse sidebar';
  const Icon = folded ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <Tooltip label={label}>
      <ActionIcon
        visibleFrom="sm"
        ml={-6}
        aria-label={label}
        aria-expanded={!folded}
        onClick={() => setFolded(!folded)}
      >
        <Icon size={19} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** The company of a Client user; of several the one that the page shows or that is chosen, else all (docs/behaviour.md, Screens: sidebar and header). */
function ClientName() {
  const user = useSessionUser();
  const [chosen] = useClientOfPage();
  const { clientId: ofPage } = usePageFacts();
  const clientId = keepsChosenClient(user) ? (ofPage ?? chosen) : (user.clientIds[0] ?? null);
  const { data } = useQuery({ ...clientQuery(clientId ?? 0), enabled: clientId !== null });
  const name = clientId === null && user.clientIds.length > 1 ? ALL_COMPANIES : data?.name;
  return (
    <p className={classes.client} title={name}>
      {name}
    </p>
  );
}
