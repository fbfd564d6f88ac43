// The files that a screen lists: which ones match, which of them are ticked, and what is done with those: one ZIP of them, or deleting them together.

import { Button, Text } from '@mantine/core';
import { IconFileZip, IconFolderSymlink, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { ARCHIVE_FILES_MAX, PREPARED_FILES_MAX, TOO_MANY_FILES } from '#contract/file-kinds.ts';
import type { FileMatching, FileRow } from '#contract/files.ts';
import { may } from '#contract/policy.ts';
import { type FilesFilter, filesQuery } from '#web/data/files.ts';
import { formatCount } from '#web/lib/format.ts';
import { failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { PhoneMenu } from '#web/ui/selection-bar.tsx';
import type { TableSelection } from '#web/ui/table-shape.ts';
import { toast } from '#web/ui/toast.tsx';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { type RowSelection, useRowSelection } from '#web/ui/use-row-selection.ts';
import { ExportFilesButton } from './export-files-button.tsx';
import type { FileNoun } from './file-actions.tsx';
import { askedFilters, type FileFilters } from './file-filters.ts';
import type { RefiledMany } from './refile-many-dialog.tsx';
import { refilableTypes } from './refile-types.ts';
import { archiveButton, useArchiving } from './use-archiving.ts';

interface FileSelectionOptions {
  /** What narrows the list; what was ticked in another one is given up. */
  matching: FileMatching;
  /** The list's answer, once it is there: its page, and how many match. */
  list: { readonly rows: readonly FileRow[]; readonly total: number; readonly more?: boolean } | undefined;
  /** That is the answer of before, while this one is awaited. */
  isPlaceholderData: boolean;
  noun: FileNoun;
  /** The list is of files without a period: they may be given one. */
  withoutPeriod?: boolean;
}

const HoldTickedButton = lazyPart(async () => (await import('../retention/hold-button.tsx')).HoldTickedButton);
const SetPeriodButton = lazyPart(async () => (await import('./set-period-button.tsx')).SetPeriodButton);

const rowKey = (file: FileRow) => file.id;
const nameOf = (file: FileRow) => file.originalName;

interface FileSelection extends TableSelection<FileRow> {
  /** Unticks a file that was deleted or re-filed by itself. The same function at every render, until all are selected or not. */
  forget: (file: FileRow) => void;
}

/** For a DataTable of files: `<DataTable selection={…}>`. */
function useFileSelection(options: FileSelectionOptions): FileSelection {
  const { matching, list, isPlaceholderData, noun, withoutPeriod = false } = options;
  const scope = JSON.stringify(matching);
  const ticked = useRowSelection<FileRow>({ rowKey, scope, shown: list?.rows, isPlaceholderData, total: list?.total });
  const { set, all } = ticked;
  const holds = may(useSessionUser(), 'holds.manage');
  const [total, more] = [list?.total ?? 0, list?.more === true];
  return {
    ticked,
    forget: useCallback(
      (file: FileRow) => {
        // All that match stay selected without it.
        if (!all) set([file], false);
      },
      [all, set],
    ),
    nameOf,
    matching: { count: total, words: more ? 'all' : `all ${formatCount(total)}` },
    actions: (
      <>
        <ArchiveButton ticked={ticked} matching={matching} total={total} more={more} />
        {/* All that match: the button above the list exports them. */}
        {all ? null : (
          <PhoneMenu>
            <ExportTickedButton ticked={ticked} />
            <RefileButton ticked={ticked} />
            {withoutPeriod ? <SetPeriodButton ticked={ticked} /> : null}
            {holds ? <HoldTickedButton ticked={ticked} /> : null}
            <DeleteButton ticked={ticked} noun={noun} />
          </PhoneMenu>
        )}
      </>
    ),
  };
}

interface FileListOptions extends Pick<FileSelectionOptions, 'noun' | 'withoutPeriod'> {
  /** The kind of files that the screen is about. */
  of: Pick<FileMatching, 'fileType' | 'marked'>;
  /** Those in force. */
  filters: FileFilters;
  list: { readonly q: string; readonly query: Pick<FilesFilter, 'limit' | 'offset' | 'sort' | 'q'> };
  /** Asks for one page of them: `reportsQuery`, where rows of another client or type must not stand in. */
  pageOf?: (query: FilesFilter) => ReturnType<typeof filesQuery>;
  /** False while it is not known yet what is to be listed. */
  enabled?: boolean;
}

export function useFileList(options: FileListOptions) {
  const { of, filters, list, noun, withoutPeriod = false, pageOf = filesQuery, enabled = true } = options;
  const matching = { ...of, ...askedFilters(filters), ...(list.q === '' ? {} : { q: list.q }) };
  /** With the order and the page. */
  const query = { ...list.query, ...matching };
  const files = useQuery({ ...pageOf(query), enabled });
  const { isPlaceholderData } = files;
  const selection = useFileSelection({ matching, list: files.data, isPlaceholderData, noun, withoutPeriod });
  const asked = JSON.stringify(matching);
  const [answered, setAnswered] = useState(asked);
  if (answered !== asked && !isPlaceholderData) setAnswered(asked);
  /** What is shown is still of a list that was narrowed otherwise. */
  const isOld = answered !== asked;
  return { matching, query, files, isOld, selection };
}

interface TickedProps {
  ticked: RowSelection<FileRow>;
}

interface ArchiveButtonProps extends TickedProps {
  matching: FileMatching;
  total: number;
  more: boolean;
}

function ArchiveButton({ ticked, matching, total, more }: ArchiveButtonProps) {
  const { isPending, save } = useArchiving();
  const count = ticked.all ? total : ticked.rows.length;
  const counts = { count, more: ticked.all && more };
  const { label, refused } = archiveButton('Download ZIP', counts);
  return (
    <>
      {count > PREPARED_FILES_MAX ? <AtMost most={PREPARED_FILES_MAX} format="ZIP" /> : null}
      <BusyButton
        variant="default"
        size="xs"
        leftSection={<IconFileZip size={15} aria-hidden />}
        onClick={() => save(ticked.all ? { matching, ...counts } : { files: ticked.rows, onGone: ticked.clear })}
        busy={isPending}
        disabled={refused !== undefined}
        title={refused}
      >
        {isPending ? 'Preparing ZIP...' : label}
      </BusyButton>
    </>
  );
}

function ExportTickedButton({ ticked }: TickedProps) {
  const refused = ticked.rows.length > ARCHIVE_FILES_MAX ? TOO_MANY_FILES : undefined;
  return (
    <>
      {refused === undefined ? null : <AtMost most={ARCHIVE_FILES_MAX} format="CSV" />}
      <ExportFilesButton query={{ ids: ticked.rows.map(({ id }) => id).join(',') }} refused={refused} />
    </>
  );
}

/** Beside the button that is off: its title is not read by touch or keyboard. */
function AtMost({ most, format }: { most: number; format: 'ZIP' | 'CSV' }) {
  return (
    <Text size="sm">
      At most {formatCount(most)} in one {format}
    </Text>
  );
}

const loadRefileMany = async () => (await import('./refile-many-dialog.tsx')).RefileManyDialog;

/** Those that may be filed elsewhere; nothing where none may. */
function RefileButton({ ticked }: TickedProps) {
  const user = useSessionUser();
  const dialog = useLazyDialog<readonly FileRow[], RefiledMany>(loadRefileMany, {
    // They may not be in this list any more.
    onSettled: (files) => ticked.set(files, false),
  });
  const files = ticked.rows.filter((file) => refilableTypes(user, file).includes(file.fileType));
  return (
    <>
      {files.length === 0 ? null : (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFolderSymlink size={15} aria-hidden />}
          onClick={() => void dialog.open(files)}
        >
          {files.length === ticked.rows.length
            ? 'Re-file'
            : `Re-file ${formatCount(files.length)} of ${formatCount(ticked.rows.length)}`}
        </Button>
      )}
      {dialog.element}
    </>
  );
}

function DeleteButton({ ticked, noun }: TickedProps & { noun: FileNoun }) {
  const user = useSessionUser();
  const confirm = useConfirm();
  const files = ticked.rows.filter((file) => !file.onHold && may(user, 'files.delete', file));
  if (files.length === 0) return null;
  const staying = ticked.rows.length - files.length;
  const held = ticked.rows.filter(({ onHold }) => onHold).length;

  const ask = async () => {
    try {
      const { deletionQuestion } = await import('./deletion-question.tsx');
      const onDone = (gone: readonly FileRow[]) => ticked.set(gone, false);
      confirm(deletionQuestion({ files, noun, kept: staying - held, held, onDone }));
    } catch {
      toast.error(failed.loadPart);
    }
  };

  return (
    <Button variant="default" size="xs" leftSection={<IconTrash size={15} aria-hidden />} onClick={() => void ask()}>
      {staying === 0 ? 'Delete' : `Delete ${formatCount(files.length)} of ${formatCount(ticked.rows.length)}`}
    </Button>
  );
}
