// Puts what is in the trash on hold, and lifts the hold again.
import { IconLock, IconLockOpen } from '@tabler/icons-react';
import { may } from '#contract/policy.ts';
import type { TrashRow } from '#contract/trash.ts';
import { useLiftHoldOn } from '#web/data/holds.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { holdDone, holdFailed, LIFTING, liftTitle } from '#web/lib/hold-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import type { ToBeHeld } from '#web/parts/retention/hold-dialog.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { toast } from '#web/ui/toast.tsx';

/** Nothing where the person may not. */
export function HoldAction({ row, onHold }: { row: TrashRow; onHold: (subject: ToBeHeld) => void }) {
  const user = useSessionUser();
  const confirm = useConfirm();
  const lifting = useLiftHoldOn();
  const { kind, id, name } = row;
  if (!may(user, 'holds.manage')) return null;
  if (!row.onHold) {
    return (
      <IconButton
        label={`Put ${name} on hold`}
        tip="Put on hold"
        icon={<IconLock size={17} aria-hidden />}
        onClick={() => onHold({ items: [{ kind, id, originalName: name }] })}
      />
    );
  }
  const lift = () =>
    confirm({
      title: liftTitle(name),
      ...LIFTING,
      onConfirm: async () => {
        try {
          const lifted = await lifting.mutateAsync({ kind, id });
          if (lifted) toast.success(holdDone.lifted);
          else toast.error(kind === 'file' ? holdFailed.ofClient : holdFailed.ofFile);
        } catch (error) {
          toastFault(error, holdFailed.lift);
        }
      },
    });
  return (
    <IconButton
      label={`Lift the hold on ${name}`}
      tip="Lift hold"
      icon={<IconLockOpen size={17} aria-hidden />}
      busy={lifting.isPending}
      onClick={lift}
    />
  );
}
