// The dialog that sends files: Add Data for reports and documents, Upload Document for documents alone.

import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { DOCUMENT_TYPES, FILE_TYPES, type FileType, UploadFields } from '#contract/files.ts';
import { clearUploads, sendUploads, type UploadChoices, useUploads } from '#web/data/uploads.ts';
import { fieldFaultsOf } from '#web/lib/api.ts';
import { done, failed } from '#web/lib/messages.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { ClientSelect } from './client-select.tsx';
import { FileKindFields } from './file-kind-fields.tsx';
import { UploadDrop } from './upload-drop.tsx';
import { choicesOf, type UploadStart } from './upload-form.ts';
import { UploadList } from './upload-list.tsx';

export interface UploadDialogProps {
  opened: boolean;
  onClose: () => void;
  /** 'Add Data' or 'Upload Document'. */
  title: string;
  /** The kinds that may be sent from here; a single one is not offered as a choice. */
  fileTypes: readonly FileType[];
  start: UploadStart;
  /** Whether Add File takes several files at a time. */
  several: boolean;
  /** True while files are dragged over the window. */
  dragged: boolean;
  onDrop: (files: File[]) => void;
}

const stopping = {
  question: 'Files are still being sent. Stop?',
  keepLabel: 'Keep sending',
  stopLabel: 'Stop and close',
};

export function UploadDialog(props: UploadDialogProps) {
  const { opened, onClose, title, fileTypes, start, several, dragged, onDrop } = props;
  const uploads = useUploads();
  const { items, busy, storedCount } = uploads;
  const form = useForm<UploadChoices>({
    mode: 'controlled',
    initialValues: choicesOf(start),
    validate: schemaResolver(UploadFields, { sync: true }),
  });

  const latest = useRef({ form, start });
  latest.current = { form, start };
  useLayoutEffect(() => {
    if (!opened) return;
    latest.current.form.setValues(choicesOf(latest.current.start));
    latest.current.form.clearErrors();
    // However the dialog closes, its files go with it.
    return clearUploads;
  }, [opened]);
  const shown = useRef(false);
  useEffect(() => {
    shown.current = opened;
    return () => {
      shown.current = false;
    };
  }, [opened]);

  const send = async (choices: UploadChoices, ids?: readonly string[]) => {
    const askedFor = items.filter((item) => ids === undefined || ids.includes(item.id)).length;
    const { storedCount: stored, fault } = await sendUploads(choices, ids);
    // Stopped and closed meanwhile: nobody waits for the outcome.
    if (!shown.current) return;
    if (fault !== null) {
      toast.error(failed.uploadFile(fault.message));
      form.setErrors(fieldFaultsOf(fault));
    } else if (stored > 0 && askedFor === items.length) {
      toast.success(done.fileUploaded);
      onClose();
    }
  };

  const { clientId, fileType, reportTypeId, documentType } = form.values;
  const set = (change: Partial<UploadChoices>) => form.setValues(change);

  return (
    <>
      <FormDialog
        opened={opened}
        onClose={onClose}
        title={title}
        dirty={items.length > 0}
        busy={busy}
        stopping={stopping}
        onSubmit={form.onSubmit((choices) => void send(choices))}
        submitLabel="Upload"
        busyLabel="Uploading..."
        canSubmit={clientId !== '' && items.length > 0}
      >
        <ClientSelect
          label="Client Name"
          placeholder="Select Client Name"
          value={clientId === '' ? null : Number(clientId)}
          onChange={(id) => set({ clientId: id === null ? '' : String(id) })}
          autoSelect="only"
          error={form.errors.clientId}
          disabled={busy}
          data-autofocus
        />
        <FileKindFields
          fileTypes={fileTypes}
          value={{
            fileType: FILE_TYPES.find((type) => type === fileType) ?? 'report',
            reportTypeId: reportTypeId === '' ? null : Number(reportTypeId),
            documentType: DOCUMENT_TYPES.find((type) => type === documentType) ?? null,
          }}
          onChange={(kind) =>
            set({
              fileType: kind.fileType,
              reportTypeId: kind.reportTypeId === null ? '' : String(kind.reportTypeId),
              documentType: kind.documentType ?? '',
            })
          }
          untyped
          errors={form.errors}
          disabled={busy}
        />
        <UploadList
          uploads={uploads}
          several={several}
          canRetry={clientId !== ''}
          onRetry={(id) => {
            if (!form.validate().hasErrors) void send(form.values, [id]);
          }}
        />
        <Text size="sm" c="dimmed" role="status" mt={-10}>
          {busy ? `${storedCount} of ${storedCount + items.length} uploaded` : ''}
        </Text>
      </FormDialog>
      <UploadDrop shown={dragged && !busy} onDrop={onDrop} />
    </>
  );
}
