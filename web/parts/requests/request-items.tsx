// The items of a request, each with what was sent for it and what its viewer may do: send and say, or accept and send back.
import { Badge, Button, FileButton, Progress } from '@mantine/core';
import { IconCamera, IconCheck, IconRefresh, IconX } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { type DragEvent, useRef, useState } from 'react';
import { counted } from '#contract/plain-words.ts';
import { mayAttempt } from '#contract/policy.ts';
import { itemStateNames } from '#contract/request-words.ts';
import type { RequestDetails, RequestFile } from '#contract/requests.ts';
import {
  type AnswerOutcome,
  type AnswerUpload,
  removeAnswer,
  retryAnswers,
  sendAnswers,
  useAnswerUploads,
} from '#web/data/request-uploads.ts';
import { useDecide } from '#web/data/requests.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { formatCount } from '#web/lib/format.ts';
import { requestDone, requestFailed, requestWords } from '#web/lib/request-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Day } from '#web/ui/moment.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useDraggedFiles } from '#web/ui/use-dragged-files.ts';
import { type LazyDialog, useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { LinkToFile } from '../files/link-to-file.tsx';
import { openedFromRequest } from '../files/way-back.ts';
import type { ItemOfRequest } from './request-answer-dialogs.tsx';
import classes from './request-items.module.css';

const loadSayNot = () => import('./request-answer-dialogs.tsx').then(({ SayNotDialog }) => SayNotDialog);
const loadSendBack = () => import('./request-answer-dialogs.tsx').then(({ SendBackDialog }) => SendBackDialog);

const told: AnswerOutcome = {
  sent: (name) => toast.success(requestDone.sent(name)),
  failed: (files, error) => toastFault(error, failedWords(files)),
};

/** Of several that failed together it is said why where all did for one reason. */
function failedWords(files: readonly AnswerUpload[]) {
  const [first] = files;
  if (first !== undefined && files.length === 1) return requestFailed.send(first.name);
  const forOne = files.every(({ reason }) => reason === first?.reason);
  return (reason: string) => `Failed to send ${counted(files.length, 'file')}: ${forOne ? reason : 'each says why.'}`;
}

/** For whoever shows `RequestItems`: a request may go from the home while somebody types, and the dialog stays. */
export const useSayingNot = () => useLazyDialog<ItemOfRequest>(loadSayNot);

export interface RequestItemsProps {
  details: RequestDetails;
  saying: LazyDialog<ItemOfRequest>;
  /** Whether no other request stands on the page. */
  alone?: boolean;
}

export function RequestItems({ details: { request, items }, saying, alone = true }: RequestItemsProps) {
  const user = useSessionUser();
  const isOpen = request.state !== 'closed';
  const answers = isOpen && mayAttempt(user, 'requests.answer');
  const decides = isOpen && mayAttempt(user, 'requests.manage');
  const uploads = useAnswerUploads();
  const failed = uploads.filter(({ itemId, state }) => state === 'failed' && items.some(({ id }) => id === itemId));
  const sendingBack = useLazyDialog<ItemOfRequest>(loadSendBack);
  const takers = answers ? items.filter(({ state }) => state !== 'accepted') : [];
  const dragged = useDraggedFiles({
    onEnter: () => undefined,
    // Of several items nobody knows for which one they are.
    onDropElsewhere: (files) => {
      const [only] = takers;
      if (only !== undefined && takers.length === 1 && alone) sendAnswers(only.id, files, told);
      else toast.info(requestWords.whichItem);
    },
    accepts: () => takers.length > 0 && document.querySelector('[aria-modal="true"]') === null,
  });
  return (
    <>
      <ul className={classes.items} aria-label={`Items of ${request.title}`}>
        {items.map((item) => (
          <Item
            key={item.id}
            item={{ ...item, requestId: request.id }}
            uploads={uploads.filter(({ itemId }) => itemId === item.id)}
            answers={takers.includes(item)}
            decides={decides}
            dragged={dragged}
            saying={saying}
            sendingBack={sendingBack}
          />
        ))}
      </ul>
      {failed.length > 1 ? (
        <Button
          variant="default"
          size="xs"
          mx={16}
          mb={12}
          leftSection={<IconRefresh size={15} aria-hidden />}
          onClick={() =>
            retryAnswers(
              failed.map(({ id }) => id),
              told,
            )
          }
        >
          Try All {formatCount(failed.length)} Again
        </Button>
      ) : null}
      {sendingBack.element}
    </>
  );
}

interface ItemProps {
  item: ItemOfRequest;
  uploads: readonly AnswerUpload[];
  answers: boolean;
  decides: boolean;
  dragged: boolean;
  saying: LazyDialog<ItemOfRequest>;
  sendingBack: LazyDialog<ItemOfRequest>;
}

function Item({ item, uploads, answers, decides, dragged, saying, sendingBack }: ItemProps) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    sendAnswers(item.id, [...event.dataTransfer.files], told);
  };
  const isDrop = answers && dragged;
  return (
    <li
      className={`${classes.item} ${isDrop ? classes.drop : ''}`}
      data-over={(isDrop && over) || undefined}
      {...(answers
        ? {
            onDragOver: (event: DragEvent) => {
              event.preventDefault();
              setOver(true);
            },
            onDragLeave: () => setOver(false),
            onDrop: drop,
          }
        : {})}
    >
      <div className={classes.words}>
        <div className={classes.head}>
          <span className={classes.name}>
            <Breakable text={item.name} />
          </span>
          <Badge miw="max-content">{itemStateNames[item.state]}</Badge>
        </div>
        {item.note === '' ? null : <p className={classes.note}>{item.note}</p>}
        {item.reason === '' ? null : <p className={classes.reason}>{`Sent back: ${item.reason}`}</p>}
        {item.saidNot ? (
          <p className={classes.note}>
            {item.answer === '' ? requestWords.saidNot : `${requestWords.saidNot}: ${item.answer}`}
          </p>
        ) : null}
        <Files requestId={item.requestId} files={item.files} />
        {uploads.length > 0 ? <Uploads uploads={uploads} /> : null}
      </div>
      <div className={classes.actions}>
        {answers ? <AnswerButtons item={item} saying={saying} /> : null}
        {decides ? <DecideButtons item={item} sendingBack={sendingBack} /> : null}
      </div>
    </li>
  );
}

