// How dense the rows of tables are: chosen by a person, passed to the styles through <html>.
import { useContext, useLayoutEffect } from 'react';
import { ChosenLook } from './chosen-look.ts';

/** Writes the density to `<html data-density>`, where the styles of tables read it. Rendered once, above every table. */
export function useShownDensity(): void {
  const { density } = useContext(ChosenLook);
  // Before the first paint, so that rows do not jump.
  useLayoutEffect(() => {
    document.documentElement.dataset.density = density;
  }, [density]);
}
