// What a client is asked for, what is due first on top: how many items it owes, and the way to each request.
import { Anchor, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ClientRow } from '#contract/clients.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { RequestRow } from '#contract/requests.ts';
import type { RequestsFilter } from '#web/data/requests.ts';
import type { ListPage } from '#web/lib/api.ts';
import { requestEmpty, requestWords } from '#web/lib/request-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { DueDay } from '#web/parts/requests/due-day.tsx';
import { loadRequestDialog } from '#web/parts/requests/load-request-dialog.ts';
import { RemindedDay } from '#web/parts/requests/reminded.tsx';
import type { AskedClient } from '#web/parts/requests/request-dialog.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { CardBody, ClientCard } from './client-card.tsx';
import classes from './client-page.module.css';

const REQUESTS_SHOWN = 5;

export const openRequests = (clientId: number): RequestsFilter => ({ clientId, state: 'open', limit: REQUESTS_SHOWN });

export interface ClientRequestsProps {
  client: Pick<ClientRow, 'id' | 'name'>;
  query: UseQueryResult<ListPage<RequestRow>>;
}

export function ClientRequests({ client, query }: ClientRequestsProps) {
  const user = useSessionUser();
  const asking = useLazyDialog<AskedClient>(loadRequestDialog);
  return (
    <ClientCard
      title="Requests"
      all={{
        what: `requests to ${client.name}`,
        to: '/requests',
        search: { client: String(client.id), state: 'any' },
      }}
    >
      <CardBody query={query} lines={2}>
        {({ rows }) => (
          <>
            {rows.length === 0 ? (
              <p className={classes.none}>{requestEmpty.ofClient}</p>
            ) : (
              <ul className={classes.entries} aria-label="Open requests">
                {rows.map((request) => (
                  <li key={request.id}>
                    <span className={classes.who}>
                      <Anchor
                        component={PageLink}
                        to="/requests/$id"
                        params={{ id: String(request.id) }}
                        inherit
                        lh="1.5rem"
                      >
                        <Breakable text={request.title} />
                      </Anchor>
                    </span>
                    <span className={classes.role}>{requestWords.progress(request, false)}</span>
                    <span className={classes.why}>
                      <DueDay request={request} />
                      <RemindedDay request={request} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
            {mayAttempt(user, 'requests.manage') ? (
              <p className={classes.none}>
                <Button
                  variant="default"
                  size="xs"
                  leftSection={<IconPlus size={15} aria-hidden />}
                  onClick={() => void asking.open({ client })}
                >
                  New Request
                </Button>
              </p>
            ) : null}
          </>
        )}
      </CardBody>
      {asking.element}
    </ClientCard>
  );
}
