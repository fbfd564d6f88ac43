// A document of a batch as it looks: its pages of the file, with the words marked that decided.
import { Button } from '@mantine/core';
import { IconDownload, IconFileText, IconLock } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
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
const ImageView = lazy(async () => ({ default: (await import('#web/parts/viewer/image-view.tsx')).ImageView }));
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
}

const waiting = (
  <div className={viewer.middle}>
    <Spinner label="Loading file..." />
  </div>
);

export function PageView(props: PageViewProps) {
  const { document, file, asksPassword } = props;
  const unshown = <Unshown {...props} />;
  const kind = kindOf({ contentType: file.contentType, originalName: file.name });
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
  else content = <OtherFile key={file.id} document={document} file={file} kind={kind} unreadable={unshown} />;
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

interface OtherFileProps extends Pick<PageViewProps, 'document' | 'file'> {
  kind: 'image' | 'text' | 'table';
  unreadable: ReactNode;
}

const views = { image: ImageView, text: TextView, table: TableView };

function OtherFile({ document, file, kind, unreadable }: OtherFileProps) {
  const { data, error, isFetching, refetch } = useQuery(bytesQuery(file.id, partOf({ document, file })));
  if (error) {
    return (
      <div className={viewer.middle}>
        <ErrorState message={failed.openFile} hint={error.message} onRetry={() => void refetch()} busy={isFetching} />
      </div>
    );
  }
  if (data === undefined) return waiting;
  const View = views[kind];
  return <View blob={data} name={file.name} unreadable={unreadable} />;
}

function Unshown({ document, file }: Pick<PageViewProps, 'document' | 'file'>) {
  return (
    <div className={viewer.middle}>
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
