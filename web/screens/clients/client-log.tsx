// The newest entries of the log about a client.

import { IconActivity } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ActivityRow } from '#contract/activity.ts';
import { actsOf } from '#contract/activity-words.ts';
import type { ClientRow } from '#contract/clients.ts';
import { activityReach } from '#contract/policy/reach.ts';
import { activityQuery } from '#web/data/activity.ts';
import type { ListPage } from '#web/lib/api.ts';
import { formatDateTime, formatText } from '#web/lib/format.ts';
import { empty } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ActivityBadge, OWN_ACTIVITY } from '#web/parts/activity/activity-action.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CardBody, ClientCard } from './client-card.tsx';
import classes from './client-page.module.css';

const SHOWN = 6;
/** Some entries are no acts. */
const READ = 20;

/** The newest entries about a client, as this page asks for them. */
export const logQuery = (clientId: number) => activityQuery({ clientId, limit: READ });

export interface ClientLogProps {
  client: Pick<ClientRow, 'id' | 'name'>;
  query: UseQueryResult<ListPage<ActivityRow>>;
}

export function ClientLog({ client, query }: ClientLogProps) {
  const isOwn = activityReach(useSessionUser()) === 'own';
  return (
    <ClientCard
      title="Activity"
      all={{ what: `activity of ${client.name}`, to: '/activity', search: { client: String(client.id) } }}
    >
      <CardBody query={query} lines={6}>
        {({ rows }) => {
          const acts = actsOf(rows).slice(0, SHOWN);
          return (
            <>
              {isOwn ? <p className={classes.sum}>{OWN_ACTIVITY}</p> : null}
              {acts.length === 0 ? (
                <EmptyState
                  title={empty.activities}
                  hint={`What ${isOwn ? 'you do' : 'is done'} with its files appears here.`}
                  icon={<IconActivity size={24} stroke={1.5} />}
                />
              ) : (
                <ul className={classes.entries}>
                  {acts.map((entry) => (
                    <li key={entry.id}>
                      <span className={classes.who}>{formatText(entry.userName)}</span>
                      <ActivityBadge entry={entry} />
                      <span className={classes.why}>
                        <Breakable text={formatText(entry.fileName || entry.details)} />
                        <br />
                        <time dateTime={entry.timestamp}>{formatDateTime(entry.timestamp)}</time>
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </>
          );
        }}
      </CardBody>
    </ClientCard>
  );
}
