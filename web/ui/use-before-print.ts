// What stands on paper alone is read when the page is printed.
import { useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';

/** The browser takes the page right after the event: what `take` sets is drawn at once. */
export function useBeforePrint(take: () => void): void {
  const taken = useEffectEvent(take);
  useEffect(() => {
    const print = () => flushSync(() => taken());
    window.addEventListener('beforeprint', print);
    return () => window.removeEventListener('beforeprint', print);
  }, []);
}
