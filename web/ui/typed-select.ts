// What a list to choose from takes by the keyboard.
import { type ComboboxParsedItem, defaultOptionsFilter, type SelectProps } from '@mantine/core';

/** What was typed into the one that has the focus, as long as its list is open; null where nothing was. */
let typed: string | null = null;

const forget = () => {
  typed = null;
};

/** The match that is marked in the open list of `input`. */
function marked(input: HTMLInputElement): HTMLElement | null | undefined {
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '');
  return list?.querySelector<HTMLElement>('[data-combobox-selected]') ?? list?.querySelector('[data-combobox-option]');
}

/** Gone to, its text is replaced by what is typed; Enter takes the first that matches. */
export const typedSelect = {
  searchable: true,
  openOnFocus: false,
  selectFirstOptionOnChange: true,
  onFocus: ({ currentTarget }) => {
    forget();
    currentTarget.select();
    // What was chosen just before is written into it after this.
    requestAnimationFrame(() => {
      if (typed === null) currentTarget.select();
    });
  },
  onInput: ({ currentTarget }) => {
    typed = currentTarget.value;
  },
  onDropdownClose: forget,
  // After the first letter Mantine forgets which match it has marked, and the form around would be sent with what was chosen before.
  onKeyDownCapture: (event) => {
    if (event.key !== 'Enter' || typed === null || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (typed.trim() !== '') marked(event.currentTarget)?.click();
  },
  // Once the name of what is chosen is typed out, Mantine offers all again, and Enter would take the first of them.
  filter: ({ search, ...list }) => {
    const wanted = (search || typed || '').trim().toLowerCase();
    const found = defaultOptionsFilter({ ...list, search: wanted }) as ComboboxParsedItem[];
    // 'Form 941' is meant by itself, not by 'Amended Form 941'.
    const isMeant = (item: ComboboxParsedItem) => 'label' in item && item.label.toLowerCase() === wanted;
    return found.sort((one, other) => Number(isMeant(other)) - Number(isMeant(one)));
  },
} satisfies SelectProps;
