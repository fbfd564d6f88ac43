// The last column of a table whose rows can be edited or deleted.
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './icon-button.module.css';
import { ICONS_WIDTH, IconButton, IconRow } from './icon-button.tsx';
import type { Column } from './table-shape.ts';

/** An action of some rows besides the usual two. */
export interface RowAction {
  /** What it does and to what: 'Rename Acme LLC'. */
  readonly label: string;
  readonly tip: string;
  /** What more there is to know: 'Opens in a new tab'. */
  readonly description?: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
}

export interface RowActions<Row> {
  /** Names the row in the labels of its buttons: 'Edit Acme LLC'. */
  nameOf: (row: Row) => string;
  /** What the row's button does; null where it has none. */
  edit?: (row: Row) => (() => void) | null;
  remove?: (row: Row) => (() => void) | null;
  /** Shown between the two, each in a place that stays empty for null; `most` is how many buttons a row has at most. */
  others?: (row: Row) => readonly (RowAction | null)[];
  most?: keyof typeof ICONS_WIDTH;
}

export function actionsColumn<Row>({ nameOf, edit, remove, others, most = 'two' }: RowActions<Row>): Column<Row> {
  return {
    key: 'actions',
    header: 'Actions',
    width: ICONS_WIDTH[most],
    cell: (row) => {
      const onEdit = edit?.(row);
      const onDelete = remove?.(row);
      const between = others?.(row) ?? [];
      if (!onEdit && !onDelete && between.every((action) => action === null)) return null;
      return (
        <IconRow>
          {onEdit ? (
            <IconButton
              label={`Edit ${nameOf(row)}`}
              tip="Edit"
              icon={<IconPencil size={17} aria-hidden />}
              onClick={onEdit}
            />
          ) : null}
          {between.map((action, place) =>
            // The next one stays where it is when what may be done is known later.
            action === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a place has nothing but its number
              <span key={place} className={classes.place} aria-hidden />
            ) : (
              <IconButton key={action.tip} {...action} />
            ),
          )}
          {onDelete ? (
            <IconButton
              label={`Delete ${nameOf(row)}`}
              tip="Delete"
              icon={<IconTrash size={17} aria-hidden />}
              onClick={onDelete}
              danger
            />
          ) : null}
        </IconRow>
      );
    },
  };
}
