// How far somebody is who was invited, with the way to end it.
import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { UserRow } from '#contract/users.ts';
import { useWithdrawInvitation } from '#web/data/invitations.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { invitationState } from '#web/lib/invitation.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { toast } from '#web/ui/toast.tsx';
import { userDone, userFailed } from './user-messages.ts';

/** What a link was handed out for; changed, it ends. */
const ENDS = 'Another mail address or role ends the link.';

export function InvitationOf({ user }: { user: Pick<UserRow, 'id' | 'fullName' | 'invitation'> }) {
  const withdrawal = useWithdrawInvitation();
  const [gone, setGone] = useState(false);
  const { invitation } = user;
  const state = invitationState({ invitation: invitation && gone ? { ...invitation, withdrawn: true } : invitation });
  if (invitation === null || state === null) return null;
  const isOver = gone || invitation.withdrawn || Date.parse(invitation.until) <= Date.now();
  const withdraw = async () => {
    try {
      await withdrawal.mutateAsync(user.id);
      setGone(true);
      toast.success(userDone.invitationWithdrawn(user.fullName));
    } catch (error) {
      toastFault(error, userFailed.withdrawInvitation);
    }
  };
  return (
    <Group gap="sm">
      <Text size="sm" role="status">
        {isOver ? `${state}. Nobody can sign in as this user.` : `${state}. ${ENDS}`}
      </Text>
      {isOver ? null : (
        <BusyButton variant="default" size="xs" busy={withdrawal.isPending} onClick={() => void withdraw()}>
          Withdraw Invitation
        </BusyButton>
      )}
    </Group>
  );
}
