// From one file to the next in the list that it was opened from, by buttons and by keys.
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { FileDetails } from '#contract/files.ts';
import { useSingleKeyShortcuts } from '#web/data/account.ts';
import { placeWithoutPage } from '#web/parts/files/page-of-report.ts';
import { scrollsSideways, useFreeKeys } from '#web/parts/viewer/keys.ts';
import type { Address } from '#web/ui/page-link.ts';

/** Previous is the newer file and next the older one, as the list has them one above the other. */
export type Step = 'previous' | 'next';

/** The button that led here: it has the focus on the next page too, where it can be pressed. */
let pressed: Step | null = null;

const keysOf: Readonly<Record<string, Step>> = { ArrowLeft: 'previous', k: 'previous', ArrowRight: 'next', j: 'next' };
const arrows: Record<Step, string> = { previous: 'ArrowLeft', next: 'ArrowRight' };
const withLetters: Record<Step, string> = { previous: 'ArrowLeft k', next: 'ArrowRight j' };

export interface WalkOptions {
  facts: FileDetails | undefined;
  /** The search part of the address, which names the list. */
  place: Address;
  /** Called for a key that leads nowhere. */
  onEnd: (step: Step) => void;
}

export function useWalk({ facts, place, onEnd }: WalkOptions) {
  const navigate = useNavigate();
  const [hasLetters] = useSingleKeyShortcuts();
  const buttons = {
    previous: useRef<HTMLButtonElement>(null),
    next: useRef<HTMLButtonElement>(null),
  };
  const neighbours = { previous: facts?.newer ?? null, next: facts?.older ?? null };

  const open = (id: number) => {
    void navigate({
      to: '/cpa-dashboard/report/$id',
      params: { id: String(id) },
      // Its page and words were found in this file.
      search: placeWithoutPage(place),
      // Back leads to the list, however many files were looked through.
      replace: true,
    });
  };

  useFreeKeys(({ key, target, shiftKey }) => {
    const step = shiftKey ? undefined : keysOf[key];
    if (step === undefined || (key.startsWith('Arrow') && scrollsSideways(target))) return false;
    const neighbour = neighbours[step];
    if (neighbour) open(neighbour.id);
    else if (facts) onEnd(step);
    return true;
  });

  const known = facts !== undefined;
  const { previous, next } = buttons;
  useEffect(() => {
    if (!known || pressed === null) return;
    const button = pressed === 'previous' ? previous : next;
    pressed = null;
    if (!button.current?.disabled) button.current?.focus({ preventScroll: true });
  }, [known, previous, next]);

  return {
    buttons,
    neighbours,
    /** As `aria-keyshortcuts` has them. */
    keys: hasLetters ? withLetters : arrows,
    open,
    press: (step: Step) => {
      const neighbour = neighbours[step];
      if (neighbour === null) return;
      pressed = step;
      open(neighbour.id);
    },
  };
}
