// The filters in force above a list of files, as chips that take them off.
import { useQuery } from '@tanstack/react-query';
import { WITHOUT_TYPE } from '#contract/file-kinds.ts';
import { clientQuery } from '#web/data/clients.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { today } from '#web/lib/format.ts';
import { datePresets, presetOf } from '#web/ui/date-presets.ts';
import { type FilterChip, FilterChips, type FilterChipsProps } from '#web/ui/filter-chips.tsx';
import { WITHOUT_TYPE_WORDS } from '../report-types/type-selects.tsx';
import { chipsOf, type FileFilterName, type FileFilters } from './file-filters.ts';

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
  const { clientId, reportTypeId } = filters;
  const client = useQuery({ ...clientQuery(clientId ?? 0), enabled: clientId !== null });
  const types = useQuery({ ...allReportTypesQuery(), enabled: reportTypeId !== null });
  const preset = presetOf(filters, datePresets(today()));
  const chips = chipsOf(filters, {
    client: client.data?.name,
    reportType:
      reportTypeId === WITHOUT_TYPE ? WITHOUT_TYPE_WORDS : types.data?.rows.find(({ id }) => id === reportTypeId)?.name,
  }).flatMap(({ filter, name, value }): FilterChip[] => {
    if (fixed.includes(filter) || (preset && filter === 'endDate')) return [];
    return preset && filter === 'startDate'
      ? [{ name: 'Dates', value: preset.name, onRemove: () => onChange({ startDate: '', endDate: '' }) }]
      : [{ name, value, onRemove: () => onChange({ [filter]: '' }) }];
  });
  if (search !== undefined && search.text !== '') {
    chips.push({ name: 'Search', value: search.text, onRemove: search.onClear });
  }
  return <FilterChips chips={chips} {...(clear === undefined ? {} : { clear })} />;
}
