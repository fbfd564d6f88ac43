// The fields above the list of an upload: what they say is for the files that have no choice of their own.
import type { UseFormReturnType } from '@mantine/form';
import type { RefObject } from 'react';
import { DOCUMENT_TYPES, FILE_TYPES, type FileType } from '#contract/file-kinds.ts';
import type { UploadChoices } from '#web/data/uploads.ts';
import { ClientSelect } from '../clients/client-select.tsx';
import { FileKindFields } from '../files/file-kind-fields.tsx';
import { PeriodField } from '../periods/period-field.tsx';
import { NothingToChoose } from '../report-types/nothing-to-choose.tsx';
import type { OwnChoices, SharedField } from './own-choices.ts';
import type { UploadRow } from './upload-rows.ts';
import { UseForAll, type UseForAllProps } from './use-for-all.tsx';

interface SharedFieldsProps {
  form: UseFormReturnType<UploadChoices>;
  fileTypes: readonly FileType[];
  rows: readonly UploadRow[];
  disabled: boolean;
  /** Chooses for the files without a choice of their own; `forOne` is the same for one file. */
  onChoose: (field: SharedField, shared: Partial<UploadChoices>, forOne: OwnChoices) => void;
  forAll: (field: SharedField) => Omit<UseForAllProps, 'noun'>;
  kindFields: RefObject<HTMLDivElement | null>;
}

export function SharedFields({ form, fileTypes, rows, disabled, onChoose, forAll, kindFields }: SharedFieldsProps) {
  const { clientId, fileType, reportTypeId, documentType } = form.values;
  return (
    <>
      <ClientSelect
        label="Client Name"
        placeholder="Select Client Name"
        value={clientId === '' ? null : Number(clientId)}
        onChange={(id) => onChoose('client', { clientId: id === null ? '' : String(id) }, { clientId: id })}
        aria-required={rows.length === 0 || rows.some(({ client }) => !client.own)}
        autoSelect="only"
        whenNone={<NothingToChoose of="clients" />}
        error={form.errors.clientId}
        disabled={disabled}
        data-autofocus
      />
      <UseForAll noun="client" {...forAll('client')} />
      <div ref={kindFields}>
        <FileKindFields
          fileTypes={fileTypes}
          value={{
            fileType: FILE_TYPES.find((type) => type === fileType) ?? 'report',
            reportTypeId: reportTypeId === '' ? null : Number(reportTypeId),
            documentType: DOCUMENT_TYPES.find((type) => type === documentType) ?? null,
          }}
          onChange={(kind) =>
            onChoose(
              'type',
              {
                fileType: kind.fileType,
                reportTypeId: kind.reportTypeId === null ? '' : String(kind.reportTypeId),
                documentType: kind.documentType ?? '',
              },
              kind,
            )
          }
          untyped
          errors={form.errors}
          disabled={disabled}
        />
      </div>
      <UseForAll noun="type" {...forAll('type')} />
      <PeriodField
        value={form.values.period === '' ? null : form.values.period}
        onChange={(period) => onChoose('period', { period: period ?? '' }, { period })}
        error={form.errors.period}
        disabled={disabled}
      />
      <UseForAll noun="period" {...forAll('period')} />
    </>
  );
}
