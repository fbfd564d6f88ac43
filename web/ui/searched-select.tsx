// A list to choose from that the server searches, so that a thousand entries are as quick as five.
import { type ComboboxItem, Loader, Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { matchesSearch, searchable } from '#contract/search.ts';
import { formatCount } from '#web/lib/format.ts';

const ALL = 'all';
const MORE = 'more';
const SEARCH_DELAY_MS = 200;
/** How many entries the list offers at once. */
export const SHOWN_AT_ONCE = 50;

export interface SelectSearch {
  /** What the box shows. */
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The text searched for now, and the text sent to the server a moment later; empty for everything. */
  readonly wanted: string;
  readonly asked: string;
  /** The server's part of it. */
  readonly query: { readonly limit: number; readonly q?: string };
}

/** The box shows the chosen name until something else is typed: that is no search. */
export function useSelectSearch(shownName: string): SelectSearch {
  const [text, setText] = useState('');
  const wanted = text === shownName ? '' : searchable(text).trim();
  const [asked] = useDebouncedValue(wanted, SEARCH_DELAY_MS);
  return {
    text,
    setText,
    wanted,
    asked,
    query: { limit: SHOWN_AT_ONCE, ...(asked === '' ? {} : { q: asked }) },
  };
}

/** As much of the answer to `search.query` as the list reads. */
export interface SearchAnswer {
  readonly total: number;
  readonly isFetching: boolean;
  /** True while rows of the question before are in. */
  readonly isPlaceholderData: boolean;
  readonly error: Error | null;
}

/** Whether the loaded rows answer the current text. */
export function isAnswered(search: SelectSearch, { isPlaceholderData }: Pick<SearchAnswer, 'isPlaceholderData'>) {
  return search.wanted === search.asked && !isPlaceholderData;
}

export interface SearchedSelectProps
  extends Omit<SelectProps, 'value' | 'defaultValue' | 'onChange' | 'data' | 'filter' | 'searchable' | 'ref'> {
  search: SelectSearch;
  answer: SearchAnswer;
  /** What was found, in its order. */
  items: readonly ComboboxItem[];
  /** Offered as well where it is not among them; an empty label is not known yet. */
  chosen: ComboboxItem | null;
  /** Offers an entry that means null: 'All Clients'. */
  allLabel?: string | undefined;
  noneFound: string;
  onChoose: (value: string | null) => void;
}

/** What was typed and left: it is kept, and the field says what to do. */
const leftWords = (text: string, total: number) =>
  total === 0
    ? `Nothing matches “${text}”. Type another name, or press Escape to take it back.`
    : `${formatCount(total)} match “${text}”. Choose one from the list.`;

/** Enter takes the first match; leaving takes the only one. Both wait for the answer to what was typed. */
function useTypedChoice(props: SearchedSelectProps) {
  const { search, answer, items, chosen, allLabel, onChoose } = props;
  const { wanted, setText } = search;
  const [waiting, setWaiting] = useState<'first' | 'only' | null>(null);
  const [left, setLeft] = useState(false);
  const [opened, setOpened] = useState(false);
  /** Whether an entry was gone to with the arrows: Enter is for that one. */
  const moved = useRef(false);
  /** Mantine puts the chosen name back when the box is left. */
  const leaving = useRef(false);
  /** Whether a person has typed since the last choice: the name of what was chosen before may stand there a moment longer. */
  const typed = useRef(false);
  /** Whether the next change of the text is a person's, and what was chosen when they typed. */
  const byPerson = useRef(false);
  const typedOver = useRef<string | null>(null);
  const inForce = chosen?.value ?? null;
  const settled = isAnswered(search, answer) && !answer.isFetching;

  const choose = useRef((_how: 'first' | 'only') => {});
  choose.current = (how) => {
    const same = ({ label }: ComboboxItem) => label.toLowerCase() === wanted.toLowerCase();
    const all = allLabel === undefined ? [] : [{ value: ALL, label: allLabel }].filter(same);
    const one = answer.total === 1 ? items[0] : items.find(same);
    const match = all[0] ?? (how === 'first' ? (items.find(same) ?? items[0]) : one);
    if (match === undefined) {
      setLeft(true);
      return;
    }
    setOpened(false);
    typed.current = false;
    setText(match.label);
    const value = match.value === ALL ? null : match.value;
    if (value !== inForce) onChoose(value);
    // As a press on it is told, which changes nothing either.
    else props.onOptionSubmit?.(match.value);
  };
  useEffect(() => {
    if (waiting === null || (wanted !== '' && !settled)) return;
    setWaiting(null);
    if (wanted !== '') choose.current(waiting);
  }, [waiting, wanted, settled]);

  return {
    error: left && wanted !== '' && waiting === null && settled ? leftWords(wanted, answer.total) : undefined,
    /** Whether what stands in the box was typed, and not chosen here or elsewhere. */
    isTyped: () => typed.current,
    /** An entry was chosen. */
    onChosen: () => {
      typed.current = false;
      setWaiting(null);
      setLeft(false);
    },
    props: {
      onInput: () => {
        typed.current = true;
        byPerson.current = true;
        typedOver.current = inForce;
      },
      dropdownOpened: opened,
      onDropdownOpen: () => setOpened(true),
      onDropdownClose: () => setOpened(false),
      onSearchChange: (text: string) => {
        const isTyped = byPerson.current;
        byPerson.current = false;
        if (leaving.current) return;
        // The name of what is chosen is known only now: it takes the place of nothing that was typed by then.
        if (!isTyped && typed.current && wanted !== '' && typedOver.current === inForce) return;
        moved.current = false;
        setWaiting(null);
        setLeft(false);
        setText(text);
      },
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key.startsWith('Arrow')) moved.current = true;
        if (event.key === 'Escape' && !opened) setText(chosen?.label ?? allLabel ?? '');
        if (event.key !== 'Enter' || wanted === '' || moved.current || !typed.current) return;
        // No form is sent with a choice that is not made yet.
        event.preventDefault();
        setWaiting('first');
      },
      onBlurCapture: () => {
        leaving.current = wanted !== '' && typed.current;
      },
      onBlur: () => {
        if (leaving.current) setWaiting((before) => before ?? 'only');
        leaving.current = false;
      },
    },
  };
}

