// The 'File Uploads' list of an upload dialog: choosing or dropping files, their progress, removing and retrying them.

import { Anchor, Button, FileButton, Group, Progress, SegmentedControl, Text } from '@mantine/core';
import { IconPlus, IconRefresh, IconX } from '@tabler/icons-react';
import { Fragment, useEffect, useId, useRef, useState } from 'react';
import { DOCUMENT_TYPES, type FileType, fileTypeNames } from '#contract/file-kinds.ts';
import { periodName } from '#contract/period.ts';
import { addUploads, removeUpload, type UploadItem, type Uploads } from '#web/data/uploads.ts';
import { endSentence, formatDate, formatMegabytes } from '#web/lib/format.ts';
import { empty, emptyFile, opensTab } from '#web/lib/messages.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { ClientSelect } from '../clients/client-select.tsx';
import { AnotherClient } from '../files/another-client.tsx';
import { CorrectsSelect } from '../files/corrects-select.tsx';
import { FileKindFields } from '../files/file-kind-fields.tsx';
import { ReplaceChoice } from '../files/replace-choice.tsx';
import { PeriodDoubt } from '../periods/period-doubt.tsx';
import { PeriodField } from '../periods/period-field.tsx';
import classes from './upload-list.module.css';
import type { OwnChoices, Repeat, UploadRow } from './upload-rows.ts';

export interface UploadListProps {
  uploads: Uploads;
  /** Whether Add File takes several files at a time (Add Data takes one); dropping always does. */
  several: boolean;
  /** What each of the files is filed under. */
  rows: readonly UploadRow[];
  /** The kinds that may be sent from here. */
  fileTypes: readonly FileType[];
  onChange: (id: string, choice: OwnChoices) => void;
  /** The same for every file of which one is there already. */
  onRepeatAll: (choice: Repeat) => void;
  onRetry: (id: string) => void;
  /** Chooses for a file that was stopped, and sends it. */
  onSettle: (id: string, choice: OwnChoices) => void;
}

export function UploadList(props: UploadListProps) {
  const { uploads, rows, fileTypes, several, onChange, onRepeatAll, onRetry, onSettle } = props;
  const { items, busy, repeated } = uploads;
  const addButton = useRef<HTMLButtonElement>(null);
  const forgetChoice = useRef<() => void>(null);
  const labelId = useId();

  const add = (chosen: File | File[] | null) => {
    addUploads([chosen ?? []].flat());
    // The same file can be chosen again once it was removed from the list.
    forgetChoice.current?.();
  };

  const remove = (id: string) => {
    removeUpload(id);
    // The pressed button disappears with its row.
    addButton.current?.focus();
  };

  return (
    <section aria-labelledby={labelId}>
      <Group justify="space-between" mb={6} gap="xs">
        <Text id={labelId} size="sm" fw={600}>
          File Uploads
        </Text>
        <FileButton multiple={several} onChange={add} resetRef={forgetChoice} inputProps={{ 'aria-hidden': true }}>
          {({ onClick }) => (
            <Button
              ref={addButton}
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={onClick}
              disabled={busy}
            >
              Add File
            </Button>
          )}
        </FileButton>
      </Group>
      <RepeatAll rows={rows} disabled={busy} onChange={onRepeatAll} />
      <div className={classes.zone}>
        {items.length === 0 ? (
          <div className={classes.empty}>
            <Text>{empty.noFilesSelected}</Text>
            <Text c="dimmed" size="sm">
              Drop files here, or use Add File.
            </Text>
          </div>
        ) : (
          <ul className={classes.list} aria-labelledby={labelId}>
            {rows.map((row) => (
              <ItemRow
                key={row.item.id}
                row={row}
                fileTypes={fileTypes}
                disabled={busy}
                onChange={(choice) => onChange(row.item.id, choice)}
                onRetry={() => onRetry(row.item.id)}
                onSettle={(choice) => onSettle(row.item.id, choice)}
                onRemove={() => remove(row.item.id)}
              />
            ))}
          </ul>
        )}
      </div>
      <p className={classes.note} role="status">
        {repeated.length > 0 ? `Already in the list: ${repeated.join(', ')}` : ''}
      </p>
    </section>
  );
}

function factOf({ state, sizeBytes, sentShare, reason }: UploadItem): string {
  if (state === 'failed') return reason ?? '';
  if (state === 'waiting') return sizeBytes === 0 ? emptyFile : formatMegabytes(sizeBytes);
  return sentShare < 1 ? `${formatMegabytes(sizeBytes)} · ${Math.floor(sentShare * 100)}%` : 'Storing...';
}

/** Client, report type and period of a file in one line: what somebody said, then what only its name says. */
function FiledUnder({ row }: { row: UploadRow }) {
  const { client, fileType, reportType, documentType, period, corrects } = row;
  const type = fileType.value === 'report' ? reportType : documentType;
  const parts = [
    { what: client, words: client.name || (client.value === null ? 'No client chosen' : '') },
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
      <Joined words={said.map(({ words }) => words)} />
      {said.length > 0 && proposed.length > 0 ? ' · ' : null}
      {proposed.length > 0 ? <em>Proposed: </em> : null}
      <Joined words={proposed.map(({ words }) => words)} />
    </p>
  );
}

