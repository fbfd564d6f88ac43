// The client that a person with several works on: kept with the person, and the same in every screen that follows it (docs/behaviour.md, Screens: the chosen client).
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isClientUser } from '#contract/policy/actor.ts';
import { reachesClient } from '#contract/policy/reach.ts';
import type { SessionUser } from '#contract/session.ts';
import { keepPreferences } from '#web/data/preferences.ts';
import { useSessionUser } from '#web/lib/session.ts';
import type { Address } from '#web/ui/page-link.ts';
import { useHistoryStep } from '#web/ui/use-history-step.ts';

/** The screens that follow it: each names its client in its address, under `client`. */
const FOLLOWING: readonly string[] = [
  '/cpa-dashboard',
  '/client-reports',
  '/firm-details',
  '/firm-documents',
  '/file-upload',
  '/activity',
  '/completeness',
  '/completeness/unopened',
  '/requests',
];

/** As `client` of an address: all of them, whichever one is chosen. */
export const ALL_IN_ADDRESS = 'all';

function followsChosenClient(path: string): boolean {
  return FOLLOWING.includes(path.length > 1 ? path.replace(/\/+$/, '') : path);
}

/** What a Client user with several companies chooses for all of them. */
export const ALL_COMPANIES = 'All companies';

/** Whether there is more than one client to choose from. */
export function reachesSeveral(user: SessionUser): boolean {
  return user.reach === 'all' || user.clientIds.length > 1;
}

/** Whether a person's choice holds for all screens: everybody with several clients of their own. Who sees everything chooses on each screen. */
export function keepsChosenClient(user: SessionUser): boolean {
  return reachesSeveral(user) && (user.reach === 'lists' || user.commonRouting);
}

/** For an address that leads to what is counted over all clients, whichever one is chosen. */
export function ofAllClients(user: SessionUser): Record<string, string> {
  return keepsChosenClient(user) ? { client: ALL_IN_ADDRESS } : {};
}

/** Whether a person chooses a client in the header, by the palette and on the page of the client: staff whose choice is kept. */
export function choosesClient(user: SessionUser): boolean {
  return keepsChosenClient(user) && !isClientUser(user);
}

/** The client of this id, as text, where the person reaches it; else null. */
export function reachedClient(user: SessionUser, text: string | undefined): number | null {
  const id = Number(text);
  return Number.isSafeInteger(id) && id >= 1 && reachesClient(user, id) ? id : null;
}

/** The id kept for this person, null for none or one out of reach, and the function that changes it. */
export function useRememberedClient(): [number | null, (clientId: number | null) => void] {
  const user = useSessionUser();
  const { chosenClientId } = user.preferences;
  return [chosenClientId !== null && reachesClient(user, chosenClientId) ? chosenClientId : null, remember];
}

const remember = (chosenClientId: number | null) => keepPreferences({ chosenClientId });

/** Back and Forward take the address at its word: a choice that is undone so is remembered no longer. */
export function useRememberedFromHistory(enabled: boolean): void {
  const user = useSessionUser();
  const screen = useRef(window.location.pathname);
  useHistoryStep(({ pathname, search }) => {
    if (!enabled || pathname !== screen.current) return;
    const named = new URLSearchParams(search).get('client') ?? '';
    if (named !== ALL_IN_ADDRESS) remember(reachedClient(user, named));
  });
}

/** This page about another client, or about all of them; another client has other pages of rows. */
const toClient = (clientId: number | null) => ({
  to: '.',
  search: ({ client: _client, page: _page, ...others }: Address) => ({
    ...others,
    ...(clientId === null ? {} : { client: String(clientId) }),
  }),
  resetScroll: false,
});

export interface ChosenClient {
  readonly clientId: number | null;
  /** Chooses one, or none, here and for every screen that follows. */
  readonly choose: (clientId: number | null) => void;
  /** Chooses none, where the address is changed besides. */
  readonly forget: () => void;
  /** What sets filters, so that taking off the client chooses none. */
  readonly filtering: <Next extends { readonly client?: string }>(
    setFilters: (next: Next) => void,
  ) => (next: Next) => void;
}

/**
 * The client that a following screen shows: the one its address names, else the remembered one, which is then put into the
 * address. A shared link changes nothing that is remembered; `choose` does. `named` is the client of the address.
 */
export function useChosenClient(named: string): ChosenClient {
  const user = useSessionUser();
  const isKept = keepsChosenClient(user);
  const navigate = useNavigate();
  const [remembered] = useRememberedClient();
  const asked = reachedClient(user, named);
  const missing = isKept && asked === null && named !== ALL_IN_ADDRESS ? remembered : null;
  useRememberedFromHistory(isKept);

  useEffect(() => {
    if (missing !== null) void navigate({ ...toClient(missing), replace: true });
  }, [missing, navigate]);

  const forget = () => {
    if (isKept && remembered !== null) remember(null);
  };
  return {
    clientId: asked ?? missing,
    choose: (clientId) => {
      if (isKept) remember(clientId);
      void navigate(toClient(clientId));
    },
    forget,
    filtering: (setFilters) => (next) => {
      if (next.client === '') forget();
      setFilters(next);
    },
  };
}

/** The client in force on any page, null for none, and the function that chooses another for every page: for header and palette. */
export function useClientOfPage(): [number | null, (clientId: number | null) => void] {
  const user = useSessionUser();
  const navigate = useNavigate();
  const [remembered, remember] = useRememberedClient();
  const follows = useRouterState({ select: (state) => followsChosenClient(state.location.pathname) });
  const named = useRouterState({ select: (state) => state.location.search.client });
  const choose = (clientId: number | null) => {
    remember(clientId);
    if (follows) void navigate(toClient(clientId));
  };
  if (follows && named === ALL_IN_ADDRESS) return [null, choose];
  return [(follows ? reachedClient(user, named) : null) ?? remembered, choose];
}
