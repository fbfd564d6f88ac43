// The last column of a table whose rows can be edited or deleted.
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Column } from './data-table.tsx';
import { ICONS_WIDTH, IconButton, IconRow } from './icon-button.tsx';

/** An action of some rows besides the usual two. */
export interface RowAction {
  /** What it does and to what: 'Rename Acme LLC'. */
  readonly label: string;
  readonly tip: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
}

export interface RowActions<Row> {
  /** Names the row in the labels of its buttons: 'Edit Acme LLC'. */
  nameOf: (row: Row) => string;
  /** What the row's button does; null where it has none. */
  edit?: (row: Row) => (() => void) | null;
  remove?: (row: Row) => (() => void) | null;
  /** Shown between the two. */
  other?: (row: Row) => RowAction | null;
}

export function actionsColumn<Row>({ nameOf, edit, remove, other }: RowActions<Row>): Column<Row> {
  return {
    key: 'actions',
    header: 'Actions',
    width: other ? ICONS_WIDTH.three : ICONS_WIDTH.two,
    cell: (row) => {
      const onEdit = edit?.(row);
      const onDelete = remove?.(row);
      const between = other?.(row);
      if (!onEdit && !onDelete && !between) return null;
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
          {between ? <IconButton {...between} /> : null}
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
