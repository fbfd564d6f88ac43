// Draws what is below it for the first time in slices, so that the browser answers in between.
import { type ReactNode, startTransition, useEffect, useState } from 'react';

/**
 * What the router shows is drawn in one go otherwise, in which a phone answers to nothing for half a second. Later updates are drawn as
 * always.
 */
export function InSlices({ children, meanwhile = null }: { children: ReactNode; meanwhile?: ReactNode }) {
  const [drawn, setDrawn] = useState(false);
  useEffect(() => startTransition(() => setDrawn(true)), []);
  return drawn ? children : meanwhile;
}
