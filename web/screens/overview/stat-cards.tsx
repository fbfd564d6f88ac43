// The totals at the top of the overview, each a link to what it counts.

import { SimpleGrid, Skeleton } from '@mantine/core';
import { IconActivity, IconBuilding, IconFileAlert, IconFiles, IconListDetails, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Overview } from '#contract/activity.ts';
import { boardPeriodName, yearsDueNow } from '#contract/completeness-words.ts';
import { can } from '#contract/policy/actor.ts';
import { reachesEveryUser } from '#contract/policy/reach.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { SessionUser } from '#contract/session.ts';
import { boardSummaryQuery } from '#web/data/completeness.ts';
import { requestSummaryQuery } from '#web/data/requests.ts';
import { formatCount, formatText } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ofAllClients } from '#web/parts/clients/chosen-client.ts';
import { useToday } from '#web/ui/moment.tsx';
import classes from '#web/ui/stat-card.module.css';
import { useWindowRegained } from '#web/ui/use-window-regained.ts';
import { overviewFailed } from './overview-messages.ts';

interface Card {
  readonly total: keyof Overview['totals'];
  readonly title: string;
  readonly subtitle: string;
  readonly icon: typeof IconFiles;
  readonly to: string;
  /** What its address says, where that screen follows the chosen client. */
  readonly search?: typeof ofAllClients;
  /** Whether the viewer has anything to do on that screen. */
  readonly leads: (viewer: SessionUser) => boolean;
}

const noSearch: typeof ofAllClients = () => ({});

const cards: readonly Card[] = [
  {
    total: 'clients',
    title: 'Total Clients',
    subtitle: 'Registered client companies',
    icon: IconBuilding,
    to: '/clients',
    leads: (viewer) => mayAttempt(viewer, 'clients.create'),
  },
  {
    total: 'users',
    title: 'Total Users',
    subtitle: 'System users across all roles',
    icon: IconUsers,
    to: '/users',
    leads: (viewer) => mayAttempt(viewer, 'users.create'),
  },
  {
    total: 'files',
    title: 'Total Files',
    subtitle: 'Uploaded documents and reports',
    icon: IconFiles,
    to: '/file-upload',
    search: ofAllClients,
    leads: (viewer) => mayAttempt(viewer, 'files.upload') || can(viewer, 'files.delete'),
  },
  {
    total: 'activity',
    title: 'Recent Activity',
    subtitle: 'File uploads and downloads',
    icon: IconActivity,
    to: '/activity',
    search: ofAllClients,
    leads: () => true,
  },
];

export interface StatCardsProps {
  /** Undefined while they load, or where they could not be loaded. */
  totals: Overview['totals'] | undefined;
  failed: boolean;
}

/** What is past due by now; it leads to the board. */
function MissingCard() {
  const viewer = useSessionUser();
  const period = yearsDueNow(useToday());
  const summary = useQuery(boardSummaryQuery({ period }));
  useWindowRegained(() => void summary.refetch({ cancelRefetch: false }));
  const words = summary.isError ? formatText(null) : <Skeleton height={22} width={56} my={5} />;
  return (
    <Link
      to="/completeness"
      search={{ period, state: 'missing', ...ofAllClients(viewer) }}
      className={classes.card ?? ''}
    >
      <span className={classes.title}>
        Missing Reports
        <IconFileAlert size={17} stroke={1.75} aria-hidden />
      </span>
      <span className={classes.figure}>{summary.data ? formatCount(summary.data.missing) : words}</span>
      <span className={classes.subtitle}>{`Past due in ${boardPeriodName(period)}`}</span>
    </Link>
  );
}

/** What clients owe the firm; it leads to all that is open, what is due first on top. */
function RequestsCard() {
  const viewer = useSessionUser();
  const summary = useQuery(requestSummaryQuery(useToday()));
  useWindowRegained(() => void summary.refetch({ cancelRefetch: false }));
  const words = summary.isError ? formatText(null) : <Skeleton height={22} width={56} my={5} />;
  const { open = 0, overdue = 0, toReview = 0 } = summary.data ?? {};
  return (
    <Link to="/requests" search={ofAllClients(viewer)} className={classes.card ?? ''}>
      <span className={classes.title}>
        Open Requests
        <IconListDetails size={17} stroke={1.75} aria-hidden />
      </span>
      <span className={classes.figure}>{summary.data ? formatCount(open) : words}</span>
      {/* Not said before it is known; its room is kept. */}
      <span className={classes.subtitle} style={summary.isPending ? { visibility: 'hidden' } : undefined}>
        {summary.data || summary.isPending
          ? `${formatCount(overdue)} late, ${formatCount(toReview)} to review`
          : overviewFailed.summary}
      </span>
    </Link>
  );
}

export function StatCards({ totals, failed }: StatCardsProps) {
  const viewer = useSessionUser();
  const shown = cards.filter((card) => card.total !== 'users' || reachesEveryUser(viewer));
  const seesMissing = mayAttempt(viewer, 'completeness.read');
  const seesRequests = mayAttempt(viewer, 'requests.read');
  const count = shown.length + (seesMissing ? 1 : 0) + (seesRequests ? 1 : 0);
  const missing = failed ? formatText(null) : <Skeleton height={22} width={56} my={5} />;
  return (
    <SimpleGrid
      cols={{ base: 2, md: count > 5 ? 3 : count, lg: count }}
      spacing="md"
      mb="lg"
      aria-busy={totals === undefined && !failed}
    >
      {shown.map(({ total, title, subtitle, icon: Icon, to, search = noSearch, leads }) => {
        const content = (
          <>
            <span className={classes.title}>
              {title}
              <Icon size={17} stroke={1.75} aria-hidden />
            </span>
            <span className={classes.figure}>{totals ? formatCount(totals[total] ?? 0) : missing}</span>
            <span className={classes.subtitle}>{subtitle}</span>
          </>
        );
        return leads(viewer) ? (
          <Link key={total} to={to} search={search(viewer)} className={classes.card ?? ''}>
            {content}
          </Link>
        ) : (
          <div key={total} className={classes.card}>
            {content}
          </div>
        );
      })}
      {seesMissing ? <MissingCard /> : null}
      {seesRequests ? <RequestsCard /> : null}
    </SimpleGrid>
  );
}
