// One file by its address: shown in the page, with its facts, its activity, and the files before and after it.

import { Anchor, Button, Group, Skeleton, Title, VisuallyHidden } from '@mantine/core';
import {
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconExternalLink,
  IconFileOff,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Ref, useCallback, useEffect, useState } from 'react';
import type { FileDetails as FileFacts, FileRow } from '#contract/files.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import { may } from '#contract/policy.ts';
import { fileFactsQuery } from '#web/data/files.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { formatCount, formatTotal } from '#web/lib/format.ts';
import { failed } from '#web/lib/messages.ts';
import { useSayPageFacts } from '#web/lib/page-facts.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useFileDeletion, useFileOpening } from '#web/parts/files/file-actions.tsx';

import { HiddenFromClients } from '#web/parts/files/file-marks.tsx';
import { addressOfList, isFromFiles, listOf } from '#web/parts/files/list-address.ts';
import { askedPage, askedWords } from '#web/parts/files/page-of-report.ts';
import { FileRefileButton, useRefiling } from '#web/parts/files/refile-action.tsx';
import { type WayBack, wayBack } from '#web/parts/files/way-back.ts';
import { FileHoldNotice } from '#web/parts/retention/hold-notice.tsx';
import { UploadButton } from '#web/parts/uploads/upload-button.tsx';
import { opensInTab } from '#web/parts/viewer/file-kind.ts';
import { FileViewer } from '#web/parts/viewer/file-viewer.tsx';
import viewer from '#web/parts/viewer/viewer.module.css';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { type Address, PageLink, type PagePath } from '#web/ui/page-link.ts';
import { Corrections, LedHere } from './corrections.tsx';
import { EarlierVersions } from './earlier-versions.tsx';
import { FileActivity } from './file-activity.tsx';
import { FileDetails, FileDetailsWaiting } from './file-details.tsx';
import { FileHoldButton } from './file-hold-button.tsx';
import { MarkNotice } from './mark-notice.tsx';
import classes from './report.module.css';
import { type Step, useWalk } from './use-walk.ts';

const ends: Record<Step, string> = {
  previous: 'This is the first file of the list',
  next: 'This is the last file of the list',
};

/** What is read out: that the file of this name is there, until something else is said. */
function useSaid(name: string | undefined) {
  const [said, say] = useState('');
  useEffect(() => {
    if (name !== undefined) say(`${name} opened`);
  }, [name]);
  return [said, say] as const;
}

