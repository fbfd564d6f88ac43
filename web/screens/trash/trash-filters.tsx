// By what the trash is narrowed: kind, who deleted it, and when.
import type { ListedActor } from '#contract/policy/actor.ts';
import { reachesEveryUser, trashReach } from '#contract/policy/reach.ts';
import { TRASH_NOUNS, type TrashNoun } from '#contract/trash-kinds.ts';
import type { TrashFilter } from '#web/data/trash.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { addressOf, readDay, readId } from '#web/parts/files/file-filters.ts';
import { UserSelect } from '#web/parts/users/user-select.tsx';
import { ChoiceFilter } from '#web/ui/choice-filter.tsx';
import { DateRange } from '#web/ui/date-field.tsx';
import { FilterBar, PhoneFolded } from '#web/ui/filter-bar.tsx';
import type { ListSearch } from '#web/ui/use-list-search.ts';

const nounLabels: Record<TrashNoun, string> = {
  report: 'Reports',
  company_document: 'Company Documents',
  client: 'Clients',
};

/** What there is in the trash for `viewer`: clients for whoever may delete one. */
export const nounsOf = (viewer: ListedActor): readonly TrashNoun[] =>
  TRASH_NOUNS.filter((noun) => noun !== 'client' || trashReach(viewer).clients !== 'none');

export const TRASH_FILTERS = ['noun', 'user', 'startDate', 'endDate'] as const;

/** The filters of the address that `viewer` may use; those that are not set are left out. */
export function askedTrash(viewer: ListedActor, filters: Readonly<Record<(typeof TRASH_FILTERS)[number], string>>) {
  const noun = nounsOf(viewer).find((known) => known === filters.noun);
  const deletedById = reachesEveryUser(viewer) ? readId(filters.user) : null;
  const [startDate, endDate] = [readDay(filters.startDate), readDay(filters.endDate)];
  return {
    ...(noun === undefined ? {} : { noun }),
    ...(deletedById === null ? {} : { deletedById }),
    ...(startDate === '' ? {} : { startDate }),
    ...(endDate === '' ? {} : { endDate }),
  } satisfies TrashFilter;
}

interface TrashFiltersProps {
  list: Pick<ListSearch<string, (typeof TRASH_FILTERS)[number]>, 'filters' | 'setFilters' | 'clear'>;
  asked: TrashFilter;
  /** Who deleted the first row: the name of whoever the rows are narrowed to; empty while it is not known. */
  deleter: string | undefined;
  isNarrowed: boolean;
  isEmpty: boolean;
}

export function TrashFilters({ list, asked, deleter, isNarrowed, isEmpty }: TrashFiltersProps) {
  const user = useSessionUser();
  return (
    <FilterBar
      foldedInForce={asked.startDate !== undefined || asked.endDate !== undefined}
      clear={{ isNarrowed, isEmpty, onClear: list.clear }}
    >
      <ChoiceFilter
        label="Kind"
        allLabel="All Kinds"
        choices={nounsOf(user)}
        names={nounLabels}
        value={asked.noun}
        onChange={(noun) => list.setFilters({ noun })}
        width={180}
      />
      {reachesEveryUser(user) ? (
        <UserSelect
          label="Deleted By"
          withAll
          value={readId(list.filters.user)}
          knownAs={deleter}
          onChange={(userId) => list.setFilters({ user: addressOf(userId) })}
          w={{ base: '100%', xs: 180 }}
        />
      ) : null}
      <PhoneFolded>
        <DateRange
          startDate={readDay(list.filters.startDate)}
          endDate={readDay(list.filters.endDate)}
          onChange={list.setFilters}
        />
      </PhoneFolded>
    </FilterBar>
  );
}
