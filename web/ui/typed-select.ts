// What a list to choose from takes by the keyboard.
import { type ComboboxParsedItem, defaultOptionsFilter, type SelectProps } from '@mantine/core';

/** What stands in the one that is typed into, as long as its list is open. */
let typed = '';

/** Gone to, its text is replaced by what is typed; Enter takes the first that matches. */
export const typedSelect = {
  searchable: true,
  openOnFocus: false,
  selectFirstOptionOnChange: true,
  onFocus: ({ currentTarget }) => {
    typed = '';
    currentTarget.select();
  },
  onInput: ({ currentTarget }) => {
    typed = currentTarget.value;
  },
  onDropdownClose: () => {
    typed = '';
  },
  // Once the name of what is chosen is typed out, Mantine offers all again, and Enter would take the first of them.
  filter: ({ search, ...list }) => defaultOptionsFilter({ ...list, search: search || typed }) as ComboboxParsedItem[],
} satisfies SelectProps;