export function ReportScreen({ reportId }: { reportId: number }) {
  const user = useSessionUser();
  const place = useSearch({ strict: false });
  const [deleting, setDeleting] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    ...fileFactsQuery(reportId, listOf(user, place)),
    enabled: !deleting,
  });
  const notFound = error instanceof ApiFault && error.status === 404;
  // Gone while it was shown, its name is said nowhere any more, and no key leads on from it.
  const facts = notFound ? undefined : data;
  const file = facts?.file;

  const [settled, setSettled] = useState(false);
  const settle = useCallback(() => setSettled(true), []);
  const name = file?.originalName;
  useSayPageFacts({ name: name ?? null, section: useListPath(file, place), clientId: file?.clientId });
  const [said, say] = useSaid(name);
  const refiling = useRefiling();
  const walk = useWalk({ reportId, facts, place, onEnd: (step) => say(ends[step]) });
  const openNeighbour = () => {
    const next = walk.neighbours.next ?? walk.neighbours.previous;
    if (next === null) return false;
    walk.open(next.id);
    return true;
  };

  let body = null;
  if (notFound) {
    body = <FileNotFound />;
  } else if (error && !file) {
    body = (
      <div className={classes.panel}>
        <ErrorState message={failed.openFile} hint={error.message} onRetry={() => void refetch()} busy={isFetching} />
      </div>
    );
  } else {
    body = (
      <>
        <FileHead file={file} />
        {file ? <FileHoldNotice file={file} /> : null}
        {file ? <MarkNotice file={file} /> : null}
        {facts?.ledHere ? <LedHere /> : null}
        {file ? <Corrections file={file} /> : null}
        <div className={classes.columns}>
          {file ? (
            <FileViewer
              file={file}
              page={askedPage(place) ?? undefined}
              foundBy={askedWords(place)}
              onSettled={settle}
            />
          ) : (
            <FileWaiting />
          )}
          <aside className={classes.aside} aria-label="About this file">
            {file ? (
              <>
                <FileDetails file={file}>
                  <FileRefileButton file={file} onRefile={refiling.open} />
                  <UploadCorrectionButton file={file} />
                  <FileHoldButton file={file} />
                  <DeleteButton file={file} place={place} onDeleting={setDeleting} onDeleted={openNeighbour} />
                </FileDetails>
                <EarlierVersions
                  file={file}
                  versions={facts.versions}
                  onTrashing={setDeleting}
                  onReplaced={(id) => (id === reportId ? setDeleting(false) : walk.open(id))}
                />
                <FileActivity file={file} complete={settled} />
              </>
            ) : (
              <FileDetailsWaiting />
            )}
          </aside>
        </div>
      </>
    );
  }

  return (
    <>
      <nav className={classes.walk} aria-label="Files of this list">
        <BackLink file={file} place={place} />
        {notFound ? null : (
          <Group gap={6}>
            <Nth place={walk.nth} />
            <StepButton step="previous" walk={walk} ref={walk.buttons.previous} />
            <StepButton step="next" walk={walk} ref={walk.buttons.next} />
          </Group>
        )}
      </nav>
      {body}
      {refiling.dialog}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  );
}

/** The address of the list that shows such a file to this person. */
function useListPath(file: Pick<FileRow, 'fileType'> | undefined, place: Address): keyof typeof backTo {
  const user = useSessionUser();
  if (isFromFiles(place)) return '/file-upload';
  if (file?.fileType === 'company_document' || (file === undefined && place.type === 'company_document')) {
    return '/firm-documents';
  }
  return isClientUser(user) ? '/client-reports' : '/cpa-dashboard';
}

const backTo = {
  '/file-upload': 'Back to files',
  '/firm-documents': 'Back to documents',
  '/client-reports': 'Back to reports',
  '/cpa-dashboard': 'Back to reports',
} as const satisfies Partial<Record<PagePath, string>>;

function useWayBack(file: FileRow | undefined, place: Address): WayBack {
  const path = useListPath(file, place);
  return wayBack(place) ?? { to: path, params: { id: '' }, search: addressOfList(place), words: backTo[path] };
}

function BackLink({ file, place }: { file: FileRow | undefined; place: Address }) {
  const { to, params, search, words } = useWayBack(file, place);
  return (
    <Anchor component={PageLink} to={to} params={params} search={search} className={classes.back ?? ''}>
      <IconArrowLeft size={16} aria-hidden />
      {words}
    </Anchor>
  );
}

function FileNotFound() {
  return (
    <div className={classes.panel}>
      <PageHeader title="Report" />
      <EmptyState
        title="File not found"
        hint="It may have been deleted, or you do not have access to it."
        icon={<IconFileOff size={28} stroke={1.5} />}
      />
    </div>
  );
}

/** In the place of the viewer. */
function FileWaiting() {
  return (
    <div className={viewer.stage} role="status" aria-label="Loading file...">
      <Skeleton height="100%" radius={0} />
    </div>
  );
}

function FileHead({ file }: { file: FileRow | undefined }) {
  return (
    <div className={classes.head}>
      <div className={classes.name}>
        {file ? (
          <Title order={1} size="h2">
            <Breakable text={file.originalName} /> <HiddenFromClients file={file} />
          </Title>
        ) : (
          <Skeleton height={18} width="16rem" maw="60%" />
        )}
      </div>
      <div className={classes.buttons}>{file ? <OpenButtons file={file} /> : null}</div>
    </div>
  );
}

