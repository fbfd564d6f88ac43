// The button that shows the portal as somebody else has it, where one may look at them.
import { IconEye } from '@tabler/icons-react';
import type { UserRow } from '#contract/users.ts';
import { beginLook } from '#web/data/looks.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { PopUpBlocked } from '#web/lib/file-access.ts';
import { lookWords } from '#web/lib/look-messages.ts';
import { opensTab } from '#web/lib/messages.ts';
import type { RowAction } from '#web/ui/row-actions.tsx';
import { toast } from '#web/ui/toast.tsx';

/** What begins a look at a person; `isClient` where they are a Client user. */
export function lookAction(person: Pick<UserRow, 'id' | 'fullName'>, isClient: boolean): RowAction {
  const { fullName } = person;
  return {
    label: isClient ? `See what this client sees: ${fullName}` : `See what ${fullName} sees`,
    tip: isClient ? 'See what this client sees' : `See what ${fullName} sees`,
    description: opensTab,
    icon: <IconEye size={17} aria-hidden />,
    onClick: () =>
      void beginLook(person).catch((error: unknown) => {
        if (error instanceof PopUpBlocked) toast.error(error.message);
        else toastFault(error, lookWords.beginFailed);
      }),
  };
}
