// Among the facts of a question: what it asks for cannot be done.
import { type ReactNode, use, useLayoutEffect } from 'react';
import { ImpossibleContext } from './confirm-dialog.tsx';

/** Says why it cannot be done, in the place of the question and of the button that does it. */
export function Impossible({ children }: { children: ReactNode }) {
  const tell = use(ImpossibleContext);
  useLayoutEffect(() => {
    tell(true);
    return () => tell(false);
  }, [tell]);
  return children;
}
