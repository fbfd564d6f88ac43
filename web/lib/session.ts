// The session this browser holds: token and user in local storage (spec 4), the same in every component and tab.

import { useSyncExternalStore } from 'react';
import { SessionUser } from '#contract/session.ts';

const TOKEN_KEY = 'token';
const USER_KEY = 'user';

export interface Session {
  readonly token: string;
  readonly user: SessionUser;
}

/** Why a session ended: the person signed out, or the server no longer knows the token. */
export type SessionEnd = 'signed-out' | 'expired';

/** What a user stored by an earlier release may lack; the server's answer fills it in a moment later. */
const blankRights = {
  clientIds: [],
  reportTypeIds: [],
  commonRouting: false,
  capabilities: [],
  reach: 'lists',
  roleKey: null,
};

let current: Session | null = read();
let lastEnd: SessionEnd = 'expired';
const listeners = new Set<() => void>();

function read(): Session | null {
  const token = localStorage.getItem(TOKEN_KEY);
  const stored = localStorage.getItem(USER_KEY);
  if (!token || !stored) return null;
  try {
    const raw: unknown = JSON.parse(stored);
    return { token, user: SessionUser.parse(Object.assign({}, blankRights, raw)) };
  } catch {
    localStorage.removeItem(TOKEN_KEY);
    localStorage.removeItem(USER_KEY);
    return null;
  }
}

function change(next: Session | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** The session of this moment, for code that is not a component. */
export function getSession(): Session | null {
  return current;
}

export function startSession(session: Session): void {
  localStorage.setItem(TOKEN_KEY, session.token);
  localStorage.setItem(USER_KEY, JSON.stringify(session.user));
  change({ token: session.token, user: session.user });
}

/** Takes over what the server now says about the signed-in person. */
export function updateSessionUser(user: SessionUser): void {
  if (current === null) return;
  localStorage.setItem(USER_KEY, JSON.stringify(user));
  change({ token: current.token, user });
}

export function endSession(reason: SessionEnd): void {
  lastEnd = reason;
  localStorage.removeItem(TOKEN_KEY);
  localStorage.removeItem(USER_KEY);
  if (current !== null) change(null);
}

/** How the latest session of this tab ended. */
export function sessionEnd(): SessionEnd {
  return lastEnd;
}

/** Calls `listener` after every change; the answer stops it. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Follows what other tabs do to the session. Called once, at start. */
export function followOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    // A null key means that the whole storage was cleared.
    if (event.key === TOKEN_KEY || event.key === USER_KEY || event.key === null) change(read());
  });
}

export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, getSession);
}

let lastUser: SessionUser | null = null;

/**
 * The signed-in person, for what stands behind the guard. Between the end of a session and the way to /login a screen
 * renders once more: it then gets whom it last knew.
 */
export function useSessionUser(): SessionUser {
  const user = useSession()?.user ?? lastUser;
  if (user === null) throw new Error('This screen needs a signed-in user');
  lastUser = user;
  return user;
}
