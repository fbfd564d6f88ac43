// One file of an upload: what it is filed under, its progress, and the buttons that change, retry and remove it.

import { Anchor, Button, Progress } from '@mantine/core';
import { IconRefresh, IconX } from '@tabler/icons-react';
import { Fragment, useEffect, useId, useRef, useState } from 'react';
import { fileTypeNames } from '#contract/file-kinds.ts';
import { periodName } from '#contract/period.ts';
import { endedSentence } from '#contract/plain-words.ts';
import { hasClientPages } from '#contract/policy/actor.ts';
import type { UploadItem } from '#web/data/uploads.ts';
import { formatDate, formatMegabytes } from '#web/lib/format.ts';
import { emptyFile, opensTab } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { AnotherClient } from '../files/another-client.tsx';
import { PeriodDoubt } from '../periods/period-doubt.tsx';
import { AlreadyThere } from './already-there.tsx';
import type { OwnChoices } from './own-choices.ts';
import { UploadItemFields, type UploadItemFieldsProps } from './upload-item-fields.tsx';
import classes from './upload-list.module.css';
import type { UploadRow } from './upload-rows.ts';

function factOf({ state, sizeBytes, sentShare, reason }: UploadItem): string {
  if (state === 'failed') return reason ?? '';
  if (state === 'waiting') return sizeBytes === 0 ? emptyFile : formatMegabytes(sizeBytes);
  return sentShare < 1 ? `${formatMegabytes(sizeBytes)} · ${Math.floor(sentShare * 100)}%` : 'Storing...';
}

/** Client, report type and period of a file in one line: what somebody said, then what only its name says. */
function FiledUnder({ row }: { row: UploadRow }) {
  const user = useSessionUser();
  const { client, fileType, reportType, documentType, period, corrects } = row;
  const type = fileType.value === 'report' ? reportType : documentType;
  const parts = [
    {
      what: client,
      words: client.name || (client.value === null ? 'No client chosen' : ''),
      page: client.value !== null && hasClientPages(user) ? `/clients/${client.value}` : null,
    },
    // The kind that is chosen for all stands above.
    { what: fileType, words: row.kindDiffers && fileType.value !== null ? fileTypeNames[fileType.value] : '' },
    { what: type, words: type.name },
    { what: period, words: period.value === null ? '' : periodName(period.value, formatDate) },
    {
      what: corrects,
      words: corrects.value === null ? '' : `${row.replacing === null ? 'Corrects' : 'Replaces'} ${corrects.name}`,
    },
  ].filter(({ words }) => words !== '');
  const said = parts.filter(({ what }) => !what.proposed);
  const proposed = parts.filter(({ what }) => what.proposed);
  return (
    <p className={classes.fact}>
      <Joined parts={said} />
      {said.length > 0 && proposed.length > 0 ? ' · ' : null}
      {proposed.length > 0 ? <em>Proposed: </em> : null}
      <Joined parts={proposed} />
    </p>
  );
}

interface JoinedProps {
  /** What has a page opens it in a tab of its own: this dialog stays. */
  parts: readonly { readonly words: string; readonly page?: string | null | undefined }[];
}

function Joined({ parts }: JoinedProps) {
  return parts.map(({ words, page = null }, nth) => (
    <Fragment key={words}>
      {nth > 0 ? ' · ' : null}
      {page === null ? (
        <Breakable text={words} />
      ) : (
        <Anchor
          inherit
          href={page}
          target="_blank"
          rel="noopener"
          title={opensTab}
          aria-label={`${words}. ${opensTab}`}
        >
          <Breakable text={words} />
        </Anchor>
      )}
    </Fragment>
  ));
}

interface ItemRowProps extends UploadItemFieldsProps {
  onRetry: () => void;
  onSettle: (choice: OwnChoices) => void;
  onRemove: () => void;
}

export function ItemRow({ row, fileTypes, disabled, onChange, onRetry, onSettle, onRemove }: ItemRowProps) {
  const { item, choices, client, otherClient, there } = row;
  const { name, state, sentShare } = item;
  const isEmpty = item.sizeBytes === 0;
  const [open, setOpen] = useState(false);
  const fieldsId = useId();
  const entry = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // The list and the dialog scroll, each by itself: to the whole entry, or to its name where it is taller.
    if (open) entry.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <li className={classes.item} data-state={state} ref={entry}>
      <div className={classes.about}>
        <p className={classes.name}>
          <Breakable text={name} />
        </p>
        <p className={classes.fact} data-failed={state === 'failed' || isEmpty || undefined}>
          {factOf(item)}
        </p>
        <FiledUnder row={row} />
        <PeriodDoubt
          of={item.id}
          typeName={choices.fileType === 'report' ? row.reportType.name || null : null}
          period={row.period.value}
          onChange={(period) => onChange({ period })}
          disabled={disabled}
        />
        {otherClient ? (
          <p className={classes.fact} data-warned>
            The name speaks of <Breakable text={endedSentence(otherClient.name)} />{' '}
            <Button
              variant="subtle"
              size="compact-xs"
              onClick={() => onChange({ clientId: otherClient.id })}
              disabled={disabled}
              aria-label={`Use ${otherClient.name} for ${name}`}
            >
              Use this client
            </Button>
          </p>
        ) : null}
        {item.anotherClient && client.value !== null ? (
          <AnotherClient
            fileName={name}
            chosen={{ id: client.value, name: client.name }}
            named={item.anotherClient.named}
            disabled={disabled}
            onSettle={onSettle}
          />
        ) : null}
        {there ? <AlreadyThere name={name} there={there} disabled={disabled} onChange={onChange} /> : null}
        {state === 'sending' ? (
          <Progress value={sentShare * 100} size={4} mt={4} aria-label={`Sending ${name}`} transitionDuration={150} />
        ) : null}
      </div>
      {state === 'failed' && !isEmpty && item.anotherClient === null ? (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={onRetry}
          disabled={disabled || client.value === null}
          aria-label={`Retry ${name}`}
        >
          Retry
        </Button>
      ) : null}
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => setOpen(!open)}
        disabled={disabled}
        aria-label={`Change ${name}`}
        aria-expanded={open}
        aria-controls={fieldsId}
      >
        Change
      </Button>
      <IconButton
        label={state === 'sending' ? `Cancel ${name}` : `Remove ${name}`}
        tip={state === 'sending' ? 'Cancel' : 'Remove'}
        icon={<IconX size={16} aria-hidden />}
        onClick={onRemove}
      />
      <fieldset id={fieldsId} className={classes.fields} aria-label={`Filed under: ${name}`} hidden={!open}>
        {open ? <UploadItemFields row={row} fileTypes={fileTypes} disabled={disabled} onChange={onChange} /> : null}
      </fieldset>
    </li>
  );
}
