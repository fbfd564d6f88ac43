// What a list to choose from takes by the keyboard.
import type { SelectProps } from '@mantine/core';

/** Gone to, its text is replaced by what is typed; Enter takes the first that matches. */
export const typedSelect = {
  searchable: true,
  openOnFocus: false,
  selectFirstOptionOnChange: true,
  onFocus: ({ currentTarget }) => currentTarget.select(),
} satisfies SelectProps;
