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
import { trashFailed } from './trash-messages.ts';

/** What is on hold where a row has no hold of its own: of a file its client, of a client one of its files. */
const HELD_BESIDE = { file: 'client', client: 'file' } as const;

/** Nothing where the person may not. What is on hold by another hold alone gets one of its own too. */
export function HoldAction({ row, onHold }: { row: TrashRow; onHold: (subject: ToBeHeld) => void }) {
  const user = useSessionUser();
  const confirm = useConfirm();
  const lifting = useLiftHoldOn();
  const { kind, id, name } = row;
  if (!may(user, 'holds.manage')) return null;
  const items = [{ kind, id, originalName: name }];
  const lift = () =>
    confirm({
      title: liftTitle(name),
      ...LIFTING,
      onConfirm: async () => {
        try {
          const lifted = await lifting.mutateAsync({ kind, id });
          if (lifted) toast.success(holdDone.lifted);
          else toast.error(trashFailed.noOwnHold[kind]);
        } catch (error) {
          toastFault(error, holdFailed.lift);
        }
      },
    });
  return (
    <>
      {row.onHold && !row.ownHold ? (
        <IconButton
          label={`Put ${name} on hold too`}
          tip="Put on hold too"
          icon={<IconLock size={17} aria-hidden />}
          onClick={() => onHold({ items, already: HELD_BESIDE[kind] })}
        />
      ) : null}
      {row.onHold ? (
        <IconButton
          label={`Lift the hold on ${name}`}
          tip="Lift hold"
          icon={<IconLockOpen size={17} aria-hidden />}
          busy={lifting.isPending}
          onClick={lift}
        />
      ) : (
        <IconButton
          label={`Put ${name} on hold`}
          tip="Put on hold"
          icon={<IconLock size={17} aria-hidden />}
          onClick={() => onHold({ items })}
        />
      )}
    </>
  );
}
