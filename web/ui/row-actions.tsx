// The last column of a table whose rows can be edited or deleted.
import { Group } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { Column } from './data-table.tsx';
import { IconButton } from './icon-button.tsx';

export interface RowActions<Row> {
  /** Names the row in the labels of its buttons: 'Edit Acme LLC'. */
  nameOf: (row: Row) => string;
  /** What the row's button does; null where it has none. */
  edit?: (row: Row) => (() => void) | null;
  remove?: (row: Row) => (() => void) | null;
}

export function actionsColumn<Row>({ nameOf, edit, remove }: RowActions<Row>): Column<Row> {
  return {
    key: 'actions',
    header: 'Actions',
    width: '1%',
    cell: (row) => {
      const onEdit = edit?.(row);
      const onDelete = remove?.(row);
      if (!onEdit && !onDelete) return null;
      return (
        // The glyphs, not the buttons around them, stand in line with the word above.
        <Group gap={2} wrap="nowrap" ml={-6}>
          {onEdit ? (
            <IconButton
              label={`Edit ${nameOf(row)}`}
              tip="Edit"
              icon={<IconPencil size={17} aria-hidden />}
              onClick={onEdit}
            />
          ) : null}
          {onDelete ? (
            <IconButton
              label={`Delete ${nameOf(row)}`}
              tip="Delete"
              icon={<IconTrash size={17} aria-hidden />}
              onClick={onDelete}
              danger
            />
          ) : null}
        </Group>
      );
    },
  };
}
