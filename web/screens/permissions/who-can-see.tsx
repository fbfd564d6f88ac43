// "Who can see this?", asked of a user or of a client.

import { Paper, SegmentedControl } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { mayAttempt } from '#contract/policy.ts';
import { usersQuery } from '#web/data/users.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientSelect } from '#web/parts/clients/client-select.tsx';
import { addressOf, readId } from '#web/parts/files/file-filters.ts';
import { UserSelect } from '#web/parts/users/user-select.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { ClientViewers } from './client-viewers.tsx';
import { ReachWaiting, UserReachView } from './user-reach.tsx';
import classes from './who-can-see.module.css';

const BY_CLIENT = 'client';
const BY_USER = 'user';

export function ReachQuestion() {
  const viewer = useSessionUser();
  // A person who sees no other user has one question left: what do I see?
  if (!mayAttempt(viewer, 'permissions.explain')) return <UserReachView user={viewer} />;
  return <Question />;
}

function Question() {
  const { filters, setFilters } = useListSearch({
    sorts: ['name'],
    defaultSort: 'name',
    // A user is named by user name: the list finds one by it, whatever page it would be on.
    filters: ['by', 'user', 'client'],
  });
  const byClient = filters.by === BY_CLIENT;
  const clientId = readId(filters.client);

  return (
    <>
      <div className={classes.question}>
        <SegmentedControl
          aria-label="Ask about"
          value={byClient ? BY_CLIENT : BY_USER}
          onChange={(by) => setFilters({ by: by === BY_CLIENT ? BY_CLIENT : '' })}
          data={[
            { value: BY_USER, label: 'What a user sees' },
            { value: BY_CLIENT, label: 'Who sees a client' },
          ]}
        />
        {byClient ? (
          <ClientSelect
            aria-label="Client"
            value={clientId}
            onChange={(id) => setFilters({ client: addressOf(id) })}
            w={{ base: '100%', xs: 320 }}
          />
        ) : null}
        {byClient ? null : <UserQuestion username={filters.user} onChange={(user) => setFilters({ user })} />}
      </div>
      {byClient ? <ClientAnswer clientId={clientId} /> : <UserAnswer username={filters.user} />}
    </>
  );
}

/** The user that the address names. All who match are asked for: a user name such as `client` is in the role of hundreds. */
function useNamedUser(username: string) {
  const query = useQuery({ ...usersQuery({ q: username }), enabled: username !== '' });
  const user = username === '' ? undefined : query.data?.rows.find((row) => row.username === username);
  return { ...query, user, settled: query.data !== undefined && !query.isPlaceholderData };
}

function UserQuestion({ username, onChange }: { username: string; onChange: (username: string) => void }) {
  const { user } = useNamedUser(username);
  return (
    <UserSelect
      aria-label="User"
      value={user?.id ?? null}
      knownAs={user}
      onChange={(_id, chosen) => {
        if (chosen) onChange(chosen.username);
      }}
      w={{ base: '100%', xs: 320 }}
    />
  );
}

function UserAnswer({ username }: { username: string }) {
  const { user, error, isFetching, refetch, settled } = useNamedUser(username);
  if (username === '') return <Nothing title="Choose a user" hint="The clients and report types they see, and why." />;
  if (user) return <UserReachView key={user.id} user={user} />;
  if (error) return <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />;
  return settled ? <Nothing title="This user was not found" hint="Choose another one." /> : <ReachWaiting />;
}

function ClientAnswer({ clientId }: { clientId: number | null }) {
  return clientId === null ? (
    <Nothing title="Choose a client" hint="The people who see it, and why." />
  ) : (
    <ClientViewers key={clientId} clientId={clientId} />
  );
}

function Nothing({ title, hint }: { title: string; hint: string }) {
  return (
    <Paper withBorder radius="md">
      <EmptyState title={title} hint={hint} icon={<IconEye size={24} stroke={1.5} />} />
    </Paper>
  );
}
