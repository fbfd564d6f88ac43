// Narrowing a list of files by report type or document type.
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DOCUMENT_TYPES, WITHOUT_TYPE } from '#contract/file-kinds.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { typedSelect } from '#web/ui/typed-select.ts';

const ALL = 'all';
export const WITHOUT_TYPE_WORDS = 'Without type';

/** A report type's id, or 'none' for the reports without one. */
export type ReportTypeChoice = number | typeof WITHOUT_TYPE;

interface TypeSelectProps {
  label: string;
  allLabel: string;
  data: readonly { readonly value: string; readonly label: string }[];
  value: string;
  onChange: (value: string) => void;
}

function TypeSelect({ label, allLabel, data, value, onChange }: TypeSelectProps) {
  const chosen = data.find((item) => item.value === value);
  return (
    <Select
      label={label}
      {...typedSelect}
      allowDeselect={false}
      nothingFoundMessage="Nothing matches your search"
      data={[{ value: ALL, label: allLabel }, ...data]}
      data-in-force={chosen?.label ?? ''}
      value={chosen?.value ?? ALL}
      onChange={(next) => onChange(next === null || next === ALL ? '' : next)}
      w={{ base: '100%', xs: 185 }}
    />
  );
}

export interface ReportTypeFilterProps {
  /** The specification words it in its own way on the reports of Client users. */
  label?: string;
  allLabel?: string;
  value: ReportTypeChoice | null;
  /** Offers the reports without a type as well: never to Client users, who see none of them. */
  withoutType?: boolean;
  onChange: (reportType: string) => void;
}

export function ReportTypeFilter({
  label = 'Report Type',
  allLabel = 'All Report Types',
  value,
  withoutType = false,
  onChange,
}: ReportTypeFilterProps) {
  const types = useQuery(allReportTypesQuery()).data?.rows ?? [];
  return (
    <TypeSelect
      label={label}
      allLabel={allLabel}
      data={[
        ...(withoutType ? [{ value: WITHOUT_TYPE, label: WITHOUT_TYPE_WORDS }] : []),
        ...types.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={value === null ? '' : String(value)}
      onChange={onChange}
    />
  );
}

export interface DocumentTypeFilterProps {
  value: string | null;
  onChange: (documentType: string) => void;
}

export function DocumentTypeFilter({ value, onChange }: DocumentTypeFilterProps) {
  return (
    <TypeSelect
      label="Document Type"
      allLabel="All Document Types"
      data={DOCUMENT_TYPES.map((type) => ({ value: type, label: type }))}
      value={value ?? ''}
      onChange={onChange}
    />
  );
}
