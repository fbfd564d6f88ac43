// The firm's switch for releasing documents of batches by two people.
import { Paper, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { mayAttempt } from '#contract/policy.ts';
import { firmSettingsQuery, useUpdateFirmSettings } from '#web/data/firm-settings.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { toast } from '#web/ui/toast.tsx';
import { permissionDone, permissionFailed } from './permission-messages.ts';

const MEANING = 'A document of a batch is released by somebody else than the person who accepted it.';
const FIXED = `${MEANING} The server is set up so, and it cannot be switched off here.`;

/** Takes its room while it loads, and is left out where it cannot be loaded: nothing else here depends on it. */
export function FourEyes() {
  const user = useSessionUser();
  const { data, isError } = useQuery(firmSettingsQuery());
  const update = useUpdateFirmSettings();
  if (isError && data === undefined) return null;
  const change = (fourEyes: boolean) => {
    // Not off meanwhile: it would lose the focus.
    if (update.isPending) return;
    update.mutate(
      { fourEyes },
      {
        onSuccess: () => toast.success(permissionDone.fourEyes(fourEyes)),
        onError: (error) => toastFault(error, permissionFailed.fourEyes),
      },
    );
  };
  const fixed = data?.fourEyesFixed === true;
  const wanted = update.isPending ? update.variables.fourEyes : undefined;
  return (
    <Paper withBorder radius="md" p="md" mt="lg">
      <Switch
        label="Four eyes"
        description={fixed ? FIXED : MEANING}
        checked={wanted ?? data?.fourEyes ?? false}
        disabled={data === undefined || fixed || !mayAttempt(user, 'firm-settings.update')}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    </Paper>
  );
}
