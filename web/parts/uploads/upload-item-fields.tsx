// The fields that say what one file of an upload is filed under.
import { DOCUMENT_TYPES, type FileType } from '#contract/file-kinds.ts';
import { ClientSelect } from '../clients/client-select.tsx';
import { CorrectsSelect } from '../files/corrects-select.tsx';
import { FileKindFields } from '../files/file-kind-fields.tsx';
import { ReplaceChoice } from '../files/replace-choice.tsx';
import { PeriodField } from '../periods/period-field.tsx';
import type { OwnChoices } from './own-choices.ts';
import type { UploadRow } from './upload-rows.ts';

export interface UploadItemFieldsProps {
  row: UploadRow;
  fileTypes: readonly FileType[];
  /** While files are being sent. */
  disabled: boolean;
  onChange: (choice: OwnChoices) => void;
}

export function UploadItemFields(props: UploadItemFieldsProps) {
  const { row, fileTypes, disabled, onChange } = props;
  const { choices, client } = row;
  return (
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
                  : { id: file.id, name: file.originalName, onHold: file.onHold === true, clientId: client.value },
            })
          }
          disabled={disabled}
        />
      )}
      {client.value === null || row.corrects.value === null || !row.mayReplace ? null : (
        <ReplaceChoice
          value={row.replacing}
          held={row.held}
          onChange={(replacing) => {
            const { value: id, name: earlierName } = row.corrects;
            if (id !== null && client.value !== null) {
              onChange({ corrects: { id, name: earlierName, onHold: row.held, clientId: client.value, replacing } });
            }
          }}
          disabled={disabled}
        />
      )}
    </>
  );
}
