// The page of one request: what is asked, until when, and its items with what was sent for each.
import { Button, Paper } from '@mantine/core';
import { IconArchive, IconArrowBackUp, IconListDetails, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isClientUser } from '#contract/policy/actor.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { RequestDetails, RequestPage } from '#contract/requests.ts';
import { requestQuery, useSetClosed } from '#web/data/requests.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { loading } from '#web/lib/messages.ts';
import { useSayPageFacts } from '#web/lib/page-facts.ts';
import { requestDone, requestFailed, requestWords } from '#web/lib/request-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { DueDay } from '#web/parts/requests/due-day.tsx';
import { loadRequestDialog } from '#web/parts/requests/load-request-dialog.ts';
import { Reminders } from '#web/parts/requests/reminded.tsx';
import type { AskedClient } from '#web/parts/requests/request-dialog.tsx';
import { RequestItems, useSayingNot } from '#web/parts/requests/request-items.tsx';
import { RequestState } from '#web/parts/requests/request-state.tsx';
import { AccessRefused } from '#web/ui/access-refused.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Day } from '#web/ui/moment.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import classes from './request.module.css';
import { requestQuestions } from './request-questions.ts';

export function RequestScreen({ requestId }: { requestId: number }) {
  const user = useSessionUser();
  if (mayAttempt(user, 'requests.read')) return <Loaded requestId={requestId} />;
  return (
    <>
      <PageHeader title="Request" />
      <AccessRefused />
    </>
  );
}

function Loaded({ requestId }: { requestId: number }) {
  const query = useQuery(requestQuery(requestId));
  // Also one that was there before: it may be taken out of reach while it is open.
  const isMissing = query.error instanceof ApiFault && query.error.status === 404;
  if (query.data !== undefined && !isMissing) return <Request details={query.data} />;
  if (query.error === null) return <Spinner label={loading.page} />;
  return (
    <Paper withBorder radius="md">
      <PageHeader title="Request" />
      {isMissing ? (
        <EmptyState
          title="Request Not Found"
          hint="It does not exist, or you do not have access to it."
          icon={<IconListDetails size={28} stroke={1.5} />}
          action={<Link to="/requests">See all requests</Link>}
        />
      ) : (
        <ErrorState message={query.error.message} onRetry={() => void query.refetch()} busy={query.isFetching} />
      )}
    </Paper>
  );
}

function Request({ details }: { details: RequestPage }) {
  const { request } = details;
  const user = useSessionUser();
  const editing = useLazyDialog<AskedClient>(loadRequestDialog);
  const saying = useSayingNot();
  useSayPageFacts({ name: request.title, section: null, clientId: request.clientId });
  return (
    <>
      <PageHeader
        title={request.title}
        actions={
          mayAttempt(user, 'requests.manage') ? (
            <>
              {request.state === 'closed' ? null : (
                <Button
                  variant="default"
                  leftSection={<IconPencil size={16} aria-hidden />}
                  onClick={() => void editing.open({ details })}
                >
                  Edit
                </Button>
              )}
              <CloseButton details={details} />
            </>
          ) : null
        }
      />
      <dl className={classes.facts}>
        <div>
          <dt>Client</dt>
          <dd>
            <ClientLink id={request.clientId} name={request.clientName} />
          </dd>
        </div>
        <div>
          <dt>Due</dt>
          <dd>
            <DueDay request={request} />
          </dd>
        </div>
        <div>
          <dt>State</dt>
          <dd className={classes.state}>
            <RequestState request={request} />
            <span>{requestWords.progress(request, isClientUser(user))}</span>
          </dd>
        </div>
        <div>
          <dt>Asked</dt>
          <dd>
            <Day at={request.createdAt} /> by {request.askedByName}
          </dd>
        </div>
        {isClientUser(user) ? null : (
          <div>
            <dt>Last reminder</dt>
            <dd>
              <Reminders details={details} />
            </dd>
          </div>
        )}
      </dl>
      {request.message === '' ? null : <p className={classes.message}>{request.message}</p>}
      {request.state === 'closed' && isClientUser(user) ? (
        <p className={classes.message}>{requestWords.closed}</p>
      ) : null}
      <Paper withBorder radius="md">
        <RequestItems details={details} saying={saying} />
      </Paper>
      {editing.element}
      {saying.element}
    </>
  );
}

const toldOf = { open: requestDone.reopened, closed: requestDone.closed, done: requestDone.doneMeanwhile };
const tell = ({ request }: RequestDetails) => toast.success(toldOf[request.state]);

function CloseButton({ details: { request } }: { details: RequestDetails }) {
  const { id, state, title } = request;
  const setClosed = useSetClosed();
  const confirm = useConfirm();
  const close = () =>
    confirm({
      title: `Close ${title}?`,
      message: requestQuestions.close,
      confirmLabel: 'Close Request',
      busyLabel: 'Closing...',
      begins: true,
      onConfirm: async () => {
        try {
          tell(await setClosed.mutateAsync({ id, closed: true }));
        } catch (error) {
          toastFault(error, requestFailed.close);
        }
      },
    });
  const reopen = () =>
    setClosed.mutate(
      { id, closed: false },
      {
        onSuccess: tell,
        onError: (error) => toastFault(error, requestFailed.reopen),
      },
    );
  if (state === 'done') return null;
  const isOpen = state === 'open';
  // One button, so that the focus stays on it.
  return (
    <BusyButton
      variant="default"
      leftSection={isOpen ? <IconArchive size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />}
      busy={!isOpen && setClosed.isPending}
      onClick={isOpen ? close : reopen}
    >
      {isOpen ? 'Close' : 'Reopen'}
    </BusyButton>
  );
}