function Files({ requestId, files }: { requestId: number; files: readonly RequestFile[] }) {
  // They stand on the page of the request and on the home.
  const router = useRouter();
  if (files.length === 0) return null;
  return (
    <ul className={classes.files} aria-label="Sent files">
      {files.map(({ fileId, name, place, sentAt, sentByName }) => (
        <li key={fileId}>
          {place === 'gone' ? (
            <span className={classes.gone}>
              <Breakable text={name} /> ({requestWords.gone})
            </span>
          ) : (
            <>
              <LinkToFile
                id={fileId}
                name={name}
                search={() => openedFromRequest(requestId, router.state.location.pathname)}
              />
              {place === 'elsewhere' ? <span className={classes.gone}>({requestWords.elsewhere})</span> : null}
            </>
          )}
          <span className={classes.note}>
            <Day at={sentAt} /> by {sentByName}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Uploads({ uploads }: { uploads: readonly AnswerUpload[] }) {
  return (
    <ul className={classes.files} aria-label="Files being sent">
      {uploads.map(({ id, name, state, sentShare, reason }) => (
        <li key={id}>
          <span>
            <Breakable text={name} />
          </span>
          {state === 'failed' ? (
            <>
              <span role="alert" className={classes.reason}>
                {reason}
              </span>
              <IconButton
                label={`Try again: ${name}`}
                tip="Try again"
                icon={<IconRefresh size={16} aria-hidden />}
                onClick={() => retryAnswers([id], told)}
              />
            </>
          ) : (
            <Progress
              className={classes.progress ?? ''}
              value={100 * sentShare}
              size="sm"
              aria-label={`Progress of ${name}`}
            />
          )}
          <IconButton
            label={state === 'sending' ? `Cancel ${name}` : `Remove ${name}`}
            tip={state === 'sending' ? 'Cancel' : 'Remove'}
            icon={<IconX size={16} aria-hidden />}
            onClick={() => removeAnswer(id)}
          />
        </li>
      ))}
    </ul>
  );
}

function AnswerButtons({ item, saying }: Pick<ItemProps, 'item' | 'saying'>) {
  const forgetChoice = useRef<() => void>(null);
  const words = item.files.length === 0 ? 'Upload' : 'Upload more';
  return (
    <>
      {item.state === 'doesNotApply' ? null : (
        <Button
          variant="subtle"
          size="xs"
          aria-label={`${item.name} does not apply`}
          onClick={() => void saying.open(item)}
        >
          Does not apply
        </Button>
      )}
      <FileButton
        multiple
        resetRef={forgetChoice}
        inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
        onChange={(files) => {
          // The same files can be chosen again.
          forgetChoice.current?.();
          if (files.length > 0) sendAnswers(item.id, files, told);
        }}
      >
        {({ onClick }) => (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconCamera size={15} aria-hidden />}
            aria-label={`${words} for ${item.name}`}
            onClick={onClick}
          >
            {words}
          </Button>
        )}
      </FileButton>
    </>
  );
}

function DecideButtons({ item, sendingBack }: Pick<ItemProps, 'item' | 'sendingBack'>) {
  const decide = useDecide();
  const waits = item.state === 'sent' || item.state === 'doesNotApply';
  if (!waits && item.state !== 'accepted') return null;
  const accept = () =>
    decide.mutate(
      { id: item.id, version: item.version, decision: { decision: 'accept' } },
      {
        onSuccess: () => toast.success(requestDone.accepted(item.name)),
        onError: (error) => toastFault(error, requestFailed.accept),
      },
    );
  return (
    <>
      <Button
        variant={waits ? 'default' : 'subtle'}
        size="xs"
        aria-label={`Send back ${item.name}`}
        onClick={() => void sendingBack.open(item)}
      >
        Send back
      </Button>
      {waits ? (
        <BusyButton
          size="xs"
          leftSection={<IconCheck size={15} aria-hidden />}
          aria-label={`Accept ${item.name}`}
          busy={decide.isPending}
          onClick={accept}
        >
          Accept
        </BusyButton>
      ) : null}
    </>
  );
}
