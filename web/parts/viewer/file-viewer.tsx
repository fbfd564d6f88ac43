// A file shown in the page, by its type; or why it is not shown, with the download.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { FileRow } from '#contract/files.ts';
import { formatMegabytes } from '#web/lib/format.ts';
import { failed } from '#web/lib/messages.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { fileBytesQuery } from './file-bytes.ts';
import { type FileKind, kindOf } from './file-kind.ts';
import { ImageView } from './image-view.tsx';
import { TextView } from './text-view.tsx';
import { Unshown } from './unshown.tsx';
import classes from './viewer.module.css';

/** Larger files load on request: on a slow line they take minutes, on a phone all of its memory. */
const FETCHED_BY_ITSELF_BYTES = 50 * 1024 * 1024;

interface ViewProps {
  blob: Blob;
  name: string;
  unreadable: ReactNode;
  /** The page that is shown first, where the file has pages. */
  page?: number | undefined;
  /** The search that found it: its words are marked, where the file is a PDF with text. */
  foundBy?: string | undefined;
}

const loadPdfView = async () => ({ default: (await import('./pdf-view.tsx')).PdfView });
const loadTableView = async () => ({ default: (await import('./table-view.tsx')).TableView });

const views: Record<FileKind, ComponentType<ViewProps>> = {
  pdf: lazy(loadPdfView),
  image: ImageView,
  text: TextView,
  table: lazy(loadTableView),
};

const loaders: Partial<Record<FileKind, () => Promise<unknown>>> = { pdf: loadPdfView, table: loadTableView };

export interface FileViewerProps {
  file: FileRow;
  /** The page that is shown first, where the file has pages. */
  page?: number | undefined;
  /** The search that found it: its words are marked, where the file is a PDF with text. */
  foundBy?: string | undefined;
  /** Called when the file has been fetched, or will not be: the log is then complete. */
  onSettled: () => void;
}

export function FileViewer({ file, page, foundBy, onSettled }: FileViewerProps) {
  const kind = kindOf(file);
  const [asked, setAsked] = useState(false);
  const waits = file.size > FETCHED_BY_ITSELF_BYTES && !asked;
  const unfetched = kind === null || waits;
  useEffect(() => {
    if (unfetched) onSettled();
  }, [unfetched, onSettled]);

  let content: ReactNode;
  if (kind === null) {
    content = (
      <Unshown
        file={file}
        title="This type of file cannot be shown here"
        hint="Download it to open it on this device."
      />
    );
  } else if (waits) {
    content = (
      <Unshown
        file={file}
        title="This file is large"
        hint={`It is ${formatMegabytes(file.size)}, and may take a while to show.`}
        action={
          <Button variant="default" onClick={() => setAsked(true)}>
            Show anyway
          </Button>
        }
      />
    );
  } else {
    content = <Shown key={file.id} file={file} page={page} foundBy={foundBy} kind={kind} onSettled={onSettled} />;
  }
  return (
    <section className={classes.stage} aria-label="File">
      {content}
    </section>
  );
}

function Shown({ file, page, foundBy, kind, onSettled }: FileViewerProps & { kind: FileKind }) {
  const bytes = useQuery(fileBytesQuery(file.id));
  const settled = !bytes.isPending;
  useEffect(() => {
    if (settled) onSettled();
  }, [settled, onSettled]);
  useEffect(() => {
    // Together with the bytes; where it fails, the view itself says so when it loads.
    loaders[kind]?.().catch(() => undefined);
  }, [kind]);

  if (bytes.error) {
    return (
      <div className={classes.middle}>
        <ErrorState
          message={failed.openFile}
          hint={bytes.error.message}
          onRetry={() => void bytes.refetch()}
          busy={bytes.isFetching}
        />
      </div>
    );
  }
  const waiting = (
    <div className={classes.middle}>
      <Spinner label="Loading file..." />
    </div>
  );
  if (bytes.data === undefined) return waiting;
  const View = views[kind];
  return (
    <Suspense fallback={waiting}>
      <View
        blob={bytes.data}
        name={file.originalName}
        page={page}
        foundBy={foundBy}
        unreadable={
          <Unshown
            file={file}
            title="This file cannot be shown here"
            hint="It may be damaged, or made in a way that is not supported. Download it to open it on this device."
          />
        }
      />
    </Suspense>
  );
}
