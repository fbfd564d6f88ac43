// By what the list of files is narrowed: which kind of them, and which of that kind.
import { Group, Radio } from '@mantine/core';
import { isClientUser } from '#contract/policy/actor.ts';
import { mayAttempt } from '#contract/policy.ts';
import { formatCount } from '#web/lib/format.ts';
import { ON_HOLD } from '#web/lib/hold-messages.ts';
import { NAMES_ANOTHER } from '#web/lib/marked-messages.ts';
import { NOT_OPENED } from '#web/lib/readers-words.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientSelect } from '#web/parts/clients/client-select.tsx';
import {
  type FileFilterName,
  type FileFilters,
  isTimeFiltered,
  notOrAny,
  onOff,
} from '#web/parts/files/file-filters.ts';
import type { Shown } from '#web/parts/files/list-address.ts';
import { OnlyFilter } from '#web/parts/files/only-filter.tsx';
import { PeriodSelect } from '#web/parts/periods/period-select.tsx';
import { DocumentTypeFilter, ReportTypeFilter } from '#web/parts/report-types/type-selects.tsx';
import { DateRange } from '#web/ui/date-field.tsx';
import { type ClearFilters, FilterBar, PhoneFolded } from '#web/ui/filter-bar.tsx';

/** What is changed in the address. */
type Changed = Partial<Record<FileFilterName | 'type' | 'marked', string>>;

interface KindsShownProps {
  shown: Shown;
  /** How many files name another company. */
  markedCount: number;
  /** Whether those are to be had alone that nobody of their client has opened. */
  asksUnopened: boolean;
  filters: FileFilters;
  onFilters: (changed: Changed) => void;
}

export function KindsShown({ shown, markedCount, asksUnopened, filters, onFilters }: KindsShownProps) {
  const user = useSessionUser();
  return (
    <Group gap="lg" mb="sm" data-screen-only>
      <Radio.Group
        aria-label="Files to show"
        value={shown}
        onChange={(next) =>
          onFilters(next === 'marked' ? { marked: '1' } : { marked: '', type: next === 'report' ? '' : next })
        }
      >
        <Group gap="lg">
          <Radio value="report" label="Reports" />
          <Radio value="company_document" label="Company Documents" />
          {markedCount > 0 || shown === 'marked' ? (
            <Radio value="marked" label={`${NAMES_ANOTHER} (${formatCount(markedCount)})`} />
          ) : null}
        </Group>
      </Radio.Group>
      {asksUnopened ? (
        <OnlyFilter
          label={NOT_OPENED}
          checked={filters.isUnopened}
          onChange={(not) => onFilters({ opened: notOrAny(not) })}
        />
      ) : null}
      {mayAttempt(user, 'holds.read') ? (
        <OnlyFilter label={ON_HOLD} checked={filters.isOnHold} onChange={(on) => onFilters({ hold: onOff(on) })} />
      ) : null}
    </Group>
  );
}

interface FileFilterBarProps {
  shown: Shown;
  filters: FileFilters;
  onFilters: (changed: Changed) => void;
  onClient: (clientId: number | null) => void;
  clear: ClearFilters;
}

export function FileFilterBar(props: FileFilterBarProps) {
  const { shown, filters, onFilters, onClient, clear } = props;
  const user = useSessionUser();
  return (
    <FilterBar foldedInForce={isTimeFiltered(filters)} clear={clear}>
      <PhoneFolded>
        <DateRange startDate={filters.startDate} endDate={filters.endDate} onChange={(range) => onFilters(range)} />
      </PhoneFolded>
      <ClientSelect label="Client" withAll value={filters.clientId} onChange={onClient} w={{ base: '100%', xs: 176 }} />
      {shown === 'report' ? (
        <ReportTypeFilter
          withoutType={!isClientUser(user)}
          value={filters.reportTypeId}
          onChange={(reportType) => onFilters({ reportType })}
        />
      ) : null}
      {shown === 'company_document' ? (
        <DocumentTypeFilter value={filters.documentType} onChange={(documentType) => onFilters({ documentType })} />
      ) : null}
      <PhoneFolded>
        <PeriodSelect value={filters.period} onChange={(period) => onFilters({ period })} />
      </PhoneFolded>
    </FilterBar>
  );
}
