// A searchable list of check boxes, quick at thousands of entries.
import { Group, Input, Text, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type Ref,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { matchesSearch } from '#contract/search.ts';
import { formatCount } from '#web/lib/format.ts';
import classes from './checklist.module.css';

export interface ChecklistEntry {
  readonly id: number;
  readonly name: string;
}

export interface ChecklistProps {
  label: string;
  entries: readonly ChecklistEntry[];
  /** Ids in ascending order. */
  selected: readonly number[];
  /** Ids of entries that are listed before all others: what was ticked before anybody began to change it. */
  first?: readonly number[];
  /** Passes ids in ascending order, so that undoing a tick leaves nothing changed. */
  onChange: (selected: number[]) => void;
  /** 'Search clients...' */
  searchPlaceholder: string;
  /** 'No clients available', and what to do about it. */
  emptyText: ReactNode;
  /** What is counted, in the plural: 'clients' makes 'Selected: 3 clients'. */
  noun: string;
  /** The form's name for the field, so that a fault can focus it. */
  path?: string;
  error?: string | undefined;
  disabled?: boolean;
  /** The entries are loading: the list keeps their place. */
  loading?: boolean;
}

interface RowProps {
  entry: ChecklistEntry;
  checked: boolean;
  disabled: boolean;
  onToggle: (id: number, checked: boolean) => void;
}

const Row = memo(function Row({ entry, checked, disabled, onToggle }: RowProps) {
  return (
    <label className={classes.row}>
      <input
        type="checkbox"
        className={classes.box}
        checked={checked}
        disabled={disabled}
        tabIndex={-1}
        onChange={(event) => onToggle(entry.id, event.currentTarget.checked)}
      />
      <span className={classes.name}>{entry.name}</span>
    </label>
  );
});

const ROWS_PER_LEAP = 5;

/** How far a key moves among the boxes. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: ROWS_PER_LEAP,
  PageUp: -ROWS_PER_LEAP,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/**
 * Makes the boxes one stop of the Tab key, with arrow keys between them: nobody tabs through two thousand clients.
 * Kept in the DOM, not in state, so that a step of the focus renders nothing.
 */
function useOneTabStop() {
  const list = useRef<HTMLDivElement>(null);
  const boxes = () => [...(list.current?.querySelectorAll<HTMLInputElement>('input') ?? [])];
  const stop = () => list.current?.querySelector<HTMLInputElement>('input[tabindex="0"]');

  useEffect(() => {
    const standing = list.current?.querySelector('input[tabindex="0"]');
    const first = list.current?.querySelector('input');
    // The box that had the stop may have been searched away.
    if (!standing && first) first.tabIndex = 0;
  });

  return {
    list,
    enter: () => boxes()[0]?.focus(),
    onFocus: (event: FocusEvent<HTMLDivElement>) => {
      if (!(event.target instanceof HTMLInputElement)) return;
      const former = stop();
      if (former) former.tabIndex = -1;
      event.target.tabIndex = 0;
    },
    onKeyDown: (event: KeyboardEvent<HTMLDivElement>) => {
      const step = STEPS[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const all = boxes();
      const now = all.indexOf(event.target as HTMLInputElement);
      all[Math.min(Math.max(now + step, 0), all.length - 1)]?.focus();
    },
  };
}

interface HeadProps {
  /** Of the list: what it is called and counts is said by these. */
  id: string;
  label: string;
  noun: string;
  /** How many are selected. */
  count: number;
  /** How many are shown, where those are not all of them. */
  allWords: { readonly shown: string; readonly counted: string; readonly ofWhat: string } | null;
  /** Null where there is nothing to select, or to clear. */
  onSelectAll: (() => void) | null;
  onClear: (() => void) | null;
}

function Head({ id, label, noun, count, allWords, onSelectAll, onClear }: HeadProps) {
  return (
    <Group justify="space-between" gap="xs" mb={4}>
      <Text id={`${id}-label`} size="sm" fw="var(--mantine-font-weight-medium)">
        {label}
      </Text>
      <Group gap="sm">
        <Text id={`${id}-count`} size="sm" c="dimmed" aria-live="polite">
          Selected: {formatCount(count)} {noun}
        </Text>
        <UnstyledButton
          className={classes.action}
          onClick={onSelectAll ?? undefined}
          disabled={onSelectAll === null}
          aria-label={allWords === null ? `Select all ${noun}` : `Select all ${allWords.counted} ${allWords.ofWhat}`}
        >
          {allWords === null ? 'Select all' : `Select all ${allWords.shown} ${allWords.ofWhat}`}
        </UnstyledButton>
        <UnstyledButton
          className={classes.action}
          onClick={onClear ?? undefined}
          disabled={onClear === null}
          aria-label={`Clear All ${noun}`}
        >
          Clear All
        </UnstyledButton>
      </Group>
    </Group>
  );
}

/** The entries in their order, and which of them are shown: those that are sought, or selected. */
function useShown(props: Pick<ChecklistProps, 'entries' | 'selected' | 'first'>) {
  const { selected, first } = props;
  const [search, setSearch] = useState('');
  /** What was selected when only the selected were shown: a tick removed by mistake stays visible. */
  const [kept, setKept] = useState<ReadonlySet<number> | null>(null);
  const sought = useDeferredValue(search.trim());
  const chosen = useMemo(() => new Set(selected), [selected]);
  const entries = useMemo(() => {
    const before = new Set(first);
    return [...props.entries].sort((one, other) => Number(before.has(other.id)) - Number(before.has(one.id)));
  }, [props.entries, first]);
  const matching = useMemo(
    () => (sought === '' ? entries : entries.filter((entry) => matchesSearch(sought, [entry.name]))),
    [entries, sought],
  );
  const shown = kept ? matching.filter((entry) => kept.has(entry.id) || chosen.has(entry.id)) : matching;
  return { search, setSearch, kept, setKept, sought, chosen, entries, shown };
}

interface SearchFieldProps {
  ref: Ref<HTMLInputElement>;
  placeholder: string;
  path: string | undefined;
  /** Of the list: a fault leads here, and is to be heard here. */
  error: string | undefined;
  value: string;
  onChange: (text: string) => void;
  /** Goes to the boxes. */
  onEnter: () => void;
}

function SearchField({ ref, placeholder, path, error, value, onChange, onEnter }: SearchFieldProps) {
  return (
    <TextInput
      ref={ref}
      variant="unstyled"
      className={classes.search}
      aria-required={false}
      aria-label={placeholder.replace(/\.+$/, '')}
      // Its own wrapper describes it, and the words stand below the whole list.
      aria-description={error}
      error={error !== undefined}
      withErrorStyles={false}
      placeholder={placeholder}
      leftSection={<IconSearch size={15} aria-hidden />}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        // Enter here means "search", never "save the form".
        if (event.key === 'Enter') event.preventDefault();
        if (event.key === 'ArrowDown') {
          event.preventDefault();
          onEnter();
        }
      }}
      {...(path === undefined ? {} : { 'data-path': path })}
    />
  );
}

