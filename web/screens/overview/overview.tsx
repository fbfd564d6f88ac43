// The overview of an Admin, and the home of everyone who is neither CPA nor Client.

import { Tabs } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '#web/data/overview.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { PageHeader } from '#web/ui/page-header.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { RecentUploads } from './recent-uploads.tsx';
import { StatCards } from './stat-cards.tsx';

export function OverviewScreen() {
  const user = useSessionUser();
  const overview = useQuery(overviewQuery());
  // The query notices a tab that is shown again; a window that comes back beside another one is told only here.
  useWindowEvent('focus', () => void overview.refetch({ cancelRefetch: false }));
  return (
    <>
      <PageHeader
        title={`Welcome, ${user.fullName || 'User'}`}
        subtitle="Here's an overview of your tax document management system"
      />
      <StatCards totals={overview.data?.totals} />
      <Tabs defaultValue="activity" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="activity">Recent Activity</Tabs.Tab>
          <Tabs.Tab value="uploads">Recent Uploads</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="activity">
          <RecentActivity query={overview} />
        </Tabs.Panel>
        <Tabs.Panel value="uploads">
          <RecentUploads query={overview} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