function Joined({ words }: { words: readonly string[] }) {
  return words.map((each, nth) => (
    <Fragment key={each}>
      {nth > 0 ? ' · ' : null}
      <Breakable text={each} />
    </Fragment>
  ));
}

const repeats: readonly { readonly value: Repeat; readonly label: string }[] = [
  { value: 'keep', label: 'Keep both' },
  { value: 'replace', label: 'Replace' },
  { value: 'skip', label: 'Skip' },
];

/** One answer for all files of which one is there already, where there are several. */
function RepeatAll(props: { rows: readonly UploadRow[]; disabled: boolean; onChange: (choice: Repeat) => void }) {
  const { rows, disabled, onChange } = props;
  const there = rows.filter((row) => row.there !== null);
  if (there.length < 2) return null;
  const offered = repeats.filter(({ value }) => value !== 'replace' || there.some((row) => row.there?.mayReplace));
  return (
    <fieldset className={classes.repeatAll} aria-label="For all files that are already there">
      <span>{there.length} files are already there. For all:</span>
      {offered.map(({ value, label }) => (
        <Button
          key={value}
          variant="default"
          size="compact-sm"
          disabled={disabled}
          onClick={() => onChange(value)}
          aria-label={`${label}, for all`}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  );
}

const contentWords = {
  same: 'same content',
  other: 'same name, other content',
  unknown: 'same name and size',
} as const;

interface AlreadyThereProps {
  name: string;
  there: NonNullable<UploadRow['there']>;
  disabled: boolean;
  onChange: (choice: OwnChoices) => void;
}

/** What is stored already under this name, and what becomes of the file that is about to be sent. */
function AlreadyThere({ name, there: { file, content, mayReplace, choice }, disabled, onChange }: AlreadyThereProps) {
  const words = `Already there: uploaded ${formatDate(file.uploadedAt)} by ${file.uploaderName}, ${contentWords[content]}`;
  return (
    <div className={classes.there}>
      <p className={classes.fact} data-warned>
        <Anchor
          inherit
          href={`/cpa-dashboard/report/${file.id}`}
          target="_blank"
          rel="noopener"
          title={opensTab}
          aria-label={`${words}. ${opensTab}`}
        >
          {words}
        </Anchor>
      </p>
      <SegmentedControl
        size="xs"
        aria-label={`${name} is already there`}
        data={repeats.filter(({ value }) => value !== 'replace' || mayReplace)}
        value={choice}
        onChange={(value) => {
          const chosen = repeats.find((repeat) => repeat.value === value);
          if (chosen) onChange({ repeat: { fileId: file.id, choice: chosen.value } });
        }}
        disabled={disabled}
        className={classes.repeat ?? ''}
      />
    </div>
  );
}

interface ItemRowProps {
  row: UploadRow;
  fileTypes: readonly FileType[];
  /** While files are being sent. */
  disabled: boolean;
  onChange: (choice: OwnChoices) => void;
  onRetry: () => void;
  onSettle: (choice: OwnChoices) => void;
  onRemove: () => void;
}

function ItemRow({ row, fileTypes, disabled, onChange, onRetry, onSettle, onRemove }: ItemRowProps) {
  const { item, choices, client, otherClient, there } = row;
  const { name, state, sentShare } = item;
  const isEmpty = item.sizeBytes === 0;
  const [open, setOpen] = useState(false);
  const fieldsId = useId();
  const fields = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    // The list and the dialog scroll, each by itself.
    if (open) fields.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <li className={classes.item} data-state={state}>
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
            The name speaks of <Breakable text={endSentence(otherClient.name)} />{' '}
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
      <fieldset
        ref={fields}
        id={fieldsId}
        className={classes.fields}
        aria-label={`Filed under: ${name}`}
        hidden={!open}
      >
        {open ? (
          <>
            <ClientSelect
              label="Client"
              value={client.value}
              onChange={(clientId) => onChange({ clientId })}
              disabled={disabled}
            />
            <FileKindFields
              fileTypes={fileTypes}
              value={{
                fileType: choices.fileType === 'report' ? 'report' : 'company_document',
                reportTypeId: choices.reportTypeId === '' ? null : Number(choices.reportTypeId),
                documentType: DOCUMENT_TYPES.find((type) => type === choices.documentType) ?? null,
              }}
              onChange={onChange}
              untyped
              errors={{}}
              disabled={disabled}
            />
            <PeriodField value={row.period.value} onChange={(period) => onChange({ period })} disabled={disabled} />
            {client.value === null ? null : (
              <CorrectsSelect
                of={{ clientId: client.value, fileType: choices.fileType, reportTypeId: row.reportType.value }}
                value={row.corrects.value === null ? null : { id: row.corrects.value, originalName: row.corrects.name }}
                onChange={(file) =>
                  onChange({
                    corrects:
                      file === null || client.value === null
                        ? null
                        : { id: file.id, name: file.originalName, clientId: client.value },
                  })
                }
                disabled={disabled}
              />
            )}
            {client.value === null || row.corrects.value === null || !row.mayReplace ? null : (
              <ReplaceChoice
                value={row.replacing}
                onChange={(replacing) => {
                  const { value: id, name: earlierName } = row.corrects;
                  if (id !== null && client.value !== null) {
                    onChange({ corrects: { id, name: earlierName, clientId: client.value, replacing } });
                  }
                }}
                disabled={disabled}
              />
            )}
          </>
        ) : null}
      </fieldset>
    </li>
  );
}
