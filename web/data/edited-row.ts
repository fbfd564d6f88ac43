// What a dialog edits, as somebody else may have left it: the row's version, how it is loaded again, and how a conflict is told.
import { NOT_FOUND } from '#contract/plain-words.ts';
import type { ListPage } from '#web/lib/api.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { failed } from '#web/lib/messages.ts';
import type { EditedRow } from '#web/ui/use-dialog-form.ts';
import { toastFault } from './toast-fault.ts';

/** One row of a whole list, for nouns that are not asked for one by one. Throws ApiFault. */
export function rowOf<Row extends { readonly id: number }>({ rows }: ListPage<Row>, id: number): Row {
  const row = rows.find((each) => each.id === id);
  if (row === undefined) throw new ApiFault(404, NOT_FOUND, { code: 'not_found' });
  return row;
}

/** For `useDialogForm`; null for something new. `load` gives the row as the server has it now. */
export function editedRow<Row extends { readonly version: string }, Values>(
  row: Row | null,
  load: (row: Row) => Promise<Row>,
  valuesOf: (row: Row) => Values,
): EditedRow<Values> | null {
  if (row === null) return null;
  return {
    version: row.version,
    load: async () => {
      const now = await load(row);
      return { version: now.version, values: valuesOf(now) };
    },
    notLoaded: (error) => toastFault(error, failed.reload),
    conflictIn: (error) => (error instanceof ApiFault && error.code === 'changed_meanwhile' ? error.message : null),
  };
}
