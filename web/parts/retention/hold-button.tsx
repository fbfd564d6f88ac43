// Puts a file or a client on hold, or several ticked files: the dialog loads when it is needed.

import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { FileRow } from '#contract/files.ts';
import { may } from '#contract/policy.ts';
import type { ToHold } from '#web/data/holds.ts';
import { formatCount } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import type { RowSelection } from '#web/ui/use-row-selection.ts';
import type { ToBeHeld } from './hold-dialog.tsx';

const load = async () => (await import('./hold-dialog.tsx')).HoldDialog;

interface HoldButtonProps {
  item: ToHold | undefined;
  held: boolean;
  /** A file that is on hold with its client, and has no hold of its own. */
  withClient?: boolean;
}

/** Nothing where the person may not, and where it is on hold already by itself. */
export function HoldButton({ item, held, withClient = false }: HoldButtonProps) {
  const user = useSessionUser();
  const dialog = useLazyDialog<ToBeHeld>(load);
  if (!may(user, 'holds.manage')) return null;
  return (
    <>
      {held && !withClient ? null : (
        <Button
          variant="default"
          leftSection={<IconLock size={16} aria-hidden />}
          disabled={item === undefined}
          onClick={() => item && void dialog.open({ items: [item], already: withClient ? 'client' : undefined })}
        >
          {withClient ? 'Put File on Hold Too' : 'Put on Hold'}
        </Button>
      )}
      {dialog.element}
    </>
  );
}

export const fileToHold = ({ id, originalName }: FileRow): ToHold => ({ kind: 'file', id, originalName });

/** Of ticked files, those that are not on hold yet. */
export function HoldTickedButton({ ticked }: { ticked: RowSelection<FileRow> }) {
  const user = useSessionUser();
  const dialog = useLazyDialog<ToBeHeld>(load);
  if (!may(user, 'holds.manage')) return null;
  const files = ticked.rows.filter(({ onHold }) => !onHold);
  const all = ticked.rows;
  const forget = (items: readonly ToHold[]) =>
    ticked.set(
      all.filter(({ id }) => items.some((item) => item.id === id)),
      false,
    );
  return (
    <>
      {files.length === 0 ? null : (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconLock size={15} aria-hidden />}
          onClick={() => void dialog.open({ items: files.map(fileToHold), onHeld: forget })}
        >
          {files.length === all.length
            ? 'Put on Hold'
            : `Put ${formatCount(files.length)} of ${formatCount(all.length)} on Hold`}
        </Button>
      )}
      {dialog.element}
    </>
  );
}
