// Which columns of a table a person sees: chosen below the table.
import { ActionIcon, Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { ChosenLook } from './chosen-look.ts';
import classes from './use-chosen-columns.module.css';

interface AnyColumn {
  readonly key: string;
  readonly header: string;
  readonly headerHidden?: boolean;
  readonly main?: boolean;
  readonly hidden?: true;
}

/** Without these a row says nothing, or nothing can be done with it. */
const ALWAYS_SHOWN = new Set(['action', 'actions']);

/** The columns to show of the table called `table`, and the button that changes them; no button where there is nothing to choose. */
export function useChosenColumns<Column extends AnyColumn>(
  table: string,
  all: readonly Column[],
): { columns: readonly Column[]; choice: ReactNode } {
  const look = useContext(ChosenLook);
  // Those that are not as the table begins.
  const kept = look.hiddenColumns.find((each) => each.table === table)?.columns;
  const { choosable, columns, isShown } = useMemo(() => {
    const main = all.find((column) => column.main) ?? all[0];
    const mayHide = (column: Column) => column !== main && !column.headerHidden && !ALWAYS_SHOWN.has(column.key);
    const isShown = ({ key, hidden }: AnyColumn) => (kept?.includes(key) ?? false) === (hidden ?? false);
    return {
      choosable: all.filter(mayHide),
      columns: all.filter((column) => isShown(column) || !mayHide(column)),
      isShown,
    };
  }, [all, kept]);
  const button = useRef<HTMLButtonElement>(null);
  const chosen = useRef(false);
  // Rows grow and shrink with a column, and what is chosen from stands at their end.
  useEffect(() => {
    if (chosen.current) button.current?.scrollIntoView({ block: 'nearest' });
  });
  if (choosable.length < 2) return { columns: all, choice: null };
  const keep = (columns: string[]) => {
    chosen.current = true;
    look.choose({ hiddenColumns: [{ table, columns }] });
  };
  const toggle = (key: string) =>
    keep(kept?.includes(key) ? kept.filter((other) => other !== key) : [...(kept ?? []), key]);
  const choice = (
    <Popover
      position="top-end"
      trapFocus
      returnFocus
      withRoles
      shadow="md"
      hideDetached={false}
      onClose={() => {
        chosen.current = false;
      }}
    >
      <Popover.Target>
        <ActionIcon ref={button} variant="default" aria-label="Columns">
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <fieldset className={classes.columns}>
          <legend>Columns to show</legend>
          <Stack gap="xs">
            {choosable.map((column) => (
              <Checkbox
                key={column.key}
                label={column.header}
                checked={isShown(column)}
                onChange={() => toggle(column.key)}
              />
            ))}
            <Button
              variant="subtle"
              size="xs"
              disabled={choosable.every(isShown)}
              onClick={() => keep(choosable.flatMap(({ key, hidden }) => (hidden ? [key] : [])))}
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
