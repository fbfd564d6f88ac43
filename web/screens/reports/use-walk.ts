// From one file to the next in the list or request that it was opened from, by buttons and by keys.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { FileDetails } from '#contract/files.ts';
import { useSingleKeyShortcuts } from '#web/data/account.ts';
import { requestQuery } from '#web/data/requests.ts';
import { readId } from '#web/parts/files/file-filters.ts';
import { placeWithoutPage } from '#web/parts/files/page-of-report.ts';
import { scrollsSideways, useFreeKeys } from '#web/parts/viewer/keys.ts';
import type { Address } from '#web/ui/page-link.ts';
import { type Around, aroundInRequest } from './files-of-request.ts';

/** Previous stands above the file and next below it: in a list the newer and the older one, in a request as its page has them. */
export type Step = 'previous' | 'next';

/** The button that led here: it has the focus on the next page too, where it can be pressed. */
let pressed: Step | null = null;

const keysOf: Readonly<Record<string, Step>> = { ArrowLeft: 'previous', k: 'previous', ArrowRight: 'next', j: 'next' };
const arrows: Record<Step, string> = { previous: 'ArrowLeft', next: 'ArrowRight' };
const withLetters: Record<Step, string> = { previous: 'ArrowLeft k', next: 'ArrowRight j' };

interface Opened {
  /** As the address has it: of an earlier version the facts are those of the newest file. */
  reportId: number;
  facts: FileDetails | undefined;
  /** The search part of the address, which names the list or the request. */
  place: Address;
}

/** Undefined while it is not known. */
function useAround({ reportId, facts, place }: Opened): Around | undefined {
  const requestId = readId(place['request'] ?? '');
  const request = useQuery({ ...requestQuery(requestId ?? 0), enabled: requestId !== null });
  if (requestId === null || facts === undefined) return facts;
  return request.data && aroundInRequest(request.data.items, reportId);
}

export interface WalkOptions extends Opened {
  /** Called for a key that leads nowhere. */
  onEnd: (step: Step) => void;
}

export function useWalk({ reportId, facts, place, onEnd }: WalkOptions) {
  const around = useAround({ reportId, facts, place });
  const navigate = useNavigate();
  const [hasLetters] = useSingleKeyShortcuts();
  const buttons = {
    previous: useRef<HTMLButtonElement>(null),
    next: useRef<HTMLButtonElement>(null),
  };
  const neighbours = { previous: around?.newer ?? null, next: around?.older ?? null };

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
    else if (around) onEnd(step);
    return true;
  });

  const known = around !== undefined;
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
    /** Where the file stands there. */
    nth: around?.place,
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
