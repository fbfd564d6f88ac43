// An upload that goes on while its person is on other pages: how far it is, what failed, and the way back to its dialog.

import { Button, Progress } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { addUploads, clearUploads, sendUploads, type Uploads, useUploads } from '#web/data/uploads.ts';
import { formatCount } from '#web/lib/format.ts';
import { done, storedOf } from '#web/lib/messages.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { BELOW_TOASTS, BESIDE_PAGE, toast } from '#web/ui/toast.tsx';
import { useDraggedFiles } from '#web/ui/use-dragged-files.ts';
import {
  type BackgroundUpload,
  closeUploadDetails,
  dropBackgroundUpload,
  handOver,
  showUploadDetails,
  useBackgroundUpload,
} from './background-upload.ts';
import { UploadDialog } from './upload-dialog.tsx';
import classes from './upload-panel.module.css';

/** Long enough to be read by somebody who looks elsewhere on the page. */
const SEEN_MS = 8_000;

/** The others are in the details: a list that scrolls here would be one more stop for the keyboard. */
const FAULTS_SHOWN = 3;

export function UploadPanel() {
  const { current, details } = useBackgroundUpload();
  const dragged = useDraggedFiles({
    onEnter: () => undefined,
    onDropElsewhere: addUploads,
    accepts: () => details !== null,
  });
  return (
    <>
      {current ? <Panel upload={current} /> : null}
      {details ? (
        <UploadDialog
          {...details.dialog}
          opened
          onClose={closeUploadDetails}
          dragged={dragged}
          onDrop={addUploads}
          resumed={details}
        />
      ) : null}
    </>
  );
}

/** '2 of 5 files stored, 1 failed'; 'of 1 file' where there is one. */
function progressWords({ items, storedCount, busy }: Uploads, sentOf: number): string {
  const failedCount = items.filter(({ state }) => state === 'failed').length;
  const words = storedOf(storedCount, sentOf);
  if (failedCount > 0) return `${words}, ${formatCount(failedCount)} failed`;
  return busy || items.length === 0 ? words : `${words}, ${formatCount(items.length)} waiting`;
}

/** Goes once its success was on a visible page for a while. */
function useVanishing(succeeded: boolean): void {
  useEffect(() => {
    if (!succeeded) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = setTimeout(dropBackgroundUpload, SEEN_MS);
    };
    watch();
    document.addEventListener('visibilitychange', watch);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', watch);
    };
  }, [succeeded]);
}

function Panel({ upload }: { upload: BackgroundUpload }) {
  const uploads = useUploads();
  const { items, busy, storedCount } = uploads;
  const { sentOf, choices, values } = upload;
  const [folded, setFolded] = useState(false);
  const failures = items.filter(({ state }) => state === 'failed');
  // What was added while others were sent is looked at first.
  const isChosen = items.every(({ id }) => choices.has(id));
  useVanishing(!busy && items.length === 0);

  const stop = () => {
    clearUploads();
    dropBackgroundUpload();
    toast.success(done.uploadStopped(storedCount, sentOf));
  };
  const retry = () => {
    handOver({ ...upload, sentOf: items.length }, clearUploads);
    void sendUploads((id) => choices.get(id) ?? values);
  };
  const close = () => {
    clearUploads();
    dropBackgroundUpload();
  };

  return (
    <section className={classes.panel} aria-label="Uploads" {...{ [BELOW_TOASTS]: '', [BESIDE_PAGE]: true }}>
      <div className={classes.head}>
        <p className={classes.words} role="status">
          {progressWords(uploads, sentOf)}
        </p>
        <IconButton
          label={folded ? 'Unfold uploads' : 'Fold uploads'}
          icon={folded ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
          onClick={() => setFolded(!folded)}
          aria-expanded={!folded}
        />
        {!busy && items.length === 0 ? (
          <IconButton label="Close uploads" icon={<IconX size={16} aria-hidden />} onClick={close} />
        ) : null}
      </div>
      {busy ? (
        <Progress
          value={(100 * (storedCount + items.reduce((sum, { sentShare }) => sum + sentShare, 0))) / Math.max(1, sentOf)}
          size={4}
          aria-label="Sending files"
        />
      ) : null}
      <div className={classes.body} hidden={folded}>
        {failures.length > 0 ? (
          <ul className={classes.faults} aria-label="Failed files">
            {failures.slice(0, FAULTS_SHOWN).map(({ id, name, reason }) => (
              <li key={id}>
                <Breakable text={name} />
                <span className={classes.reason}>{reason}</span>
              </li>
            ))}
            {failures.length > FAULTS_SHOWN ? <li>and {formatCount(failures.length - FAULTS_SHOWN)} more</li> : null}
          </ul>
        ) : null}
        <div className={classes.buttons}>
          {items.length > 0 ? (
            <Button variant="default" size="xs" onClick={showUploadDetails}>
              Show details
            </Button>
          ) : null}
          {busy ? (
            <Button variant="default" size="xs" onClick={stop}>
              Stop
            </Button>
          ) : null}
          {!busy && items.length > 0 ? (
            <>
              {isChosen ? (
                <Button size="xs" onClick={retry}>
                  Retry
                </Button>
              ) : null}
              <Button variant="default" size="xs" onClick={close}>
                Discard
              </Button>
            </>
          ) : null}
        </div>
      </div>
    </section>
  );
}
