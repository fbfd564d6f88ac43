// The four totals at the head of the overview, each the way to what it counts.

import { SimpleGrid, Skeleton } from '@mantine/core';
import { IconActivity, IconBuilding, IconFiles, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Overview } from '#contract/activity.ts';
import { formatCount } from '#web/lib/format.ts';
import classes from './stat-cards.module.css';

const cards = [
  {
    total: 'clients',
    title: 'Total Clients',
    subtitle: 'Registered client companies',
    to: '/clients',
    icon: IconBuilding,
  },
  { total: 'users', title: 'Total Users', subtitle: 'System users across all roles', to: '/users', icon: IconUsers },
  {
    total: 'files',
    title: 'Total Files',
    subtitle: 'Uploaded documents and reports',
    to: '/file-upload',
    icon: IconFiles,
  },
  {
    total: 'activity',
    title: 'Recent Activity',
    subtitle: 'File uploads and downloads',
    to: '/activity',
    icon: IconActivity,
  },
] as const;

/** `totals` is undefined while they are awaited or could not be had. */
export function StatCards({ totals }: { totals: Overview['totals'] | undefined }) {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" mb="lg" aria-busy={totals === undefined}>
      {cards.map(({ total, title, subtitle, to, icon: Icon }) => (
        <Link key={total} to={to} className={classes.card ?? ''}>
          <span className={classes.title}>
            {title}
            <Icon size={17} stroke={1.75} aria-hidden />
          </span>
          <span className={classes.figure}>
            {totals ? formatCount(totals[total]) : <Skeleton height={22} width={56} my={5} />}
          </span>
          <span className={classes.subtitle}>{subtitle}</span>
        </Link>
      ))}
    </SimpleGrid>
  );
}
