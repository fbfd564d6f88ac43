// What is chosen in the dialog of an upload: for all of its files, for single ones, and whether an earlier file is replaced.
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { FileType } from '#contract/file-kinds.ts';
import type { UploadChoices, Uploads } from '#web/data/uploads.ts';
import type { Replacing } from '../files/replace-choice.tsx';
import type { BackgroundUpload } from './background-upload.ts';
import { type OwnChoices, type SharedField, sharedForOf } from './own-choices.ts';
import { choicesOf, correctsOf, type UploadStart } from './upload-form.ts';
import { type UploadRow, useUploadRows } from './upload-rows.ts';

/** The choices of one file that a field above the list stands for. */
const ofField: Record<SharedField, readonly (keyof OwnChoices)[]> = {
  client: ['clientId'],
  type: ['fileType', 'reportTypeId', 'documentType'],
  period: ['period'],
};

export const isSkipped = ({ there }: UploadRow) => there?.choice === 'skip';

export function useUploadChoices(
  uploads: Uploads,
  fileTypes: readonly FileType[],
  start: UploadStart,
  resumed: BackgroundUpload | null,
) {
  const form = useForm<UploadChoices>({
    mode: 'controlled',
    initialValues: resumed?.values ?? choicesOf(start),
  });
  const [replacing, setReplacing] = useState<Replacing>(null);
  const begun = correctsOf(start);
  const [sharedFor, setSharedFor] = useState(resumed?.sharedFor ?? sharedForOf(start));
  const { rows, own, keepingOwn, checking, change, repeatAll, forgetOwn, reset } = useUploadRows(
    uploads,
    {
      values: form.values,
      sharedFor,
      periodFrom: start.periodFrom,
      corrects: begun && { ...begun, replacing },
    },
    fileTypes,
    resumed?.own ?? {},
  );

  return {
    form,
    rows,
    /** Those that are not skipped. */
    toSend: rows.filter((row) => !isSkipped(row)),
    own,
    sharedFor,
    replacing,
    setReplacing,
    checking,
    change,
    repeatAll,
    /** What is chosen above the list is for the files without one of their own, or for the only file. */
    choose: (field: SharedField, shared: Partial<UploadChoices>, forOne: OwnChoices) => {
      form.setValues(shared);
      setSharedFor((before) => ({ ...before, [field]: 'others' }));
      const [only, another] = uploads.items;
      if (only && !another) change(only.id, forOne);
    },
    forAll: (field: SharedField) => ({
      keeping: keepingOwn(field),
      total: rows.length,
      disabled: uploads.busy,
      onUse: () => {
        setSharedFor((before) => ({ ...before, [field]: 'all' }));
        forgetOwn(ofField[field]);
      },
    }),
    /** As the dialog opens: from what the screen is about, or as it was left in the background. */
    begin: () => {
      form.setValues(resumed?.values ?? choicesOf(start));
      form.clearErrors();
      reset(resumed?.own ?? {});
      setSharedFor(resumed?.sharedFor ?? sharedForOf(start));
      setReplacing(null);
    },
  };
}
