// What the page in view says about itself, where its address does not: its name, for the tab, and the section it belongs to.
import { useLayoutEffect, useSyncExternalStore } from 'react';
import { newListeners } from './listeners.ts';

export interface PageFacts {
  /** Of the one thing that the page shows; null while it is not known. */
  readonly name: string | null;
  /** The address of the section's first page: '/firm-documents'. */
  readonly section: string | null;
  /** The client that it is about; absent where the page is about none in particular. */
  readonly clientId?: number | null | undefined;
  /** What single keys do on it, for the list of shortcuts: the same object for as long as it says the same. */
  readonly keys?: readonly PageKey[] | undefined;
}

export interface PageKey {
  readonly deed: string;
  /** As they are written on them, one for each way: 'J', '↓'. */
  readonly keys: readonly string[];
}

const NOTHING: PageFacts = { name: null, section: null };

let current = NOTHING;
const listeners = newListeners();

function change(next: PageFacts): void {
  current = next;
  listeners.tell();
}

/** What the page in view has said; nulls for pages that say nothing. */
export function usePageFacts(): PageFacts {
  return useSyncExternalStore(listeners.add, () => current);
}

/** For a page: says these facts as long as it is mounted. */
export function useSayPageFacts({ name, section, clientId, keys }: PageFacts): void {
  useLayoutEffect(() => {
    const said: PageFacts = { name, section, clientId, keys };
    change(said);
    return () => {
      // The next page may have spoken already.
      if (current === said) change(NOTHING);
    };
  }, [name, section, clientId, keys]);
}
