// The filters in force above a list of files, as chips that take them off.
import { useQuery } from '@tanstack/react-query';
import { WITHOUT_TYPE } from '#contract/file-kinds.ts';
import { clientQuery } from '#web/data/clients.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { formatDate, today } from '#web/lib/format.ts';
import { ON_HOLD } from '#web/lib/hold-messages.ts';
import { NOT_OPENED } from '#web/lib/readers-words.ts';
import { datePresets, presetOf } from '#web/ui/date-presets.ts';
import { type FilterChip, FilterChips, type FilterChipsProps } from '#web/ui/filter-chips.tsx';
import { PERIOD_LABEL, periodWords } from '../periods/period-select.tsx';
import { WITHOUT_TYPE_WORDS } from '../report-types/type-selects.tsx';
import type { FileFilterName, FileFilters } from './file-filters.ts';

export interface FileFilterChipsProps {
  filters: FileFilters;
  /** Filters that the screen always has, such as the chosen report type: no chips. */
  fixed?: readonly FileFilterName[];
  onChange: (filters: Partial<Record<FileFilterName, string>>) => void;
  /** The search in force, and what takes it off. */
  search?: { readonly text: string; readonly onClear: () => void };
  clear?: FilterChipsProps['clear'];
}

export function FileFilterChips({ filters, fixed = [], onChange, search, clear }: FileFilterChipsProps) {
  const { clientId, reportTypeId, documentType, period, startDate, endDate, isNew, isUnopened, isOnHold } = filters;
  const client = useQuery({ ...clientQuery(clientId ?? 0), enabled: clientId !== null });
  const types = useQuery({ ...allReportTypesQuery(), enabled: reportTypeId !== null });
  const chip = (filter: FileFilterName, name: string, value: string | null | undefined): FilterChip[] =>
    value && !fixed.includes(filter) ? [{ name, value, onRemove: () => onChange({ [filter]: '' }) }] : [];
  const preset = presetOf({ startDate, endDate }, datePresets(today()));
  const dates = preset
    ? [{ name: 'Dates', value: preset.name, onRemove: () => onChange({ startDate: '', endDate: '' }) }]
    : [
        ...chip('startDate', 'From', startDate === '' ? null : formatDate(startDate)),
        ...chip('endDate', 'To', endDate === '' ? null : formatDate(endDate)),
      ];
  const chips = [
    ...chip('client', 'Client', clientId === null ? null : client.data?.name),
    ...chip(
      'reportType',
      'Report Type',
      reportTypeId === WITHOUT_TYPE ? WITHOUT_TYPE_WORDS : types.data?.rows.find(({ id }) => id === reportTypeId)?.name,
    ),
    ...chip('documentType', 'Document Type', documentType),
    ...chip('period', PERIOD_LABEL, period === '' ? null : periodWords(period)),
    ...dates,
    ...chip('new', 'Show', isNew ? 'New only' : null),
    ...chip('opened', 'Seen By', isUnopened ? NOT_OPENED : null),
    ...chip('hold', 'Show', isOnHold ? `${ON_HOLD} only` : null),
    ...(search === undefined || search.text === ''
      ? []
      : [{ name: 'Search', value: search.text, onRemove: search.onClear }]),
  ];
  return <FilterChips chips={chips} {...(clear === undefined ? {} : { clear })} />;
}
