// Above an upload that names another company: whom, who sent it, and what staff can do about it.
import { Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { FileRow, MarkedFile } from '#contract/files.ts';
import { may, mayAttempt } from '#contract/policy.ts';
import { useRefileFile } from '#web/data/files.ts';
import { marksQuery, useSettleMark } from '#web/data/marked.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { NAMES_ANOTHER } from '#web/lib/marked-messages.ts';
import { done, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { refilableTypes } from '#web/parts/files/refile-types.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { toast } from '#web/ui/toast.tsx';
import classes from './mark-notice.module.css';
import { markedDone, markedFailed, namesWords } from './report-messages.ts';

/** Nothing for a Client user, and where the file names nobody else. */
export function MarkNotice({ file }: { file: FileRow }) {
  const user = useSessionUser();
  const marks = useQuery({ ...marksQuery([file.id]), enabled: mayAttempt(user, 'files.read-marks') });
  const [mark] = marks.data?.rows ?? [];
  if (mark !== undefined) return <Notice mark={mark} />;
  if (!marks.isError) return null;
  return (
    <div className={classes.notice} role="alert">
      <p className={classes.words}>{markedFailed.load}</p>
      <Button variant="default" size="xs" onClick={() => void marks.refetch()} loading={marks.isFetching}>
        Retry
      </Button>
    </div>
  );
}

function Notice({ mark: { file, namedClient } }: { mark: MarkedFile }) {
  const user = useSessionUser();
  const settling = useSettleMark();
  const refiling = useRefileFile();
  const busy = settling.isPending || refiling.isPending;
  const mayRefile = namedClient !== null && refilableTypes(user, file).includes(file.fileType);
  const maySettle = may(user, 'files.settle-mark', {
    fileType: file.fileType,
    clientReached: true,
    reportTypeReached: file.reportTypeId === null ? null : true,
  });

  const act = async (work: () => Promise<unknown>, said: string, fault: (reason: string) => string) => {
    try {
      await work();
      toast.success(said);
    } catch (error) {
      toastFault(error, fault);
    }
  };
  const fileThere = () =>
    namedClient &&
    act(
      () => refiling.mutateAsync({ id: file.id, ifMatch: file.version, clientId: namedClient.id }),
      done.fileRefiled,
      failed.refileFile,
    );
  const confirm = () => act(() => settling.mutateAsync(file.id), markedDone.settled, markedFailed.settle);

  return (
    <section className={classes.notice} aria-label={NAMES_ANOTHER}>
      <IconAlertTriangle size={18} aria-hidden className={classes.icon ?? ''} />
      <p className={classes.words}>{namesWords(namedClient?.name ?? null, file)}</p>
      {mayRefile || maySettle ? (
        <Group gap={8}>
          {mayRefile ? (
            <BusyButton size="xs" onClick={() => void fileThere()} busy={busy}>
              {refiling.isPending ? 'Filing...' : 'File it there'}
            </BusyButton>
          ) : null}
          {maySettle ? (
            <BusyButton size="xs" variant="default" onClick={() => void confirm()} busy={busy}>
              {settling.isPending ? 'Saving...' : 'It is right'}
            </BusyButton>
          ) : null}
        </Group>
      ) : null}
    </section>
  );
}
