// One document under review: its page, what it is filed under, why, and what is decided about it.
import { Anchor, Badge, Button, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useMemo, useRef, useState } from 'react';
import { type Remembered, unreadableSentences } from '#contract/batch-words.ts';
import type { BatchFileRow, DocumentRow, Mark } from '#contract/batches.ts';
import { periodName } from '#contract/period.ts';
import { accessesQuery, type Said } from '#web/data/batches.ts';
import { apiUrl } from '#web/lib/api.ts';
import { formatDate, formatText } from '#web/lib/format.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { LinkToFile } from '#web/parts/files/link-to-file.tsx';
import viewer from '#web/parts/viewer/viewer.module.css';
import { Breakable } from '#web/ui/breakable.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { AccessList } from './access-list.tsx';
import { CLOSED_WORDS, FOUR_EYES, lockedWords, ORIGINAL_WORDS, recallWords } from './batch-messages.ts';
import { DocumentForm, type DocumentFormHandle } from './document-form.tsx';
import { choiceOf, type EarlierChoice, isDecided, isThereAlready, mayChange, stateNameOf } from './document-groups.ts';
import { noClient, pageWords, signalsOf } from './document-words.ts';
import { EarlierFile, placeInBatch } from './earlier-file.tsx';
import { hasMarks, PageView } from './page-view.tsx';
import { RememberThis } from './remember-this.tsx';
import classes from './review.module.css';
import { useKeyHint } from './use-key-hint.ts';
import { useMayDelete } from './use-may-delete.ts';
import { useMayRelease } from './use-may-release.ts';
import { useUnlockKey } from './use-review-keys.ts';
import { Why } from './why.tsx';

export interface DocumentPaneProps {
  batchId: number;
  document: DocumentRow;
  file: BatchFileRow | undefined;
  /** Whether a file that waits is being read: false where reading has ended, which the page says. */
  isReading: boolean;
  /** Whether the one before it in the list of the file can take it. */
  canJoin: boolean;
  /** The page of the file in sight. */
  page: number;
  onPage: (page: number) => void;
  onSay: (said: Said) => void;
  onRemember: (what: Remembered, words: string) => void;
  onAccept: () => void;
  onDrop: () => void;
  onChoose: (choice: EarlierChoice) => void;
  onReopen: () => void;
  onSplit: () => void;
  onJoin: () => void;
  onRecall: () => void;
  /** Asks for the password of the file. */
  onUnlock: (file: BatchFileRow) => void;
  /** Back to the list, where that is a step of its own. */
  onBack: (() => void) | null;
  /** The button for it. */
  back: Ref<HTMLButtonElement>;
  onLeaveForm: () => void;
  form: Ref<DocumentFormHandle>;
}

const NO_MARKS: readonly Mark[] = [];

export function DocumentPane(props: DocumentPaneProps) {
  const { document, file, page, onPage, onSay, onBack, onLeaveForm, form } = props;
  const stage = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<{ id: number; page: number; marks: readonly Mark[] } | null>(null);
  const [isUnmarked, setIsUnmarked] = useState(false);
  const marks = useMemo(() => signalsOf(document).flatMap((signal) => signal.marks), [document]);
  const open = mayChange(document);
  const target = pointed?.id === document.id ? pointed : null;
  const pages = pageWords(document);
  const locked = open && file?.unreadable === 'password' && !file.closed ? file : undefined;
  const unlock = locked === undefined ? undefined : () => props.onUnlock(locked);
  useUnlockKey(unlock);
  const point = (shown: readonly Mark[]) => {
    const [first] = shown;
    if (!first) return;
    setPointed({ id: document.id, page: first.page, marks: shown });
    // In a narrow window the page is below all this.
    stage.current?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <section className={classes.pane} aria-label="Document">
      {onBack === null ? null : (
        <Button
          ref={props.back}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowLeft size={16} aria-hidden />}
          onClick={onBack}
          className={classes.toList ?? ''}
        >
          Back to the documents
        </Button>
      )}
      <div ref={stage} className={viewer.stage} data-page>
        {file ? (
          <PageView
            document={document}
            file={file}
            asksPassword={locked !== undefined}
            marks={marks}
            pointed={target?.marks ?? NO_MARKS}
            target={target}
            onPage={onPage}
            onUnmarked={setIsUnmarked}
          />
        ) : null}
      </div>
      <div className={classes.side}>
        <div className={classes.sideHead}>
          <Title order={2} size="h3">
            <Breakable text={document.name} />
          </Title>
          <p className={classes.facts}>
            <Badge miw="max-content">{stateNameOf(document, file)}</Badge>
            {pages === '' ? null : <span>{pages}</span>}
            {document.fileName === document.name ? null : (
              <span className={classes.breaks}>
                <Breakable text={document.fileName} />
              </span>
            )}
          </p>
          <Notices
            batchId={props.batchId}
            document={document}
            file={file}
            isReading={props.isReading}
            onChoose={props.onChoose}
            onUnlock={unlock}
          />
        </div>
        {open ? (
          <DocumentForm document={document} onSay={onSay} onLeave={onLeaveForm} handle={form} />
        ) : (
          <FiledUnder document={document} />
        )}
        <Decisions {...props} open={open} page={page} />
        {open ? <RememberThis document={document} onRemember={props.onRemember} /> : null}
        <Why
          document={document}
          file={file}
          onPoint={file === undefined || !hasMarks(file) || isUnmarked ? null : point}
        />
        {(document.state === 'released' || document.state === 'recalled') && !document.closed ? (
          <OpenedBy batchId={props.batchId} documentId={document.id} />
        ) : null}
      </div>
    </section>
  );
}

