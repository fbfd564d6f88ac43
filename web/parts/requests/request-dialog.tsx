// The dialog that asks clients for documents, or changes a request: whom, what for, until when, and item by item.
import { Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { IconUsers, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { CLIENTS_ASKED_MAX } from '#contract/request-words.ts';
import type { RequestDetails } from '#contract/requests.ts';
import { useLoadClients } from '#web/data/clients.ts';
import { editedRow } from '#web/data/edited-row.ts';
import { queryClient } from '#web/data/query-client.ts';
import { requestQuery, templatesQuery } from '#web/data/requests.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { today } from '#web/lib/format.ts';
import { mailIsOn } from '#web/lib/product.ts';
import { requestFailed, requestWords } from '#web/lib/request-messages.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { type DialogForm, useDialogForm } from '#web/ui/use-dialog-form.ts';
import { ClientSelect, useReachedClients } from '../clients/client-select.tsx';
import { NothingToChoose } from '../report-types/nothing-to-choose.tsx';
import classes from './request-dialog.module.css';
import { EMPTY_LINE, RequestItemFields, withoutEmptyEnd } from './request-item-fields.tsx';
import { Changed, type Named, New, useRequestSaving, type Values } from './use-request-saving.ts';
import { isAnswered } from './with-answered.ts';

/** Whom a new request is for, where that is known; or the request that is changed. */
export type AskedClient =
  | { readonly client: { readonly id: number; readonly name: string } }
  | { readonly details: RequestDetails };

function valuesOf(subject: AskedClient | null): Values {
  if (subject !== null && 'details' in subject) {
    const { request, items } = subject.details;
    const { title, message, dueOn } = request;
    return { clientIds: [], title, message, dueOn, items: items.map(({ id, name, note }) => ({ id, name, note })) };
  }
  const clientIds = subject === null ? [] : [subject.client.id];
  return { clientIds, title: '', message: '', dueOn: null, items: [{ ...EMPTY_LINE }] };
}

/** What the server keeps too. */
const answeredOf = (details: RequestDetails | null) => new Set(details?.items.filter(isAnswered).map(({ id }) => id));

/** Below the field: what is late already may be asked for on purpose, so it keeps nobody from sending. */
function dayWords(dueOn: string | null): ReactNode {
  if (dueOn === null) return mailIsOn ? requestWords.withoutDay : undefined;
  return dueOn < today() ? (
    <Text span inherit c="var(--coffer-warned)">
      {requestWords.pastDay}
    </Text>
  ) : undefined;
}

export function RequestDialog({ opened, close, subject }: Dialog<AskedClient>) {
  const details = subject !== null && 'details' in subject ? subject.details : null;
  const templates = useQuery({ ...templatesQuery(), enabled: opened && details === null });
  const [names, setNames] = useState<readonly Named[]>([]);
  const [template, setTemplate] = useState('');
  const { form, dirty, submit, conflict } = useDialogForm<Values>({
    opened,
    values: valuesOf(subject),
    schema: details === null ? New : Changed,
    edited: editedRow(
      details,
      ({ request }: RequestDetails) => queryClient.fetchQuery({ ...requestQuery(request.id), staleTime: 0 }),
      (now) => valuesOf({ details: now }),
    ),
  });
  useEffect(() => {
    if (!opened) return;
    setNames(subject !== null && 'client' in subject ? [subject.client] : []);
    setTemplate('');
  }, [opened, subject]);

  const { items } = form.values;
  const setClients = (next: readonly Named[]) => {
    setNames(next);
    form.clearFieldError('clientIds');
    form.setFieldValue(
      'clientIds',
      next.map(({ id }) => id),
    );
  };
  const { busy, save, refused, latest } = useRequestSaving({
    details,
    form,
    clients: names,
    setClients,
    opened,
    close,
  });
  const choose = (id: string) => {
    setTemplate(id);
    const chosen = templates.data?.find((one) => String(one.id) === id);
    if (chosen === undefined) return;
    // What was typed stays, and stands before what the template adds.
    form.setFieldValue('items', [...withoutEmptyEnd(items), ...chosen.items.map((item) => ({ ...item }))]);
    if (form.values.title.trim() === '') form.setFieldValue('title', chosen.name);
    form.clearErrors();
  };

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={details === null ? 'New Request' : 'Edit Request'}
      dirty={dirty}
      busy={busy}
      onSubmit={submit(save, refused)}
      conflict={conflict}
      submitLabel={details === null ? 'Send Request' : 'Save'}
      busyLabel={details === null ? 'Sending...' : 'Saving...'}
      size="lg"
    >
      {details === null ? (
        <>
          <AskedClients clients={names} onChange={setClients} error={form.errors.clientIds} disabled={busy} />
          {templates.error !== null && templates.data === undefined ? (
            <ErrorState
              message={requestFailed.templates(templates.error.message)}
              onRetry={() => void templates.refetch()}
              busy={templates.isFetching}
            />
          ) : (
            <TemplateSelect templates={templates.data ?? []} value={template} onChange={choose} />
          )}
        </>
      ) : (
        <Text c="dimmed">{`To ${details.request.clientName}`}</Text>
      )}
      <TitleAndDay form={form} isFirst={names.length > 0 || details !== null} />
      <TextInput
        label="Message"
        aria-required={false}
        placeholder="What it is for (optional)"
        autoComplete="off"
        {...form.getInputProps('message')}
      />
      <RequestItemFields
        items={items}
        errors={form.errors}
        disabled={busy}
        answered={answeredOf(latest ?? details)}
        onChange={(next) => {
          form.clearErrors();
          form.setFieldValue('items', next);
        }}
      />
    </FormDialog>
  );
}

interface TitleAndDayProps {
  form: DialogForm<Values>['form'];
  /** Whom it is for is known: the dialog begins with the title. */
  isFirst: boolean;
}

function TitleAndDay({ form, isFirst }: TitleAndDayProps) {
  return (
    <div className={classes.two}>
      <TextInput
        label="Title"
        placeholder="Year-end package"
        autoComplete="off"
        data-autofocus={isFirst || undefined}
        {...form.getInputProps('title')}
      />
      <DateField
        label="Due Day"
        aria-required={false}
        data-path="dueOn"
        value={form.values.dueOn ?? ''}
        onChange={(day) => form.setFieldValue('dueOn', day === '' ? null : day)}
        error={form.errors.dueOn}
        description={dayWords(form.values.dueOn)}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
      />
    </div>
  );
}

interface AskedClientsProps {
  clients: readonly Named[];
  onChange: (clients: readonly Named[]) => void;
  error: ReactNode;
  disabled: boolean;
}

/** Whom a new request is for: each gets one of their own. */
function AskedClients({ clients, onChange, error, disabled }: AskedClientsProps) {
  const ids = clients.map(({ id }) => id);
  const isFull = ids.length >= CLIENTS_ASKED_MAX;
  const { total = 0 } = useReachedClients();
  const loading = useLoadClients();
  /** Only while this is shown: an answer that comes later is not for the next request. */
  const addAll = () =>
    loading.mutate(undefined, {
      onSuccess: (all) =>
        onChange([...clients, ...all.filter(({ id }) => !ids.includes(id))].slice(0, CLIENTS_ASKED_MAX)),
      onError: (failure) => toastFault(failure, requestFailed.addClients),
    });
  return (
    <>
      <ClientSelect
        label="Clients"
        description={isFull ? requestWords.clientsFull(CLIENTS_ASKED_MAX) : requestWords.oneEach}
        placeholder={clients.length === 0 ? 'Select Client' : 'Select another client'}
        data-path="clientIds"
        data-autofocus={clients.length === 0 || undefined}
        gathers
        whenNone={<NothingToChoose of="clients" />}
        value={null}
        onChange={(_id, client) => {
          if (client !== null && !ids.includes(client.id)) onChange([...clients, client]);
        }}
        error={error}
        disabled={isFull || disabled || loading.isPending}
      />
      {total > 1 && total <= CLIENTS_ASKED_MAX && ids.length < total ? (
        <Group>
          <BusyButton
            variant="default"
            size="xs"
            leftSection={<IconUsers size={15} aria-hidden />}
            busy={loading.isPending}
            disabled={disabled}
            onClick={addAll}
          >
            {requestWords.addAll(total)}
          </BusyButton>
        </Group>
      ) : null}
      {clients.length > 0 ? (
        <ul className={classes.clients} aria-label={requestWords.chosenClients}>
          {clients.map((client) => (
            <li key={client.id} className={classes.client}>
              <Breakable text={client.name} />
              <IconButton
                label={`Remove ${client.name}`}
                tip="Remove"
                icon={<IconX size={14} aria-hidden />}
                onClick={() => onChange(clients.filter(({ id }) => id !== client.id))}
                disabled={disabled}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

interface TemplateSelectProps {
  templates: readonly Named[];
  value: string;
  onChange: (id: string) => void;
}

/** Nothing where there are no templates. */
function TemplateSelect({ templates, value, onChange }: TemplateSelectProps) {
  if (templates.length === 0) return null;
  return (
    <NativeSelect
      label="Template"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: 'None' }, ...templates.map(({ id, name }) => ({ value: String(id), label: name }))]}
    />
  );
}
