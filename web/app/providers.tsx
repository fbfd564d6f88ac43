// What surrounds every page, the login page too: the theme, and toasts.

import { MantineProvider } from '@mantine/core';
import { PRODUCT_SHADES, shadesOf } from '#contract/accent.ts';
import { useFirmFace } from '#web/lib/product.ts';
import { cssVariablesOf, themeOf } from '#web/ui/theme.ts';
import { Toaster } from '#web/ui/toast.tsx';
import '@mantine/core/styles.css';
import '#web/ui/typeface.css';
import '#web/ui/global.css';
import { type ReactNode, useMemo } from 'react';

export function Providers({ children }: { children: ReactNode }) {
  const { accent } = useFirmFace();
  const [theme, cssVariables] = useMemo(() => {
    const shades = accent === '' ? PRODUCT_SHADES : shadesOf(accent);
    return [themeOf(shades), cssVariablesOf(shades)] as const;
  }, [accent]);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {children}
      <Toaster />
    </MantineProvider>
  );
}
