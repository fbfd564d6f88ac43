// Which columns of a table a person sees: chosen below the table, remembered for that person in this browser.
import { ActionIcon, Button, Checkbox, Popover, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconColumns3 } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import classes from './use-chosen-columns.module.css';

/** Whose choices these are: the id of who is signed in. */
export const ChoosingPerson = createContext(0);

interface AnyColumn {
  readonly key: string;
  readonly header: string;
  readonly headerHidden?: boolean;
  readonly main?: boolean;
}

/** The keys of the hidden columns by table, of each person who signs in here. */
type Hidden = Readonly<Record<string, readonly string[]>>;

/** Without these a row says nothing, or nothing can be done with it. */
const ALWAYS_SHOWN = new Set(['action', 'actions']);

function readHidden(stored: string | undefined): Hidden {
  try {
    const read: unknown = JSON.parse(stored ?? '{}');
    if (typeof read !== 'object' || read === null) return {};
    const lists = Object.entries(read).filter((entry): entry is [string, string[]] => Array.isArray(entry[1]));
    return Object.fromEntries(lists);
  } catch {
    // Somebody else wrote there: every column is shown.
    return {};
  }
}

/** The columns to show of the table `label`, and the button that changes them; no button where there is nothing to choose. */
export function useChosenColumns<Column extends AnyColumn>(
  label: string,
  all: readonly Column[],
): { columns: readonly Column[]; choice: ReactNode } {
  const id = useContext(ChoosingPerson);
  const [hiddenByTable, setHidden] = useLocalStorage<Hidden>({
    key: `hiddenColumns.${id}`,
    defaultValue: {},
    getInitialValueInEffect: false,
    deserialize: readHidden,
  });
  const hidden = hiddenByTable[label];
  const { choosable, columns } = useMemo(() => {
    const main = all.find((column) => column.main) ?? all[0];
    const mayHide = (column: Column) => column !== main && !column.headerHidden && !ALWAYS_SHOWN.has(column.key);
    return {
      choosable: all.filter(mayHide),
      columns: all.filter((column) => !(hidden?.includes(column.key) && mayHide(column))),
    };
  }, [all, hidden]);
  if (choosable.length < 2) return { columns: all, choice: null };
  const isShown = (key: string) => !hidden?.includes(key);
  const toggle = (key: string) =>
    setHidden((before) => {
      const of = before[label] ?? [];
      return { ...before, [label]: of.includes(key) ? of.filter((other) => other !== key) : [...of, key] };
    });
  const choice = (
    <Popover position="top-end" trapFocus returnFocus withRoles shadow="md">
      <Popover.Target>
        <ActionIcon variant="default" aria-label="Columns">
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <fieldset className={classes.columns}>
          <legend>Columns to show</legend>
          <Stack gap="xs">
            {choosable.map(({ key, header }) => (
              <Checkbox key={key} label={header} checked={isShown(key)} onChange={() => toggle(key)} />
            ))}
            <Button
              variant="subtle"
              size="xs"
              disabled={choosable.every(({ key }) => isShown(key))}
              onClick={() => setHidden((before) => ({ ...before, [label]: [] }))}
            >
              Show all
            </Button>
          </Stack>
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
  return { columns, choice };
}
