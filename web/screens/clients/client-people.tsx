// Who sees a client, and why: the first few, with the way to all of them.

import { IconUsers } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ClientRow } from '#contract/clients.ts';
import type { ClientReach } from '#contract/roles.ts';
import { clientReachQuery } from '#web/data/permissions.ts';
import { formatCount } from '#web/lib/format.ts';
import { lookAction } from '#web/parts/users/look-action.tsx';
import { whyLabels } from '#web/parts/users/why-labels.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { CardBody, ClientCard } from './client-card.tsx';
import classes from './client-page.module.css';

const SHOWN = 6;

/** Who sees a client, as this page asks it. */
export const peopleQuery = (clientId: number) => ({ ...clientReachQuery(clientId), staleTime: 0 });

/** For people who may ask it: permissions.explain. */
export interface ClientPeopleProps {
  client: Pick<ClientRow, 'id' | 'name'>;
  query: UseQueryResult<ClientReach>;
}

export function ClientPeople({ client, query }: ClientPeopleProps) {
  return (
    <ClientCard
      title="People"
      all={{
        what: `people who see ${client.name}`,
        to: '/permissions',
        search: { tab: 'who', by: 'client', client: String(client.id) },
      }}
    >
      <CardBody query={query} lines={4}>
        {({ users }) => {
          if (users.length === 0) {
            return (
              <EmptyState
                title="Nobody sees this client"
                hint={<Link to="/users">Give somebody access on Users</Link>}
                icon={<IconUsers size={24} stroke={1.5} />}
              />
            );
          }
          // Those whom somebody let in by name come first: the others see every client.
          const sorted = [...users].sort((a, b) => Number(a.why === 'reach-all') - Number(b.why === 'reach-all'));
          return (
            <>
              <p className={classes.sum}>
                {users.length === 1 ? '1 person sees' : `${formatCount(users.length)} people see`} this client
              </p>
              <ul className={classes.entries}>
                {sorted.slice(0, SHOWN).map((person) => {
                  const look = person.mayLook ? lookAction(person, person.roleKey === 'client') : null;
                  return (
                    <li key={person.id}>
                      <span className={classes.who}>{person.fullName}</span>
                      <span className={classes.role}>{person.roleName}</span>
                      <span className={classes.why}>{whyLabels[person.why]}</span>
                      {look === null ? null : (
                        <span className={classes.look}>
                          <IconButton {...look} />
                        </span>
                      )}
                    </li>
                  );
                })}
              </ul>
            </>
          );
        }}
      </CardBody>
    </ClientCard>
  );
}
