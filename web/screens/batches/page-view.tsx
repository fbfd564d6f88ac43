// A document of a batch as it looks: its pages of the file, with the words marked that decided.
import { Button } from '@mantine/core';
import { IconDownload, IconFileText, IconLock } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useLayoutEffect } from 'react';
import type { BatchFileRow, DocumentRow, Mark } from '#contract/batches.ts';
import { apiUrl, callBytes } from '#web/lib/api.ts';
import { failed } from '#web/lib/messages.ts';
import { kindOf } from '#web/parts/viewer/file-kind.ts';
import viewer from '#web/parts/viewer/viewer.module.css';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { batchFileClosed, lockedWords } from './batch-messages.ts';

const DocumentPages = lazy(async () => ({ default: (await import('./document-pages.tsx')).DocumentPages }));
const ImagePage = lazy(async () => ({ default: (await import('./image-page.tsx')).ImagePage }));
const TextView = lazy(async () => ({ default: (await import('#web/parts/viewer/text-view.tsx')).TextView }));
const TableView = lazy(async () => ({ default: (await import('#web/parts/viewer/table-view.tsx')).TableView }));

export interface PageViewProps {
  document: DocumentRow;
  file: BatchFileRow;
  /** Whether the review asks for its password, and so the viewer does not. */
  asksPassword: boolean;
  marks: readonly Mark[];
  /** Of `marks`, those that were asked for. */
  pointed: readonly Mark[];
  target: { readonly page: number } | null;
  onPage: (page: number) => void;
  /** Told whether it could not be shown, and so has no marks. */
  onUnmarked: (isUnmarked: boolean) => void;
}

const waiting = (
  <div className={viewer.middle}>
    <Spinner label="Loading file..." />
  </div>
);

const kindOfFile = ({ contentType, name }: BatchFileRow) => kindOf({ contentType, originalName: name });

/** Whether marks are over what it shows: those of texts and tables would have no place. */
export function hasMarks(file: BatchFileRow): boolean {
  const kind = kindOfFile(file);
  return kind === 'pdf' || kind === 'image';
}

/** Stands where nothing could be shown, and so there are no marks. */
function Unmarked({ onUnmarked }: Pick<PageViewProps, 'onUnmarked'>) {
  // Before anybody sees a button that leads to none.
  useLayoutEffect(() => {
    onUnmarked(true);
    return () => onUnmarked(false);
  }, [onUnmarked]);
  return null;
}

export function PageView(props: PageViewProps) {
  const { document, file, asksPassword } = props;
  const unshown = <Unshown {...props} />;
  const kind = kindOfFile(file);
  let content: ReactNode;
  if (document.closed) {
    return (
      <div className={viewer.middle}>
        <EmptyState {...batchFileClosed} />
      </div>
    );
  }
  if (asksPassword) {
    return (
      <div className={viewer.middle}>
        <EmptyState
          {...lockedWords.unshown}
          icon={<IconLock size={28} stroke={1.5} />}
          action={<DownloadButton document={document} file={file} />}
        />
      </div>
    );
  }
  if (kind === 'pdf') content = <DocumentPages {...props} unreadable={unshown} />;
  else if (kind === null) content = unshown;
  else content = <OtherFile key={file.id} {...props} kind={kind} unreadable={unshown} />;
  return <Suspense fallback={waiting}>{content}</Suspense>;
}

/** Of a file that is not opened whole, the document is. */
const partOf = ({ document, file }: Pick<PageViewProps, 'document' | 'file'>) =>
  file.closed ? { document: document.id } : {};

function bytesQuery(id: number, part: { readonly document?: number }) {
  return queryOptions({
    // Not with the nouns that are refreshed: the bytes of a file stay what they are.
    queryKey: ['batch-bytes', id, part],
    queryFn: async ({ signal }) => {
      const { blob } = await callBytes(
        'batches.open-file',
        { params: { id }, query: { view: 'true', ...part } },
        { signal },
      );
      return blob;
    },
    gcTime: 0,
  });
}

interface OtherFileProps extends PageViewProps {
  kind: 'image' | 'text' | 'table';
  unreadable: ReactNode;
}

const views = { text: TextView, table: TableView };

function OtherFile(props: OtherFileProps) {
  const { document, file, kind, unreadable, marks, pointed, target, onUnmarked } = props;
  const { data, error, isFetching, refetch } = useQuery(bytesQuery(file.id, partOf({ document, file })));
  if (error) {
    return (
      <div className={viewer.middle}>
        <Unmarked onUnmarked={onUnmarked} />
        <ErrorState message={failed.openFile} hint={error.message} onRetry={() => void refetch()} busy={isFetching} />
      </div>
    );
  }
  if (data === undefined) return waiting;
  const shown = { blob: data, name: file.name, unreadable };
  if (kind === 'image') return <ImagePage {...shown} marks={marks} pointed={pointed} target={target} />;
  const View = views[kind];
  return <View {...shown} />;
}

function Unshown({ document, file, onUnmarked }: Pick<PageViewProps, 'document' | 'file' | 'onUnmarked'>) {
  return (
    <div className={viewer.middle}>
      <Unmarked onUnmarked={onUnmarked} />
      <EmptyState
        title="This file cannot be shown here"
        hint="Download it to open it on this device."
        icon={<IconFileText size={28} stroke={1.5} />}
        action={<DownloadButton document={document} file={file} />}
      />
    </div>
  );
}

function DownloadButton({ document, file }: Pick<PageViewProps, 'document' | 'file'>) {
  return (
    <Button
      component="a"
      variant="default"
      mt="xs"
      leftSection={<IconDownload size={16} aria-hidden />}
      href={apiUrl('batches.open-file', { id: file.id }, partOf({ document, file }))}
      download={file.name}
    >
      Download file
    </Button>
  );
}
