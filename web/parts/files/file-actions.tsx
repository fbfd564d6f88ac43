// View, download and delete for one file, as icons in a table or as buttons, with their busy states and toasts.

import { Group } from '@mantine/core';
import { IconArrowBackUp, IconDownload, IconEye, IconTrash } from '@tabler/icons-react';
import type { FileRow } from '#contract/files.ts';
import type { ListedActor } from '#contract/policy/actor.ts';
import { may } from '#contract/policy.ts';
import { useDeleteFile, useDownloadFile, useOpenFile } from '#web/data/files.ts';
import { refresh } from '#web/data/query-client.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault, reasonOf } from '#web/lib/api-fault.ts';
import { type OpenableFile, PopUpBlocked, viewHint } from '#web/lib/file-access.ts';
import { confirmations, done, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { toast } from '#web/ui/toast.tsx';
import { toastFilesDeleted } from '../trash/undo.ts';
import classes from './file-actions.module.css';
import { RestorableUntil } from './restorable-until.tsx';

/** What a screen words in its own way (the overview does: docs/behaviour.md, Overview). */
export interface FileToasts {
  successTitle?: string;
  authentication?: string;
  downloadReason?: (error: unknown) => string;
}

/** Deleted or taken out of reach meanwhile, by somebody else or in another tab: its row goes too. */
function dropRowOfGone(error: unknown): void {
  if (error instanceof ApiFault && error.status === 404) void refresh('files');
}

/** View and download with their toasts; start `view` straight from a click. */
export function useFileOpening(file: OpenableFile, words: FileToasts = {}) {
  const opening = useOpenFile();
  const downloading = useDownloadFile();
  const authentication = words.authentication ?? failed.authentication;
  const downloadReason = words.downloadReason ?? reasonOf;
  const isSignedOut = (error: unknown) => error instanceof ApiFault && error.status === 401;

  return {
    isOpening: opening.isPending,
    isDownloading: downloading.isPending,
    view: () =>
      opening.mutate(file, {
        onError: (error) => {
          if (isSignedOut(error)) toast.error(authentication);
          else toastFault(error, error instanceof PopUpBlocked ? error.message : failed.openFile);
          dropRowOfGone(error);
        },
      }),
    download: () =>
      downloading.mutate(file, {
        onSuccess: () => toast.success(done.fileDownloaded, words.successTitle),
        onError: (error) => {
          toastFault(error, isSignedOut(error) ? authentication : failed.downloadFile(downloadReason(error)));
          dropRowOfGone(error);
        },
      }),
  };
}

/** What the questions of a screen call its files (docs/behaviour.md, Files: deleting). */
export type FileNoun = 'file' | 'document';

export interface FileDeletionSteps {
  /** Called with true before the file is deleted, and with false where that failed. */
  onDeleting?: (deleting: boolean) => void;
  onDeleted: () => void;
}

/** What a person does with a file that goes: deletes it, or takes back what nobody else has opened yet; null for neither, and where it is on hold. */
function departureOf(user: ListedActor, file: FileRow): 'delete' | 'take back' | null {
  if (file.onHold) return null;
  if (may(user, 'files.delete', file)) return 'delete';
  const ageMs = Date.now() - Date.parse(file.uploadedAt);
  return may(user, 'files.take-back', { ...file, ageMs }) ? 'take back' : null;
}

const departures = {
  delete: {
    label: 'Delete',
    busyLabel: 'Deleting...',
    icon: IconTrash,
    words: done.fileDeleted,
    failed: failed.deleteFile,
  },
  'take back': {
    label: 'Take back',
    busyLabel: 'Taking back...',
    icon: IconArrowBackUp,
    words: done.fileTakenBack,
    failed: failed.takeBackFile,
  },
} as const;

/** Confirms, deletes or takes back, and shows the outcome; `how` is null where neither is to be offered. */
export function useFileDeletion(file: FileRow, noun: FileNoun, { onDeleting, onDeleted }: FileDeletionSteps) {
  const user = useSessionUser();
  const confirm = useConfirm();
  const deletion = useDeleteFile();
  const departure = departureOf(user, file);
  const how = departures[departure ?? 'delete'];
  const question = noun === 'file' ? confirmations.deleteFile : confirmations.deleteDocument;
  return {
    how: departure === null ? null : how,
    isDeleting: deletion.isPending,
    remove: () => {
      confirm({
        title: `${how.label} ${file.originalName}?`,
        message: departure === 'take back' ? confirmations.takeBackFile : question,
        note: <RestorableUntil kind="file" />,
        confirmLabel: how.label,
        busyLabel: how.busyLabel,
        onConfirm: async () => {
          onDeleting?.(true);
          try {
            await deletion.mutateAsync(file);
            onDeleted();
            toastFilesDeleted({ count: 1, ids: [file.id], words: how.words });
          } catch (error) {
            onDeleting?.(false);
            toastFault(error, how.failed);
          }
        },
      });
    },
  };
}

export interface FileIconActionsProps extends FileToasts {
  file: OpenableFile;
  name: string;
}

/** View and download as icon buttons of an `IconRow`. */
export function FileIconActions({ file, name, ...words }: FileIconActionsProps) {
  const { view, download, isOpening, isDownloading } = useFileOpening(file, words);
  return (
    <>
      <IconButton
        label={`View ${name}`}
        tip="View"
        description={viewHint(file)}
        icon={<IconEye size={17} aria-hidden />}
        onClick={view}
        busy={isOpening}
      />
      <IconButton
        label={`Download ${name}`}
        tip="Download"
        icon={<IconDownload size={17} aria-hidden />}
        onClick={download}
        busy={isDownloading}
      />
    </>
  );
}

export interface FileDeleteActionProps {
  file: FileRow;
  noun: FileNoun;
  onDeleted: () => void;
}

/** Delete, or Take back, as an icon button; nothing where the viewer may do neither. */
export function FileDeleteAction({ file, noun, onDeleted }: FileDeleteActionProps) {
  const { how, remove, isDeleting } = useFileDeletion(file, noun, { onDeleted });
  if (how === null) return null;
  const Icon = how.icon;
  return (
    <IconButton
      label={`${how.label} ${file.originalName}`}
      tip={how.label}
      icon={<Icon size={17} aria-hidden />}
      onClick={remove}
      busy={isDeleting}
      danger
    />
  );
}

export interface FileButtonActionsProps {
  file: OpenableFile & { originalName: string };
  /** The label of Download meanwhile: 'Downloading...' or 'Processing...'. */
  downloadingLabel: string;
}

/** The width of a column of `FileButtonActions`. */
export const FILE_BUTTONS_WIDTH = '224px';

/** 'View' and 'Download' as words. */
export function FileButtonActions({ file, downloadingLabel }: FileButtonActionsProps) {
  const { view, download, isOpening, isDownloading } = useFileOpening(file);
  return (
    <Group gap={6} wrap="nowrap">
      <BusyButton
        variant="default"
        size="xs"
        className={classes.quiet ?? ''}
        onClick={view}
        busy={isOpening}
        leftSection={<IconEye size={14} aria-hidden />}
        aria-label={`View ${file.originalName}`}
        aria-description={viewHint(file)}
        title={viewHint(file)}
      >
        View
      </BusyButton>
      <BusyButton
        variant="default"
        size="xs"
        className={classes.quiet ?? ''}
        onClick={download}
        busy={isDownloading}
        leftSection={<IconDownload size={14} aria-hidden />}
        aria-label={`${isDownloading ? downloadingLabel : 'Download'} ${file.originalName}`}
      >
        {isDownloading ? downloadingLabel : 'Download'}
      </BusyButton>
    </Group>
  );
}
