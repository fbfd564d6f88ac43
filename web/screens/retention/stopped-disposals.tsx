// Above the certificates: disposals that were cancelled or failed before their end, and what is to become of the files that still wait.
import { Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { counted } from '#contract/plain-words.ts';
import { may } from '#contract/policy.ts';
import type { DisposalRow } from '#contract/retention.ts';
import { useDecideRest } from '#web/data/retention.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { retentionDone, retentionFailed } from '#web/lib/retention-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { rescueFocus } from '#web/ui/rescue-focus.ts';
import { toast } from '#web/ui/toast.tsx';
import { stopWords } from './stop-words.ts';
import classes from './stopped-disposals.module.css';

export function StoppedDisposals({ disposals }: { disposals: readonly DisposalRow[] }) {
  return disposals.map((disposal) =>
    disposal.stopped === null ? null : <Stopped key={disposal.id} disposal={disposal} stopped={disposal.stopped} />,
  );
}

interface StoppedProps {
  disposal: DisposalRow;
  stopped: NonNullable<DisposalRow['stopped']>;
}

function Stopped({ disposal: { id, orderedAt, waiting, fault }, stopped }: StoppedProps) {
  const user = useSessionUser();
  const confirm = useConfirm();
  const deciding = useDecideRest();
  const files = counted(waiting, 'file');
  const decide = async (decision: 'goOn' | 'leave', done: string, failed: (reason: string) => string) => {
    try {
      await deciding.mutateAsync({ id, decision });
      toast.success(done);
      // The pressed button goes with the notice.
      rescueFocus();
    } catch (error) {
      toastFault(error, failed);
    }
  };
  const goOn = () =>
    confirm({
      title: `Dispose of the ${files} left?`,
      message: stopWords.goOn,
      confirmLabel: 'Go On',
      busyLabel: 'Ordering...',
      onConfirm: () => decide('goOn', retentionDone.goesOn, retentionFailed.goOn),
    });
  const leave = () =>
    confirm({
      title: waiting === 1 ? 'Leave the file where it is?' : `Leave the ${files} where they are?`,
      message: stopWords.leave(waiting),
      confirmLabel: 'End Disposal',
      busyLabel: 'Ending...',
      begins: true,
      onConfirm: () => decide('leave', retentionDone.left(files, waiting), retentionFailed.leave),
    });
  const when = formatDateTime(orderedAt);
  return (
    <section className={classes.notice} aria-label={`Disposal ordered ${when}`}>
      <IconAlertTriangle size={18} aria-hidden className={classes.icon ?? ''} />
      <p className={classes.words}>{stopWords.told(when, stopped, waiting, fault)}</p>
      {may(user, 'retention.manage') ? (
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={leave}>
            End Here
          </Button>
          <Button variant="default" size="xs" onClick={goOn}>
            Go On
          </Button>
        </Group>
      ) : null}
    </section>
  );
}
