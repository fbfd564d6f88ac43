// Saving several files at once, with its toasts: one file alone is not zipped, and very many are prepared in the background.
import type { ArchiveRow } from '#contract/archives.ts';
import { ARCHIVE_FILES_MAX, PREPARED_FILES_MAX, TOO_MANY_TO_PREPARE } from '#contract/file-kinds.ts';
import type { FileMatching, FileRow } from '#contract/files.ts';
import { useArchive, useDownloadFile } from '#web/data/files.ts';
import { refresh } from '#web/data/query-client.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { formatCount } from '#web/lib/format.ts';
import { done, failed } from '#web/lib/messages.ts';
import { isLookTab } from '#web/lib/session.ts';
import { toast } from '#web/ui/toast.tsx';

/** What a button says in place of its own words where the ZIP is made in the background. */
export const PREPARE_ZIP = 'Prepare ZIP';

/** These files, or the `count` that match. */
export type Wanted =
  | { readonly files: readonly FileRow[]; readonly onGone?: () => void }
  | { readonly matching: FileMatching; readonly count: number; readonly more: boolean };

/** What a button says that saves `count` files, or with `more` at least so many; `refused` is why it cannot be pressed. */
export function archiveButton<Label extends string>(
  label: Label,
  { count, more }: { readonly count: number; readonly more: boolean },
): { readonly label: Label | typeof PREPARE_ZIP; readonly refused: string | undefined } {
  const prepared = isPrepared(count, more);
  return {
    label: prepared ? PREPARE_ZIP : label,
    refused: count > PREPARED_FILES_MAX ? TOO_MANY_TO_PREPARE : isLookTab && prepared ? 'Not in a look' : undefined,
  };
}

const orderedWords = ({ filesAsked }: ArchiveRow) =>
  `Preparing a ZIP of ${formatCount(filesAsked)} files. You can go on working; it will be offered here when it is ready.`;

const isPrepared = (count: number, more: boolean) => count > ARCHIVE_FILES_MAX || more;

export function useArchiving() {
  const archive = useArchive();
  const single = useDownloadFile();

  const refused = (error: unknown, onGone?: () => void) => {
    const status = error instanceof ApiFault ? error.status : undefined;
    if (status === 401) {
      toast.error(failed.authentication);
    } else if (status === 404) {
      // The answer does not say which of them it was: the reloaded list shows what is left to choose from. Of a whole list it was all.
      toast.error(
        failed.downloadFiles(
          onGone ? 'a selected file is no longer there. Please select again.' : 'nothing is left to download.',
        ),
      );
      onGone?.();
      void refresh('files');
    } else {
      toastFault(error, failed.downloadFiles);
    }
  };

  return {
    isPending: archive.isPending || single.isPending,
    save: (wanted: Wanted) => {
      const [first] = 'files' in wanted ? wanted.files : [];
      if ('files' in wanted && wanted.files.length === 1 && first !== undefined) {
        single.mutate(first, {
          onSuccess: () => toast.success(done.fileDownloaded),
          onError: (error) => refused(error, wanted.onGone),
        });
        return;
      }
      const request = 'files' in wanted ? { ids: wanted.files.map(({ id }) => id) } : { matching: wanted.matching };
      const count = 'files' in wanted ? wanted.files.length : wanted.count;
      const prepared = isPrepared(count, 'more' in wanted && wanted.more);
      archive.mutate(
        { ...request, prepared },
        {
          onSuccess: (ordered) => toast.success(ordered ? orderedWords(ordered) : done.filesDownloaded(count)),
          onError: (error) => refused(error, 'files' in wanted ? wanted.onGone : undefined),
        },
      );
    },
  };
}
