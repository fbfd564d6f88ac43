// Selecting files in a list, and what is done with the selected ones: one ZIP of them, or deleting them together.

import { Button, Progress, Text } from '@mantine/core';
import { IconFileZip, IconTrash } from '@tabler/icons-react';
import { useCallback, useSyncExternalStore } from 'react';
import { counted } from '#contract/errors.ts';
import { ARCHIVE_FILES_MAX, type FileRow } from '#contract/files.ts';
import { may } from '#contract/policy.ts';
import { type DeletionOutcome, type DeletionProgress, planDeletion } from '#web/data/file-deletion.ts';
import { useDownloadArchive } from '#web/data/files.ts';
import { refresh } from '#web/data/query-client.ts';
import { ApiFault, reasonOf } from '#web/lib/api.ts';
import { formatCount } from '#web/lib/format.ts';
import { confirmations, done, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import type { TableSelection } from '#web/ui/data-table.tsx';
import { toast } from '#web/ui/toast.tsx';
import { type RowSelection, useRowSelection } from '#web/ui/use-row-selection.ts';
import type { FileNoun } from './file-actions.tsx';

export interface FileSelectionOptions {
  /** The filters and the search of the list; what was ticked in another one is given up. */
  filters: object;
  noun: FileNoun;
}

const rowKey = (file: FileRow) => file.id;
const nameOf = (file: FileRow) => file.originalName;

export interface FileSelection extends TableSelection<FileRow> {
  /** Unticks a file that was deleted by itself. The same function at every render. */
  forget: (file: FileRow) => void;
}

/** For a DataTable of files: `<DataTable selection={…}>`. */
export function useFileSelection({ filters, noun }: FileSelectionOptions): FileSelection {
  const ticked = useRowSelection<FileRow>({ rowKey, scope: JSON.stringify(filters) });
  const { set } = ticked;
  return {
    ticked,
    forget: useCallback((file: FileRow) => set([file], false), [set]),
    nameOf,
    actions: (
      <>
        <ArchiveButton ticked={ticked} />
        <DeleteButton ticked={ticked} noun={noun} />
      </>
    ),
  };
}

interface TickedProps {
  ticked: RowSelection<FileRow>;
}

function ArchiveButton({ ticked }: TickedProps) {
  const download = useDownloadArchive();
  const count = ticked.rows.length;
  const tooMany = count > ARCHIVE_FILES_MAX;

  const start = () =>
    download.mutate(
      ticked.rows.map((file) => file.id),
      {
        onSuccess: () => toast.success(count === 1 ? done.fileDownloaded : done.filesDownloaded(count)),
        onError: (error) => {
          const status = error instanceof ApiFault ? error.status : undefined;
          if (status === 401) {
            toast.error(failed.authentication);
          } else if (status === 404) {
            // The answer does not say which of them it was: the reloaded list shows what is left to choose from.
            toast.error(failed.downloadFiles('a selected file is no longer there. Please select again.'));
            ticked.clear();
            void refresh('files');
          } else {
            toast.error(failed.downloadFiles(reasonOf(error)));
          }
        },
      },
    );

  return (
    <>
      {tooMany ? <Text size="sm">At most {formatCount(ARCHIVE_FILES_MAX)} in one ZIP</Text> : null}
      <BusyButton
        variant="default"
        size="xs"
        leftSection={<IconFileZip size={15} aria-hidden />}
        onClick={start}
        busy={download.isPending}
        disabled={tooMany}
      >
        {download.isPending ? 'Preparing ZIP...' : 'Download ZIP'}
      </BusyButton>
    </>
  );
}

function DeleteButton({ ticked, noun }: TickedProps & { noun: FileNoun }) {
  const user = useSessionUser();
  const confirm = useConfirm();
  const files = ticked.rows.filter((file) => may(user, 'files.delete', file));
  const [first] = files;
  if (first === undefined) return null;
  const kept = ticked.rows.length - files.length;

  const report = ({ deleted, failures }: DeletionOutcome<FileRow>) => {
    ticked.set(deleted, false);
    const [failure] = failures;
    if (failure === undefined) {
      toast.success(deleted.length === 1 ? done.fileDeleted : done.filesDeleted(deleted.length));
    } else {
      toast.error(failed.deleteFile(namesOf(failures)));
    }
  };

  const ask = () => {
    const { progress, run } = planDeletion(files);
    const several = noun === 'file' ? confirmations.deleteFiles : confirmations.deleteDocuments;
    const one = noun === 'file' ? confirmations.deleteFile : confirmations.deleteDocument;
    confirm({
      title: files.length === 1 ? `Delete ${first.originalName}?` : `Delete ${counted(files.length, noun)}?`,
      message: files.length === 1 ? one : several(files.length),
      note: <DeletionNote progress={progress} count={files.length} kept={kept} />,
      confirmLabel: 'Delete',
      busyLabel: 'Deleting...',
      onConfirm: async () => report(await run()),
    });
  };

  return (
    <Button variant="default" size="xs" leftSection={<IconTrash size={15} aria-hidden />} onClick={ask}>
      {kept === 0 ? 'Delete' : `Delete ${files.length} of ${ticked.rows.length}`}
    </Button>
  );
}

const NAMED_AT_ONCE = 3;

/** 'a.pdf (The server is busy.), b.pdf (…) and 4 more'. */
function namesOf(failures: DeletionOutcome<FileRow>['failures']): string {
  const named = failures.slice(0, NAMED_AT_ONCE).map(({ file, error }) => `${file.originalName} (${reasonOf(error)})`);
  const more = failures.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

interface DeletionNoteProps {
  progress: DeletionProgress;
  count: number;
  /** How many of the ticked files are not the viewer's to delete. */
  kept: number;
}

function DeletionNote({ progress, count, kept }: DeletionNoteProps) {
  const doneCount = useSyncExternalStore(progress.subscribe, progress.doneCount);
  return (
    <>
      {kept > 0 ? <Text>{counted(kept, 'selected file')} you may not delete will stay.</Text> : null}
      {/* Always there, so that its changes are read out. */}
      <Text size="sm" role="status">
        {doneCount > 0 && count > 1 ? `${doneCount} of ${count} done` : ''}
      </Text>
      {doneCount > 0 && count > 1 ? (
        <Progress value={(doneCount / count) * 100} size={4} mt={4} aria-label="Deleting" />
      ) : null}
    </>
  );
}
