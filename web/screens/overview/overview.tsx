// The overview of an Admin, and the home of everyone who is neither CPA nor Client.

import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { overviewQuery } from '#web/data/overview.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { MarkedCard } from '#web/parts/files/marked-card.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { useWindowRegained } from '#web/ui/use-window-regained.ts';
import { BackupLine, BackupWarning } from './backup-note.tsx';
import { FirstSteps } from './first-steps.tsx';
import { MailCard } from './mail-card.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { RecentUploads } from './recent-uploads.tsx';
import { StatCards } from './stat-cards.tsx';
import { SuggestionCards } from './suggestion-cards.tsx';

const ACTIVITY = 'activity';
const UPLOADS = 'uploads';

export function OverviewScreen() {
  const user = useSessionUser();
  const overview = useQuery(overviewQuery());
  useWindowRegained(() => void overview.refetch({ cancelRefetch: false }));

  const address = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = (tab: string | null) =>
    void navigate({
      to: '.',
      search: tab === UPLOADS ? { tab } : {},
      resetScroll: false,
    });

  return (
    <>
      <PageHeader
        title={`Welcome, ${user.fullName || 'User'}`}
        subtitle="Here's an overview of your tax document management system"
      />
      <FirstSteps />
      <BackupWarning backup={overview.data?.backup} />
      <StatCards totals={overview.data?.totals} failed={overview.isError} />
      <MarkedCard />
      <MailCard />
      <SuggestionCards />
      <Tabs value={address.tab === UPLOADS ? UPLOADS : ACTIVITY} onChange={show} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value={ACTIVITY}>Recent Activity</Tabs.Tab>
          <Tabs.Tab value={UPLOADS}>Recent Uploads</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={ACTIVITY}>
          <RecentActivity query={overview} />
        </Tabs.Panel>
        <Tabs.Panel value={UPLOADS}>
          <RecentUploads query={overview} />
        </Tabs.Panel>
      </Tabs>
      <BackupLine backup={overview.data?.backup} />
    </>
  );
}
