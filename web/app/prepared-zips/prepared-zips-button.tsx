// The header's button for prepared ZIPs, with the toast that offers one as it becomes ready.
import { ActionIcon, Button, Indicator, RingProgress, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFileZip } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ArchiveRow } from '#contract/archives.ts';
import { useDownloadPrepared } from '#web/data/archive-acts.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { toast } from '#web/ui/toast.tsx';
import { useRowsUnderWay } from '#web/ui/use-rows-under-way.ts';
import { PreparedZipsDialog } from './prepared-zips-dialog.tsx';
import { failedWords, notSavedWords, readyWords } from './zip-words.ts';

export interface PreparedZipsButtonProps {
  /** Newest first. */
  rows: readonly ArchiveRow[];
}

export function PreparedZipsButton({ rows }: PreparedZipsButtonProps) {
  const [opened, dialog] = useDisclosure(false);
  const download = useDownloadPrepared();
  const underWay = useRowsUnderWay<number>();
  const save = (row: ArchiveRow) =>
    void underWay.run(row.id, async () => {
      try {
        await download.mutateAsync(row);
      } catch (error) {
        toastFault(error, notSavedWords);
      }
    });

  useOutcomes(rows, (row) => {
    if (row.state === 'ready') {
      toast.offer(readyWords(row), (putAway) => (
        <Button
          size="xs"
          mt={8}
          onClick={() => {
            putAway();
            save(row);
          }}
        >
          Download
        </Button>
      ));
    } else toast.error(failedWords(row.reason ?? ''));
  });

  const preparing = rows.find(({ state }) => state === 'preparing');
  const ready = rows.filter(({ state }) => state === 'ready').length;
  const close = () => {
    dialog.close();
    // Its button goes with the last one.
    if (rows.length === 0) document.getElementById('main')?.focus({ preventScroll: true });
  };
  const label = `Prepared ZIPs: ${preparing ? 'preparing one' : `${ready} ready`}`;
  return (
    <>
      {rows.length === 0 ? null : (
        <Tooltip label="Prepared ZIPs">
          <Indicator label={ready} size={16} offset={3} disabled={preparing !== undefined || ready === 0} withBorder>
            <ActionIcon variant="default" size={30} aria-label={label} aria-haspopup="dialog" onClick={dialog.open}>
              {preparing ? (
                <RingProgress
                  size={20}
                  thickness={3}
                  sections={[{ value: preparing.progress ?? 0, color: 'accent' }]}
                  aria-hidden
                />
              ) : (
                <IconFileZip size={17} aria-hidden />
              )}
            </ActionIcon>
          </Indicator>
        </Tooltip>
      )}
      <PreparedZipsDialog opened={opened} onClose={close} rows={rows} onDownload={save} isSaving={underWay.has} />
    </>
  );
}

/** Calls `tell` for each ZIP that this page saw being prepared and that is not any more. */
function useOutcomes(rows: readonly ArchiveRow[], tell: (row: ArchiveRow) => void): void {
  const watched = useRef(new Set<number>());
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(() => {
    for (const row of rows) {
      if (row.state === 'preparing') watched.current.add(row.id);
      else if (watched.current.delete(row.id)) latest.current(row);
    }
  }, [rows]);
}
