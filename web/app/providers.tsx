// What surrounds every page, the login page too: the theme, and toasts.

import { MantineProvider } from '@mantine/core';
import { cssVariables, theme } from '#web/ui/theme.ts';
import { Toaster } from '#web/ui/toast.tsx';
import '@mantine/core/styles.css';
import '#web/ui/typeface.css';
import '#web/ui/global.css';
import type { ReactNode } from 'react';

export function Providers({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {children}
      <Toaster />
    </MantineProvider>
  );
}