export function SearchedSelect(props: SearchedSelectProps) {
  const { search, answer, items, chosen, allLabel, noneFound, onChoose, error, ...rest } = props;
  const typed = useTypedChoice(props);
  const answered = isAnswered(search, answer);
  // Enter right after typing must not pick an entry of the previous search: only names that match are offered.
  const fits = ({ label }: ComboboxItem) => answered || matchesSearch(search.wanted, [label]);
  const found = items.filter(fits);
  const options = [...found];
  const shown = found.length;
  // The box needs its name; among what matches it would move the rows below it just as somebody presses one.
  const isBeside = chosen !== null && chosen.label !== '' && !found.some(({ value }) => value === chosen.value);
  if (isBeside) options.unshift(chosen);
  const hidden = isBeside && search.wanted !== '' ? chosen.value : null;
  // Cleared from elsewhere, the box still shows the name before: its own entry takes that away.
  const offersAll = search.wanted === '' || (chosen === null && !typed.isTyped());
  if (allLabel !== undefined && offersAll) options.unshift({ value: ALL, label: allLabel });
  if (answered && answer.total > shown) {
    const label = `${formatCount(shown)} of ${formatCount(answer.total)} shown. Type to find others.`;
    options.push({ value: MORE, label, disabled: true });
  }
  const noValue = allLabel === undefined ? null : ALL;

  return (
    <Select
      nothingFoundMessage={
        answer.error ? answer.error.message : !answered || answer.isFetching ? 'Searching...' : noneFound
      }
      rightSection={!answered && search.wanted !== '' ? <Loader size={14} aria-hidden /> : undefined}
      // A dialog that focuses this field should not be covered by the list at once.
      openOnFocus={false}
      // What is typed takes the place of the chosen name.
      onFocus={({ currentTarget }) => currentTarget.select()}
      {...rest}
      {...typed.props}
      error={error ?? typed.error}
      searchable
      allowDeselect={false}
      data={options}
      data-in-force={chosen?.label ?? ''}
      // The server has searched already.
      filter={({ options: all }) => all.filter((option) => !('value' in option) || option.value !== hidden)}
      searchValue={search.text}
      value={chosen?.value ?? noValue}
      onChange={(next) => {
        typed.onChosen();
        onChoose(next === ALL ? null : next);
      }}
    />
  );
}
