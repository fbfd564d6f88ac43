// The kind of a file and its type: the fields that uploading and re-filing share.
import { Select, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DOCUMENT_TYPES, type DocumentType, type FileType, fileTypeNames } from '#contract/file-kinds.ts';
import { usableReportTypesQuery } from '#web/data/report-types.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { typedSelect } from '#web/ui/typed-select.ts';
import { NothingToChoose } from '../report-types/nothing-to-choose.tsx';

export interface FileKind {
  readonly fileType: FileType;
  readonly reportTypeId: number | null;
  readonly documentType: DocumentType | null;
}

export interface FileKindFieldsProps {
  /** What may be chosen; a single choice is not shown. */
  fileTypes: readonly FileType[];
  value: FileKind;
  onChange: (kind: FileKind) => void;
  /** Whether a report may be left without a type. */
  untyped: boolean;
  errors: Readonly<Partial<Record<keyof FileKind, ReactNode>>>;
  disabled: boolean;
}

export function FileKindFields({ fileTypes, value, onChange, untyped, errors, disabled }: FileKindFieldsProps) {
  const { fileType } = value;
  return (
    <SimpleGrid cols={{ base: 1, xs: fileTypes.length > 1 ? 2 : 1 }} spacing="md" verticalSpacing="md">
      {fileTypes.length > 1 ? (
        <Select
          label="File Type"
          allowDeselect={false}
          data={fileTypes.map((type) => ({ value: type, label: fileTypeNames[type] }))}
          value={fileType}
          onChange={(next) => onChange({ fileType: next ?? 'report', reportTypeId: null, documentType: null })}
          error={errors.fileType}
          disabled={disabled}
        />
      ) : null}
      {fileType === 'report' ? (
        <ReportTypeSelect
          value={value.reportTypeId}
          onChange={(reportTypeId) => onChange({ ...value, reportTypeId })}
          untyped={untyped}
          error={errors.reportTypeId}
          disabled={disabled}
        />
      ) : (
        <Select
          label="Document Type"
          aria-required={false}
          placeholder="Select Document Type"
          clearable
          data={[...DOCUMENT_TYPES]}
          value={value.documentType}
          onChange={(documentType) => onChange({ ...value, documentType })}
          error={errors.documentType}
          disabled={disabled}
        />
      )}
    </SimpleGrid>
  );
}

interface ReportTypeSelectProps {
  value: number | null;
  /** `name` is that of the chosen type. */
  onChange: (value: number | null, name: string | null) => void;
  /** The type that stands there was chosen once more. */
  onSame?: () => void;
  untyped: boolean;
  error?: ReactNode;
  disabled: boolean;
  placeholder?: string;
  /** False where it may be left as it is. */
  required?: boolean;
  clearable?: boolean;
  /** Whether it has the focus first, in a dialog. */
  autofocus?: boolean;
}

export function ReportTypeSelect(props: ReportTypeSelectProps) {
  const { value, onChange, untyped, error, disabled, placeholder = 'Select Report Type', autofocus } = props;
  const { required = !untyped, clearable = untyped } = props;
  const user = useSessionUser();
  const { data, error: unread } = useQuery(usableReportTypesQuery(user));
  const reportTypes = data?.rows ?? [];
  const consequence = value === null && untyped ? 'Without a type, clients cannot see the report.' : null;
  return (
    <Select
      label="Report Type"
      aria-required={required}
      placeholder={placeholder}
      data-autofocus={autofocus || undefined}
      // A report without a type is in nobody's access list.
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      description={data?.total === 0 ? <NothingToChoose of="reportTypes" /> : consequence}
      {...typedSelect}
      clearable={clearable}
      allowDeselect={untyped}
      nothingFoundMessage={unread ? unread.message : 'No report types match your search'}
      data={reportTypes.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value === null ? null : String(value)}
      onChange={(next, option) => onChange(next === null ? null : Number(next), option?.label ?? null)}
      onOptionSubmit={(next) => {
        if (Number(next) === value) props.onSame?.();
      }}
      error={error}
      disabled={disabled}
    />
  );
}
