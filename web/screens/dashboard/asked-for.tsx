// What the home of a Client user begins with where the firm asks for something: each open request with its items, to answer them here.
import { Anchor, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { mayAttempt } from '#contract/policy.ts';
import type { RequestRow } from '#contract/requests.ts';
import { askedQuery, requestQuery } from '#web/data/requests.ts';
import { formatTotal } from '#web/lib/format.ts';
import { requestWords } from '#web/lib/request-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ALL_IN_ADDRESS, reachesSeveral } from '#web/parts/clients/chosen-client.ts';
import { DueDay } from '#web/parts/requests/due-day.tsx';
import { RequestItems } from '#web/parts/requests/request-items.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import classes from './asked-for.module.css';
import homeClasses from './home.module.css';

export function AskedFor() {
  const user = useSessionUser();
  const seen = mayAttempt(user, 'requests.read');
  const asked = useQuery({ ...askedQuery(), enabled: seen });
  if (!seen || asked.data === undefined || asked.data.total === 0) return null;
  const { rows, total } = asked.data;
  return (
    <section aria-labelledby="asked-for" className={classes.section}>
      <div className={homeClasses.head}>
        <Title order={3} id="asked-for">
          {requestWords.home}
        </Title>
        <Anchor component={PageLink} to="/requests" search={{ client: ALL_IN_ADDRESS }} fz="sm" lh="1.5rem">
          {total > rows.length ? requestWords.more(formatTotal(asked.data)) : requestWords.all}
        </Anchor>
      </div>
      {rows.map((request) => (
        <Asked key={request.id} request={request} withClient={reachesSeveral(user)} />
      ))}
    </section>
  );
}

function Asked({ request, withClient }: { request: RequestRow; withClient: boolean }) {
  const details = useQuery(requestQuery(request.id));
  return (
    <article className={classes.request} aria-label={request.title}>
      <div className={classes.head}>
        <Anchor
          component={PageLink}
          to="/requests/$id"
          params={{ id: String(request.id) }}
          inherit
          fw={600}
          lh="1.5rem"
          style={{ overflowWrap: 'anywhere' }}
        >
          <Breakable text={request.title} />
        </Anchor>
        {withClient ? <span className={classes.client}>{request.clientName}</span> : null}
        <span className={classes.due}>
          {request.owed === 0 ? requestWords.nothingOwed : <DueDay request={request} />}
        </span>
      </div>
      {request.message === '' ? null : <p className={classes.message}>{request.message}</p>}
      {details.data ? (
        <RequestItems details={details.data} />
      ) : details.error ? (
        <ErrorState message={details.error.message} onRetry={() => void details.refetch()} busy={details.isFetching} />
      ) : (
        // As high as its items will be, nearly: little moves when they come.
        <div aria-hidden style={{ height: `${request.items * 56}px` }} />
      )}
    </article>
  );
}