export function Checklist(props: ChecklistProps) {
  const { label, selected, onChange, searchPlaceholder, emptyText, noun, path, error } = props;
  const { disabled = false, loading = false } = props;
  const id = useId();
  const searchField = useRef<HTMLInputElement>(null);
  const { search, setSearch, kept, setKept, sought, chosen, entries, shown } = useShown(props);
  const isWhole = sought === '' && kept === null;
  const ofWhat = sought === '' ? 'shown' : 'found';
  const counted = (count: number) => `${formatCount(count)} ${count === 1 ? noun.replace(/s$/, '') : noun}`;
  const { list, enter, onFocus, onKeyDown } = useOneTabStop();

  // In a ref so that the rows' handler never changes and an unchanged row never renders again.
  const latest = useRef({ selected, onChange });
  latest.current = { selected, onChange };
  const toggle = useCallback((entryId: number, checked: boolean) => {
    const { selected: now, onChange: change } = latest.current;
    const others = now.filter((other) => other !== entryId);
    change(checked ? [...others, entryId].sort((one, other) => one - other) : others);
  }, []);

  const selectAll = () => {
    const ids = new Set([...selected, ...shown.map((entry) => entry.id)]);
    onChange([...ids].sort((one, other) => one - other));
  };

  const clear = () => {
    setKept(null);
    onChange([]);
    // The button disappears while it has the focus.
    searchField.current?.focus();
  };

  return (
    <fieldset className={classes.group} aria-labelledby={`${id}-label`} aria-describedby={`${id}-count ${id}-keys`}>
      <Head
        id={id}
        label={label}
        noun={noun}
        count={selected.length}
        allWords={isWhole ? null : { shown: formatCount(shown.length), counted: counted(shown.length), ofWhat }}
        onSelectAll={disabled || shown.every((entry) => chosen.has(entry.id)) ? null : selectAll}
        onClear={disabled || selected.length === 0 ? null : clear}
      />
      <div className={classes.frame} data-error={error !== undefined || undefined}>
        <div className={classes.head}>
          <SearchField
            ref={searchField}
            placeholder={searchPlaceholder}
            path={path}
            error={error}
            value={search}
            onChange={setSearch}
            onEnter={enter}
          />
          <UnstyledButton
            className={classes.action}
            aria-pressed={kept !== null}
            aria-label={`Show selected ${noun}`}
            disabled={kept === null && selected.length === 0}
            onClick={() => setKept(kept === null ? chosen : null)}
          >
            Show selected
          </UnstyledButton>
        </div>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the boxes inside are what is worked; the list only hears their keys */}
        <div
          ref={list}
          className={classes.list}
          style={{ '--rows': loading ? ROWS_PER_LEAP + 1 : Math.max(entries.length, 1) } as CSSProperties}
          onFocus={onFocus}
          onKeyDown={onKeyDown}
        >
          {shown.map((entry) => (
            <Row key={entry.id} entry={entry} checked={chosen.has(entry.id)} disabled={disabled} onToggle={toggle} />
          ))}
          {shown.length === 0 ? (
            <Text component="div" c="dimmed" px="sm" py={6}>
              {entries.length === 0 ? emptyText : 'Nothing matches your search'}
            </Text>
          ) : null}
        </div>
      </div>
      <VisuallyHidden id={`${id}-keys`}>Move between the boxes with the arrow keys.</VisuallyHidden>
      <VisuallyHidden aria-live="polite">{sought === '' ? '' : `${counted(shown.length)} found`}</VisuallyHidden>
      {error === undefined ? null : <Input.Error mt={4}>{error}</Input.Error>}
    </fieldset>
  );
}
