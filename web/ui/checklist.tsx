// A searchable list of check boxes, quick at thousands of entries.
import { Group, Input, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { memo, useCallback, useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import classes from './checklist.module.css';

export interface ChecklistEntry {
  readonly id: number;
  readonly name: string;
}

export interface ChecklistProps {
  label: string;
  entries: readonly ChecklistEntry[];
  selected: readonly number[];
  onChange: (selected: number[]) => void;
  /** 'Search clients...' */
  searchPlaceholder: string;
  /** 'No clients available' */
  emptyText: string;
  /** What is counted, in the plural: 'clients' makes 'Selected: 3 clients'. */
  noun: string;
  error?: string | undefined;
  disabled?: boolean;
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
        onChange={(event) => onToggle(entry.id, event.currentTarget.checked)}
      />
      <span className={classes.name}>{entry.name}</span>
    </label>
  );
});

export function Checklist(props: ChecklistProps) {
  const { label, entries, selected, onChange, searchPlaceholder, emptyText, noun, error, disabled = false } = props;
  const id = useId();
  const [search, setSearch] = useState('');
  const sought = useDeferredValue(search.trim().toLowerCase());
  const chosen = useMemo(() => new Set(selected), [selected]);
  const matching = useMemo(
    () => (sought === '' ? entries : entries.filter((entry) => entry.name.toLowerCase().includes(sought))),
    [entries, sought],
  );

  // Kept in a ref so that the rows' handler never changes and an unchanged row never renders again.
  const latest = useRef({ selected, onChange });
  latest.current = { selected, onChange };
  const toggle = useCallback((entryId: number, checked: boolean) => {
    const { selected: now, onChange: change } = latest.current;
    change(checked ? [...now, entryId] : now.filter((other) => other !== entryId));
  }, []);

  return (
    <fieldset className={classes.group} aria-labelledby={`${id}-label`} aria-describedby={`${id}-count`}>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text id={`${id}-label`} size="sm" fw="var(--mantine-font-weight-medium)">
          {label}
        </Text>
        <Group gap="sm">
          <Text id={`${id}-count`} size="sm" c="dimmed" aria-live="polite">
            Selected: {selected.length} {noun}
          </Text>
          {selected.length > 0 ? (
            <UnstyledButton
              className={classes.clear}
              onClick={() => onChange([])}
              disabled={disabled}
              aria-label={`Clear All ${noun}`}
            >
              Clear All
            </UnstyledButton>
          ) : null}
        </Group>
      </Group>
      <div className={classes.frame} data-error={error !== undefined || undefined}>
        <TextInput
          variant="unstyled"
          className={classes.search}
          aria-label={searchPlaceholder.replace(/\.+$/, '')}
          placeholder={searchPlaceholder}
          leftSection={<IconSearch size={15} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter here means "search", never "save the form".
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
        <div className={classes.list}>
          {matching.map((entry) => (
            <Row key={entry.id} entry={entry} checked={chosen.has(entry.id)} disabled={disabled} onToggle={toggle} />
          ))}
          {matching.length === 0 ? (
            <Text c="dimmed" px="sm" py={6}>
              {entries.length === 0 ? emptyText : 'Nothing matches your search'}
            </Text>
          ) : null}
        </div>
      </div>
      {error === undefined ? null : <Input.Error mt={4}>{error}</Input.Error>}
    </fieldset>
  );
}
