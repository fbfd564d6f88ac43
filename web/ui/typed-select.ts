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
  filter: ({ search, ...list }) => {
    const wanted = (search || typed).trim().toLowerCase();
    const found = defaultOptionsFilter({ ...list, search: wanted }) as ComboboxParsedItem[];
    // 'Form 941' is meant by itself, not by 'Amended Form 941'.
    const isMeant = (item: ComboboxParsedItem) => 'label' in item && item.label.toLowerCase() === wanted;
    return found.sort((one, other) => Number(isMeant(other)) - Number(isMeant(one)));
  },
} satisfies SelectProps;
