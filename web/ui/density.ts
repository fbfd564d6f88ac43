// How dense the rows of tables are: chosen by a person, remembered in this browser, passed to the styles through <html>.
import { useLocalStorage } from '@mantine/hooks';
import { useLayoutEffect } from 'react';

export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

const STORED_KEY = 'tableDensity';
const DEFAULT: Density = 'comfortable';

/** The density in force and what changes it, in every component and tab at once. */
export function useDensity(): [Density, (density: Density) => void] {
  const [density, setDensity] = useLocalStorage<Density>({
    key: STORED_KEY,
    defaultValue: DEFAULT,
    getInitialValueInEffect: false,
    serialize: String,
    deserialize: (stored) => DENSITIES.find((known) => known === stored) ?? DEFAULT,
  });
  return [density, setDensity];
}

/** Writes the density to `<html data-density>`, where the styles of tables read it. Rendered once, above every table. */
export function useShownDensity(): void {
  const [density] = useDensity();
  // Before the first paint, so that rows do not jump.
  useLayoutEffect(() => {
    document.documentElement.dataset.density = density;
  }, [density]);
}