/** '3 of 183'; empty where the list does not hold the file, or does not count so far. */
function Nth({ place }: { place: FileFacts['place'] | undefined }) {
  const words = place && place.nth !== null ? `${formatCount(place.nth)} of ${formatTotal(place)}` : '';
  return <span className={classes.nth}>{words}</span>;
}

interface StepButtonProps {
  step: Step;
  walk: ReturnType<typeof useWalk>;
  ref: Ref<HTMLButtonElement>;
}

function StepButton({ step, walk, ref }: StepButtonProps) {
  const neighbour = walk.neighbours[step];
  const word = step === 'previous' ? 'Previous' : 'Next';
  return (
    <Button
      ref={ref}
      variant="default"
      size="xs"
      className={classes.step ?? ''}
      disabled={neighbour === null}
      onClick={() => walk.press(step)}
      aria-label={neighbour ? `${word} file: ${neighbour.originalName}` : `${word} file`}
      aria-keyshortcuts={walk.keys[step]}
      title={neighbour?.originalName}
      leftSection={step === 'previous' ? <IconChevronLeft size={15} aria-hidden /> : null}
      rightSection={step === 'next' ? <IconChevronRight size={15} aria-hidden /> : null}
    >
      {word}
    </Button>
  );
}

/** View in a tab of its own, and download. */
function OpenButtons({ file }: { file: FileRow }) {
  const { view, download, isOpening, isDownloading } = useFileOpening(file);
  return (
    <>
      {opensInTab(file) ? (
        <BusyButton
          variant="default"
          leftSection={<IconExternalLink size={16} aria-hidden />}
          onClick={view}
          busy={isOpening}
        >
          Open in new tab
        </BusyButton>
      ) : null}
      <BusyButton leftSection={<IconDownload size={16} aria-hidden />} onClick={download} busy={isDownloading}>
        {isDownloading ? 'Downloading...' : 'Download'}
      </BusyButton>
    </>
  );
}

/** Sends a file that corrects this one; so does dropping it anywhere on the page. Nothing where the viewer may not. */
function UploadCorrectionButton({ file }: { file: FileRow }) {
  const user = useSessionUser();
  const { id, originalName, fileType, clientId, reportTypeId, documentType, period, onHold } = file;
  const place = { fileType, clientReached: true, reportTypeReached: reportTypeId === null ? null : true };
  if (!may(user, 'files.upload', place)) return null;
  return (
    <UploadButton
      label="Upload correction"
      title="Upload Correction"
      variant="default"
      several={false}
      fileTypes={[fileType]}
      start={{
        fileType,
        clientId,
        ...(reportTypeId === null ? {} : { reportTypeId }),
        ...(documentType === null ? {} : { documentType }),
        ...(period === null ? {} : { period }),
        corrects: { id, name: originalName, onHold },
      }}
    />
  );
}

interface DeleteButtonProps {
  file: FileRow;
  place: Address;
  /** While it runs, the file is not loaded again. */
  onDeleting: (deleting: boolean) => void;
  /** Goes to another file; returns false where there is none. */
  onDeleted: () => boolean;
}

/** Nothing where the viewer may not. */
function DeleteButton({ file, place, onDeleting, onDeleted }: DeleteButtonProps) {
  const navigate = useNavigate();
  const { to, params, search } = useWayBack(file, place);
  const { how, remove } = useFileDeletion(file, file.fileType === 'report' ? 'file' : 'document', {
    onDeleting,
    onDeleted: () => {
      if (!onDeleted()) void navigate({ to: to as string, params, search });
    },
  });
  if (how === null) return null;
  const Icon = how.icon;
  return (
    <Button
      variant="default"
      leftSection={<Icon size={16} aria-hidden />}
      onClick={remove}
      className={classes.delete ?? ''}
    >
      {how.label}
    </Button>
  );
}
