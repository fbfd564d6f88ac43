// What surrounds every page, the login page too: the look, and toasts.
import { Toaster } from '#web/ui/toast.tsx';
import { cssVariables, theme } from '#web/ui/theme.ts';
import { MantineProvider } from '@mantine/core';
import '@mantine/core/styles.css';
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
