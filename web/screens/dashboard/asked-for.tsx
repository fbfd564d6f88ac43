// On the home of a Client user, where the firm asks for something: each open request with its items, to answer them here.
import { Anchor, Button, Title } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayAttempt } from '#contract/policy.ts';
import type { RequestRow } from '#contract/requests.ts';
import { useAnswerUploads } from '#web/data/request-uploads.ts';
import { askedQuery, requestQuery } from '#web/data/requests.ts';
import { formatTotal } from '#web/lib/format.ts';
import { requestFailed, requestWords } from '#web/lib/request-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ALL_IN_ADDRESS, reachesSeveral } from '#web/parts/clients/chosen-client.ts';
import { DueDay } from '#web/parts/requests/due-day.tsx';
import { RequestItems, type RequestItemsProps, useSayingNot } from '#web/parts/requests/request-items.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import classes from './asked-for.module.css';
import homeClasses from './home.module.css';

export function AskedFor() {
  // Here, and not with its request: what is typed stays where that is closed or done meanwhile, and goes from the home.
  const saying = useSayingNot();
  return (
    <>
      <AskedRequests saying={saying} />
      {saying.element}
    </>
  );
}

type Saying = Pick<RequestItemsProps, 'saying'>;

function AskedRequests({ saying }: Saying) {
  const user = useSessionUser();
  const seen = mayAttempt(user, 'requests.read');
  const asked = useQuery({ ...askedQuery(), enabled: seen });
  if (!seen || asked.data?.total === 0) return null;
  // Once it has failed it stays so, also while it is asked for again.
  if (asked.data === undefined) return asked.errorUpdateCount > 0 ? <Unread asked={asked} /> : null;
  const { rows, total } = asked.data;
  const isMore = total > rows.length;
  return (
    <section aria-labelledby="asked-for" className={classes.section}>
      <div className={homeClasses.head}>
        <Title order={3} id="asked-for">
          {requestWords.home}
        </Title>
        <Anchor
          component={PageLink}
          to="/requests"
          search={{ client: ALL_IN_ADDRESS, ...(isMore ? { state: 'open', sort: 'dueOn' } : {}) }}
          fz="sm"
          lh="1.5rem"
        >
          {isMore ? requestWords.more(formatTotal(asked.data)) : requestWords.all}
        </Anchor>
      </div>
      {rows.map((request, index) => (
        <Asked
          key={request.id}
          request={request}
          withClient={reachesSeveral(user)}
          folds={rows.length > 1}
          isFirst={index === 0}
          saying={saying}
        />
      ))}
    </section>
  );
}

/** It is not known what the firm asks for: that must not look as if it asked for nothing. */
function Unread({ asked: { error, isFetching, refetch } }: { asked: UseQueryResult<unknown> }) {
  return (
    <section aria-labelledby="asked-for" className={classes.section}>
      <Title order={3} id="asked-for">
        {requestWords.home}
      </Title>
      <ErrorState message={requestFailed.read} hint={error?.message} onRetry={() => void refetch()} busy={isFetching} />
    </section>
  );
}

interface AskedProps extends Saying {
  request: RequestRow;
  withClient: boolean;
  /** Whether its items can be put away. */
  folds: boolean;
  /** The one that is due first shows its items from the beginning. */
  isFirst: boolean;
}

function Asked({ request, withClient, folds, isFirst, saying }: AskedProps) {
  const [toggled, setToggled] = useState<boolean | null>(null);
  const shown = !folds || (toggled ?? isFirst);
  const details = useQuery({ ...requestQuery(request.id), enabled: shown });
  const uploads = useAnswerUploads();
  // Of the files for the last item one may be there, and others on their way or failed.
  const isSending = details.data?.items.some(({ id }) => uploads.some(({ itemId }) => itemId === id)) ?? false;
  const itemsId = `items-of-request-${request.id}`;
  // Several companies are often asked for the same.
  const name = withClient ? `${request.title}, ${request.clientName}` : request.title;
  const fold = shown ? requestWords.hideItems : requestWords.showItems(request.items);
  return (
    <article className={classes.request} aria-label={name}>
      <div className={classes.head}>
        <Anchor
          component={PageLink}
          to="/requests/$id"
          params={{ id: String(request.id) }}
          aria-label={name}
          inherit
          fw={600}
          lh="1.5rem"
          style={{ overflowWrap: 'anywhere' }}
        >
          <Breakable text={request.title} />
        </Anchor>
        {withClient ? <span className={classes.client}>{request.clientName}</span> : null}
        <span className={classes.due}>
          {request.owed === 0 && !isSending ? requestWords.nothingOwed : <DueDay request={request} />}
        </span>
        {folds ? (
          <Button
            variant="subtle"
            size="compact-sm"
            rightSection={shown ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
            aria-label={`${fold} of ${name}`}
            aria-expanded={shown}
            aria-controls={itemsId}
            onClick={() => setToggled(!shown)}
          >
            {fold}
          </Button>
        ) : null}
      </div>
      <div id={itemsId} hidden={!shown}>
        {request.message === '' ? null : <p className={classes.message}>{request.message}</p>}
        {details.data ? (
          <RequestItems details={details.data} saying={saying} alone={!folds} />
        ) : details.error ? (
          <ErrorState
            message={details.error.message}
            onRetry={() => void details.refetch()}
            busy={details.isFetching}
          />
        ) : (
          // As high as its items will be, nearly: little moves when they come.
          <div aria-hidden style={{ height: `${request.items * 56}px` }} />
        )}
      </div>
    </article>
  );
}