/** What it is filed under, where nothing of that can be changed. */
function FiledUnder({ document }: Pick<DocumentPaneProps, 'document'>) {
  const { closed, clientId, clientName, reportTypeName, period } = document;
  if (closed) return <p className={classes.notice}>{CLOSED_WORDS}</p>;
  return (
    <dl className={classes.filedUnder}>
      <dt>Client</dt>
      <dd>{clientName === null ? noClient : <ClientLink id={clientId} name={clientName} />}</dd>
      <dt>Report Type</dt>
      <dd>
        <Breakable text={formatText(reportTypeName)} />
      </dd>
      <dt>Period</dt>
      <dd>{period === null ? 'No period' : periodName(period, formatDate)}</dd>
    </dl>
  );
}

/** What must be known before anything is decided. */
function Notices({
  batchId,
  document,
  file,
  isReading,
  onChoose,
  onUnlock,
}: Pick<DocumentPaneProps, 'batchId' | 'document' | 'file' | 'isReading' | 'onChoose'> & {
  onUnlock: (() => void) | undefined;
}) {
  const hint = useKeyHint();
  const mayRelease = useMayRelease();
  const { fault, state, releasedFileId, name, reviewedByName, recall, restored } = document;
  return (
    <>
      {file?.unreadable ? <p className={classes.fault}>{unreadableSentences[file.unreadable]}</p> : null}
      {onUnlock ? (
        <Button variant="default" size="xs" onClick={onUnlock} className={classes.unlock ?? ''} {...hint('W')}>
          Enter Password
        </Button>
      ) : null}
      {file?.hasOriginal && !file.closed ? (
        <p className={classes.notice}>
          <Anchor href={apiUrl('batches.open-file', { id: file.id }, { original: 'true' })} download inherit>
            {ORIGINAL_WORDS}
          </Anchor>
        </p>
      ) : null}
      {file?.state === 'waiting' && isReading ? <p className={classes.notice}>{lockedWords.reading}</p> : null}
      {fault === null ? null : (
        <p role="alert" className={classes.fault}>
          Not released: {fault}
        </p>
      )}
      <EarlierFile batchId={batchId} document={document} onChoose={onChoose} />
      {state === 'released' && releasedFileId !== null ? (
        <p className={classes.notice}>
          Released as <LinkToFile id={releasedFileId} name={name} search={placeInBatch(batchId)} />
        </p>
      ) : null}
      {recall === null ? null : (
        <p className={classes.notice}>
          Recalled by {recall.byName}, <Moment at={recall.at} />: {recall.reason}
        </p>
      )}
      {restored && releasedFileId !== null ? (
        <p className={classes.notice}>
          {recallWords.restored}: <LinkToFile id={releasedFileId} name={name} search={placeInBatch(batchId)} />
        </p>
      ) : null}
      {reviewedByName === null ? null : <p className={classes.notice}>Reviewed by {reviewedByName}</p>}
      {state === 'accepted' && !mayRelease(document) ? <p className={classes.notice}>{FOUR_EYES}</p> : null}
    </>
  );
}

function Decisions(props: DocumentPaneProps & { open: boolean }) {
  const hint = useKeyHint();
  const mayRecall = useMayDelete();
  const { document, open, page, canJoin, onAccept, onDrop, onReopen, onSplit, onJoin, onRecall } = props;
  const { state, closed, fromPage, toPage } = document;
  if (state === 'released' && !closed) {
    if (!mayRecall) return null;
    return (
      <div className={classes.decisions}>
        {document.onHold ? (
          <p className={classes.notice}>{recallWords.heldDocument}</p>
        ) : (
          <Button variant="default" onClick={onRecall} {...hint('L')}>
            Recall This Document
          </Button>
        )}
      </div>
    );
  }
  if (!open) return null;
  // Of what is there already it is a choice among others, with the same key.
  const skips = isThereAlready(document);
  return (
    <div className={classes.decisions}>
      {state === 'accepted' || (skips && choiceOf(document) === 'skip') ? null : (
        <Button onClick={onAccept} {...hint(['A', 'Enter'])}>
          Accept
        </Button>
      )}
      {state === 'dropped' || skips ? null : (
        <Button variant="default" onClick={onDrop} {...hint('D')}>
          Drop
        </Button>
      )}
      {isDecided(document) ? (
        <Button variant="default" onClick={onReopen} {...hint('U')}>
          Back to Check
        </Button>
      ) : null}
      {toPage > fromPage ? (
        <Button
          variant="default"
          onClick={onSplit}
          disabled={page <= fromPage || page > toPage}
          {...hint('S', page <= fromPage ? 'Go to the page that begins the second document' : '')}
        >
          {page > fromPage && page <= toPage ? `Split at Page ${page}` : 'Split Here'}
        </Button>
      ) : null}
      {canJoin ? (
        <Button variant="default" onClick={onJoin} {...hint('B')}>
          Join with the One Before
        </Button>
      ) : null}
    </div>
  );
}

function OpenedBy({ batchId, documentId }: { batchId: number; documentId: number }) {
  const accesses = useQuery(accessesQuery(batchId));
  return (
    <section aria-label="Who opened it">
      <p className={classes.whyTitle}>Who opened it</p>
      <AccessList query={accesses} documentId={documentId} />
    </section>
  );
}
