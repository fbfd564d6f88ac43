// What surrounds every page, the login page too: the theme, and toasts.

import { MantineProvider } from '@mantine/core';
import { PRODUCT_SHADES } from '#contract/shades.ts';
import { useFirmFace } from '#web/lib/product.ts';
import { cssVariablesOf, themeOf } from '#web/ui/theme.ts';
import { Toaster } from '#web/ui/toast.tsx';
import '@mantine/core/styles.css';
import '#web/ui/typeface.css';
import '#web/ui/global.css';
import { type ReactNode, useMemo } from 'react';

export function Providers({ children }: { children: ReactNode }) {
  const { shades } = useFirmFace();
  const [theme, cssVariables] = useMemo(() => {
    const drawn = shades ?? PRODUCT_SHADES;
    return [themeOf(drawn), cssVariablesOf(drawn)] as const;
  }, [shades]);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {children}
      <Toaster />
    </MantineProvider>
  );
}
