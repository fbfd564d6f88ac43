// Marks the fields of a form as required: a star to be seen, and the attribute that screen readers say.
import { createTheme, MantineThemeProvider } from '@mantine/core';
import type { ReactNode } from 'react';

// Not HTML's `required`: screen readers would call each empty field invalid before anybody has typed. The star is drawn
// from the attribute (`global.css`), so that the two are never apart and the label's text stays as it is.
const required = { defaultProps: { 'aria-required': true } };

const theme = createTheme({
  components: {
    TextInput: required,
    PasswordInput: required,
    NumberInput: required,
    Select: required,
    DateInput: required,
  },
});

/** Around the fields of a form: all of them are required but those with `aria-required={false}`. */
export function RequiredFields({ children }: { children: ReactNode }) {
  return (
    <MantineThemeProvider inherit theme={theme}>
      {children}
    </MantineThemeProvider>
  );
}
