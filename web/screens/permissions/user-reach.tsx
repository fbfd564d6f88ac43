// What one user sees, and why.

import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { mayAttempt } from '#contract/policy.ts';
import type { UserReach } from '#contract/roles.ts';
import type { UserRow } from '#contract/users.ts';
import { userReachQuery } from '#web/data/permissions.ts';
import { formatCount } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { ReachList } from './reach-list.tsx';
import classes from './who-can-see.module.css';

const counted = (count: number, one: string, many: string) => `${formatCount(count)} ${count === 1 ? one : many}`;

type Person = Pick<UserRow, 'id' | 'username' | 'fullName' | 'roleName' | 'allClients'>;

function summaryOf(user: Person, own: boolean, { reach, clients, reportTypes }: UserReach): string {
  const who = own ? 'You' : user.fullName;
  const verb = own ? 'see' : 'sees';
  const what = `${counted(clients.length, 'client', 'clients')} and ${counted(reportTypes.length, 'report type', 'report types')}`;
  if (reach === 'all') return `${who} ${verb} everything, because the role ${user.roleName} does: ${what}.`;
  const whose = own ? 'your' : 'their';
  if (clients.length === 0 && reportTypes.length === 0) {
    return `${who} ${verb} no client and no report type: ${whose} access lists name none.`;
  }
  return user.allClients
    ? `${who} ${verb} ${what}: all clients, also later ones, and the report types that ${whose} access list names.`
    : `${who} ${verb} ${what}, because ${whose} access lists name them.`;
}

export function UserReachView({ user }: { user: Person }) {
  const viewer = useSessionUser();
  const { data, error, isFetching, refetch } = useQuery({ ...userReachQuery(user.id), staleTime: 0 });
  if (data === undefined) {
    return error ? (
      <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />
    ) : (
      <ReachWaiting />
    );
  }
  const own = user.id === viewer.id;
  return (
    <>
      <Text mb={4} role="status">
        {summaryOf(user, own, data)}
      </Text>
      <Text size="sm" c="dimmed" mb="md">
        A report is seen where both its client and its report type are listed; a company document where its client is.
        {mayAttempt(viewer, 'users.update') && data.reach === 'lists' ? (
          <>
            {' '}
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => <Link to="/users" search={{ q: user.username }} {...props} />}
            >
              Access lists are changed on Users.
            </Anchor>
          </>
        ) : null}
      </Text>
      <div className={classes.lists}>
        <ReachList title="Clients" noun="clients" entries={data.clients} none="No clients" />
        <ReachList title="Report types" noun="report types" entries={data.reportTypes} none="No report types" />
      </div>
    </>
  );
}

/** Grey blocks in the place of the two lists. */
export function ReachWaiting() {
  return (
    <div className={classes.lists} role="status" aria-label="Loading...">
      <Skeleton height={220} radius="md" aria-hidden />
      <Skeleton height={220} radius="md" aria-hidden />
    </div>
  );
}
