// Above a file or client that is on hold: why, by whom and since when, and what lifts it. A Client user is told that it is, and nothing more.
import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { FileRow } from '#contract/files.ts';
import { FILE_ON_HOLD } from '#contract/hold-words.ts';
import type { HoldRow } from '#contract/holds.ts';
import { may, mayAttempt } from '#contract/policy.ts';
import { holdsQuery, useLiftHold } from '#web/data/holds.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { formatDate } from '#web/lib/format.ts';
import { holdDone, holdFailed, LIFTING, liftTitle, ON_HOLD } from '#web/lib/hold-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { rescueFocus } from '#web/ui/rescue-focus.ts';
import { toast } from '#web/ui/toast.tsx';
import classes from './hold-notice.module.css';

export function FileHoldNotice({ file }: { file: FileRow }) {
  const user = useSessionUser();
  const reads = mayAttempt(user, 'holds.read');
  const holds = useQuery({ ...holdsQuery({ fileId: file.id }), enabled: reads && file.onHold });
  if (!file.onHold) return null;
  if (!reads) return <Line>{`${FILE_ON_HOLD}.`}</Line>;
  return <HoldNotices holds={holds} />;
}

/** Nothing where there is no hold. */
export function HoldNotices({ holds }: { holds: UseQueryResult<readonly HoldRow[]> }) {
  if (holds.isError) {
    return (
      <Line
        action={
          <Button variant="default" size="xs" onClick={() => void holds.refetch()} loading={holds.isFetching}>
            Retry
          </Button>
        }
      >
        {`${holdFailed.load}.`}
      </Line>
    );
  }
  return holds.data?.map((hold) => <Notice key={hold.id} hold={hold} />);
}

function Notice({ hold }: { hold: HoldRow }) {
  const user = useSessionUser();
  const confirm = useConfirm();
  const lifting = useLiftHold();
  const { id, kind, name, reason, placedByName, placedAt } = hold;
  const lift = () =>
    confirm({
      title: liftTitle(name),
      ...LIFTING,
      onConfirm: async () => {
        try {
          await lifting.mutateAsync(id);
          toast.success(holdDone.lifted);
          // The pressed button goes with the notice.
          rescueFocus();
        } catch (error) {
          toastFault(error, holdFailed.lift);
        }
      },
    });
  return (
    <Line
      label={kind === 'client' ? 'Client on hold' : ON_HOLD}
      action={
        may(user, 'holds.manage') ? (
          <Button variant="default" size="xs" onClick={lift}>
            Lift Hold
          </Button>
        ) : null
      }
    >
      {`${kind === 'client' ? 'The client is on hold' : 'On hold'} since ${formatDate(placedAt)}, by ${placedByName}: ${reason}`}
    </Line>
  );
}

interface LineProps {
  children: string;
  /** Told apart where a file and its client have a hold each. */
  label?: string;
  action?: React.ReactNode;
}

function Line({ children, label = ON_HOLD, action = null }: LineProps) {
  return (
    <section className={classes.notice} aria-label={label}>
      <IconLock size={18} aria-hidden className={classes.icon ?? ''} />
      <p className={classes.words}>{children}</p>
      {action}
    </section>
  );
}
