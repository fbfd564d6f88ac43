// The dialog that sends files: Add Data for reports and documents, Upload Document for documents alone.

import { Text } from '@mantine/core';
import type { FileType } from '#contract/file-kinds.ts';
import { may } from '#contract/policy.ts';
import { useUploads } from '#web/data/uploads.ts';
import { formatCount } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { ReplaceChoice, type Replacing } from '../files/replace-choice.tsx';
import type { BackgroundUpload } from './background-upload.ts';
import { SharedFields } from './shared-fields.tsx';
import { UploadDrop } from './upload-drop.tsx';
import type { UploadStart } from './upload-form.ts';
import { UploadList } from './upload-list.tsx';
import type { UploadRow } from './upload-rows.ts';
import { countedThat, useUntypedQuestion } from './use-untyped-question.ts';
import { useUploadChoices } from './use-upload-choices.ts';
import { useUploadSending } from './use-upload-sending.ts';

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
  /** An upload that went on in the background, to go on here. */
  resumed?: BackgroundUpload | null;
}

const stopping = {
  question: 'Files are still being sent. Stop?',
  keepLabel: 'Keep sending',
  stopLabel: 'Stop and close',
};

const needAClient = (count: number) => countedThat(count, ['needs a client', 'need a client']);

const isUntyped = ({ choices }: UploadRow) => choices.fileType === 'report' && choices.reportTypeId === '';

const allSkipped = 'Nothing to upload: every file is there already and is skipped.';

export function UploadDialog(props: UploadDialogProps) {
  const { opened, onClose, title, fileTypes, start, several, dragged, onDrop, resumed = null } = props;
  const user = useSessionUser();
  const uploads = useUploads();
  const { items, busy, storedCount } = uploads;
  const choices = useUploadChoices(uploads, fileTypes, start, resumed);
  const { form, rows, toSend, change } = choices;
  const untypedQuestion = useUntypedQuestion();
  const { sentOf, send, sendSettled, stop } = useUploadSending({
    opened,
    onClose,
    dialog: { title, fileTypes, start, several },
    resumed,
    choices,
    onBegin: () => {
      choices.begin();
      untypedQuestion.dismiss();
    },
    itemCount: items.length,
  });

  const untypedCount = toSend.filter(isUntyped).length;
  const withoutClient = toSend.filter(({ client }) => client.value === null).length;
  const statusWords = () => {
    // What was added meanwhile is sent afterwards.
    if (busy)
      return `${formatCount(storedCount)} of ${formatCount(Math.min(sentOf ?? items.length, storedCount + items.length))} uploaded`;
    if (rows.length > 0 && toSend.length === 0) return allSkipped;
    if (withoutClient > 0) return needAClient(withoutClient);
    return sentOf === null || items.length === 0 ? '' : `${formatCount(storedCount)} of ${formatCount(sentOf)} stored`;
  };

  return (
    <>
      <FormDialog
        opened={opened}
        onClose={stop}
        title={title}
        dirty={items.length > 0}
        busy={busy}
        stopping={stopping}
        background={{ label: 'Continue in background', onClick: onClose }}
        onSubmit={form.onSubmit(() => (untypedCount > 0 ? untypedQuestion.ask() : send()))}
        submitLabel="Upload"
        busyLabel="Uploading..."
        canSubmit={!choices.checking && toSend.length > 0 && withoutClient === 0}
        status={statusWords()}
        question={busy ? null : untypedQuestion.questionOf(untypedCount, send)}
      >
        {start.corrects ? (
          <Corrected
            name={start.corrects.name}
            held={start.corrects.onHold}
            mayReplace={may(user, 'files.delete', { fileType: start.fileType, uploadedById: null })}
            replacing={choices.replacing}
            onReplacing={choices.setReplacing}
            disabled={busy}
          />
        ) : null}
        <SharedFields
          form={form}
          fileTypes={fileTypes}
          rows={rows}
          disabled={busy}
          onChoose={choices.choose}
          forAll={choices.forAll}
          kindFields={untypedQuestion.kindFields}
        />
        <UploadList
          uploads={uploads}
          rows={rows}
          fileTypes={fileTypes}
          several={several}
          onChange={change}
          onRepeatAll={choices.repeatAll}
          onRetry={(id) => send([id])}
          onSettle={(id, choice) => {
            change(id, choice);
            sendSettled(id, choice.clientId !== undefined);
          }}
        />
      </FormDialog>
      <UploadDrop shown={dragged} onDrop={onDrop} />
    </>
  );
}

interface CorrectedProps {
  /** Of the file that is corrected. */
  name: string;
  held: boolean;
  mayReplace: boolean;
  replacing: Replacing;
  onReplacing: (replacing: Replacing) => void;
  disabled: boolean;
}

function Corrected({ name, held, mayReplace, replacing, onReplacing, disabled }: CorrectedProps) {
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {replacing === null ? 'Corrects' : 'Replaces'} <Breakable text={name} />
        {replacing === null ? ', which stays and is marked as corrected.' : '.'}
      </Text>
      {mayReplace ? <ReplaceChoice value={replacing} held={held} onChange={onReplacing} disabled={disabled} /> : null}
    </>
  );
}
