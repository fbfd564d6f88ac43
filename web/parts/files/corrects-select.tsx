// Choosing the earlier file that a file corrects, among those of its client; those of its report type first.
import { useQuery } from '@tanstack/react-query';
import type { FileRow } from '#contract/files.ts';
import { periodName } from '#contract/period.ts';
import { filesQuery } from '#web/data/files.ts';
import { formatDate } from '#web/lib/format.ts';
import { noMatch } from '#web/lib/messages.ts';
import { SearchedSelect, type SearchedSelectProps, useSelectSearch } from '#web/ui/searched-select.tsx';

export type NamedFile = Pick<FileRow, 'id' | 'originalName'> & Partial<Pick<FileRow, 'onHold'>>;

export interface CorrectsSelectProps extends Pick<SearchedSelectProps, 'error' | 'disabled'> {
  /** Where the file is filed that corrects another one. */
  of: { readonly clientId: number; readonly fileType: string; readonly reportTypeId: number | null };
  /** The file itself, once it is stored: it does not correct itself. */
  ownId?: number;
  value: NamedFile | null;
  onChange: (file: NamedFile | null) => void;
}

const NONE = 'No other file';

/** Names repeat from one pay run to the next: what each is for tells them apart, or else when it came. */
function labelOf({ originalName, reportTypeName, documentType, period, uploadedAt }: FileRow): string {
  const type = reportTypeName ?? documentType;
  const when = period === null ? formatDate(uploadedAt) : periodName(period, formatDate);
  return `${originalName} (${type === null ? when : `${type}, ${when}`})`;
}

export function CorrectsSelect({ of, ownId, value, onChange, ...rest }: CorrectsSelectProps) {
  const { clientId, fileType, reportTypeId } = of;
  const search = useSelectSearch(value?.originalName ?? NONE);
  const hasType = fileType === 'report' && reportTypeId !== null;
  const ofType = useQuery({
    ...filesQuery({ clientId, fileType: 'report', ...(hasType ? { reportTypeId } : {}), ...search.query }),
    enabled: hasType,
  });
  const ofClient = useQuery(filesQuery({ clientId, ...search.query }));
  // Rows of the client before are nobody's choice here.
  const first = hasType ? (ofType.data?.rows ?? []) : [];
  const known = new Set(first.map(({ id }) => id));
  const rows = [...first, ...(ofClient.data?.rows ?? []).filter(({ id }) => !known.has(id))].filter(
    (file) => file.id !== ownId && file.clientId === clientId,
  );
  const total = Math.max(rows.length, (ofClient.data?.total ?? 0) - (ownId === undefined ? 0 : 1));

  return (
    <SearchedSelect
      label="Corrects"
      aria-required={false}
      placeholder={NONE}
      {...rest}
      search={search}
      answer={{
        total,
        isFetching: ofClient.isFetching || ofType.isFetching,
        isPlaceholderData: ofClient.isPlaceholderData || ofType.isPlaceholderData,
        error: ofClient.error,
      }}
      items={rows.map((file) => ({
        value: String(file.id),
        label: file.id === value?.id ? value.originalName : labelOf(file),
      }))}
      chosen={value === null ? null : { value: String(value.id), label: value.originalName }}
      allLabel={NONE}
      noneFound={noMatch.files}
      onChoose={(next) => {
        const file = next === null ? null : rows.find(({ id }) => String(id) === next);
        if (file === undefined) return;
        onChange(file === null ? null : { id: file.id, originalName: file.originalName, onHold: file.onHold });
      }}
    />
  );
}
