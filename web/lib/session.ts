// The session this browser holds: token and user in local storage (docs/behaviour.md, Session and account: the session in the browser), the same in every component and tab but those that look as another person.

import { useSyncExternalStore } from 'react';
import { NO_PREFERENCES } from '#contract/preference-words.ts';
import type { SessionUser } from '#contract/session.ts';
import { newListeners } from './listeners.ts';

const TOKEN_KEY = 'token';
const USER_KEY = 'user';
/** When the server last answered to the session, in milliseconds since 1970: every tab of this browser keeps it alive. */
const USED_KEY = 'sessionUsedAt';
/** In the storage of a tab that looks as another person. */
export const LOOK_KEY = 'look';
/** A page makes several calls at once; recording one of them is enough. */
const NOTE_USE_EVERY_MS = 5000;

export interface Session {
  readonly token: string;
  readonly user: SessionUser;
}

/** Why a session ended: the person signed out, or the server no longer knows the token. */
export type SessionEnd = 'signed-out' | 'expired';

interface State {
  readonly session: Session | null;
  /** Whose session ended while pages were open: they stay as they are until this person signs in again. */
  readonly expired: SessionUser | null;
  /** How the latest session of this tab ended; 'expired' where there was none yet. */
  readonly end: SessionEnd;
}

/** What a user stored by an earlier release may lack; the server's answer fills it in a moment later. */
const blankRights = {
  clientIds: [],
  allClients: false,
  reportTypeIds: [],
  commonRouting: false,
  mustChangePassword: false,
  capabilities: [],
  reach: 'lists',
  roleKey: null,
  preferences: NO_PREFERENCES,
  look: null,
};

/** Whether this tab looks as another person. It keeps that session to itself: the others go on with their own. */
export const isLookTab = sessionStorage.getItem(LOOK_KEY) !== null;

const kept: Storage = isLookTab ? sessionStorage : localStorage;

let state: State = { session: read(), expired: null, end: 'expired' };
/** Whether the server has answered to the present session: before that, no work hangs on it. */
let confirmed = false;
const listeners = newListeners();

export function forgetSession(): void {
  // The user first: another tab then sees a person who left, and never a token that ran out.
  kept.removeItem(USER_KEY);
  kept.removeItem(TOKEN_KEY);
  kept.removeItem(USED_KEY);
}

function read(): Session | null {
  const token = kept.getItem(TOKEN_KEY);
  const stored = kept.getItem(USER_KEY);
  if (!token || !stored) return null;
  try {
    const user: unknown = Object.assign({}, blankRights, JSON.parse(stored));
    if (!isUser(user)) throw new TypeError('The stored user is unreadable');
    return { token, user };
  } catch {
    forgetSession();
    return null;
  }
}

function isNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.every(Number.isInteger);
}

/** Enough to show pages until the server has answered; the contract's schema is heavier than this page. */
function isUser(value: unknown): value is SessionUser {
  const user = value as Partial<Record<keyof SessionUser, unknown>>;
  return (
    Number.isInteger(user.id) &&
    typeof user.username === 'string' &&
    typeof user.fullName === 'string' &&
    isNumbers(user.clientIds) &&
    isNumbers(user.reportTypeIds) &&
    Array.isArray(user.capabilities) &&
    Array.isArray((user.preferences as Partial<SessionUser['preferences']> | undefined)?.hiddenColumns)
  );
}

/** The token last: another tab sees the session only when both are there. */
export function storeSession({ token, user }: Session, storage = kept): void {
  storage.setItem(USER_KEY, JSON.stringify(user));
  storage.setItem(TOKEN_KEY, token);
}

let reading = new AbortController();

/** Aborts when the person signs out: whatever is only being read is of no use to anybody then. */
export const untilSignedOut = (): AbortSignal => reading.signal;

function change(next: Partial<State>): void {
  state = { ...state, ...next };
  if (next.end === 'signed-out') {
    reading.abort();
    reading = new AbortController();
  }
  listeners.tell();
}

/** The session of this moment, for code that is not a component. */
export function getSession(): Session | null {
  return state.session;
}

/** Whose session ended over open pages; null where nobody's did. */
export function expiredUser(): SessionUser | null {
  return state.expired;
}

/** Whether pages behind the sign-in may be shown: somebody is signed in, or is asked to sign in again over them. */
export function isInside(): boolean {
  return state.session !== null || state.expired !== null;
}

export function startSession(session: Session): void {
  confirmed = true;
  kept.setItem(USED_KEY, String(Date.now()));
  storeSession(session);
  change({ session: { token: session.token, user: session.user }, expired: null });
}

let renewal: Promise<void> = Promise.resolve();

/**
 * Notes that a call is on its way whose answer may bring another token. What it gives is called once that is taken, or there is none:
 * before anybody is asked for anything, since whoever then signs in would wait for this call, and it for them.
 */
export function awaitToken(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  renewal = promise;
  return resolve;
}

/** Resolves when no answer is awaited that brings another token: until then the one that is known may be void already. */
export const sessionRenewed = (): Promise<void> => renewal;

/** Stores what the server now says about the signed-in person. */
export function updateSessionUser(user: SessionUser): void {
  if (state.session === null) return;
  confirmed = true;
  kept.setItem(USER_KEY, JSON.stringify(user));
  change({ session: { token: state.session.token, user } });
}

let onRefusal: () => void = () => undefined;

/** Says what is done where the server forbids what a page offered: the rights known here are old. */
export function whenForbidden(act: () => void): void {
  onRefusal = act;
}

/** The server forbids what a page offered. */
export function noticeForbidden(): void {
  onRefusal();
}

/** The server lets the person do nothing before the password is changed: the pages give way to the form for it. */
export function requirePasswordChange(): void {
  if (state.session?.user.mustChangePassword === false) {
    updateSessionUser({ ...state.session.user, mustChangePassword: true });
  }
}

/** Signs out here and in every other tab. */
export function endSession(): void {
  forgetSession();
  change({ session: null, expired: null, end: 'signed-out' });
}

/** The server no longer knows the token: open pages wait for the same person to sign in again. */
export function expireSession(): void {
  const { session } = state;
  if (session === null) return;
  if (kept.getItem(TOKEN_KEY) !== session.token) {
    // Another tab has signed in or out meanwhile, and this one has not noticed yet.
    follow();
    return;
  }
  // The user stays stored: so other tabs know that this was no sign-out.
  kept.removeItem(TOKEN_KEY);
  // Nobody signs in to a look again.
  change({ session: null, expired: confirmed && !isLookTab ? session.user : null, end: 'expired' });
}

/** When the server last answered to the session, as far as any tab knows, in milliseconds since 1970; null before that. */
export function sessionUsedAt(): number | null {
  return Number(kept.getItem(USED_KEY)) || null;
}

const uses = newListeners();

/** The server has answered to the session: its idle time restarts. */
export function noticeUse(): void {
  if (Math.abs(Date.now() - (sessionUsedAt() ?? 0)) < NOTE_USE_EVERY_MS) return;
  kept.setItem(USED_KEY, String(Date.now()));
  uses.tell();
}

/** Calls `listener` after this tab has used the session; the answer stops it. */
export const onUse = uses.add;

/** Stops waiting for the person whose session ended, in this tab only. */
export function leaveExpiredSession(): void {
  if (state.expired !== null) change({ expired: null });
}

/**
 * Resolves once the session that has just ended is renewed, with true where the same person signed in again; with false where
 * somebody else did, or where nobody is asked to any more.
 */
export function signedInAgain(userId: number): Promise<boolean> {
  return new Promise((answer) => {
    const look = () => {
      if (state.session === null && state.expired !== null) return;
      stop();
      answer(state.session?.user.id === userId);
    };
    const stop = listeners.add(look);
    look();
  });
}

/** How the latest session of this tab ended. */
export function sessionEnd(): SessionEnd {
  return state.end;
}

/** Calls `listener` after every change; the answer stops it. */
export const onSessionChange = listeners.add;

/** `held` while a page before the sign-in shows what is shown only once: no sign-in of another tab takes its place meanwhile. */
export const entrance = { held: false };

/** Takes over what another tab wrote to the storage. */
export function follow(): void {
  if (entrance.held) return;
  const session = read();
  if (session !== null) {
    confirmed = true;
    change({ session, expired: null });
  } else if (kept.getItem(USER_KEY) === null) {
    change({ session: null, expired: null, end: 'signed-out' });
  } else if (state.session !== null) {
    change({ session: null, expired: state.session.user, end: 'expired' });
  }
}

/** Follows what other tabs do to the session. Called once, at start. */
export function followOtherTabs(): void {
  if (isLookTab) return;
  window.addEventListener('storage', (event) => {
    // A null key means that the whole storage was cleared.
    if (event.key === TOKEN_KEY || event.key === USER_KEY || event.key === null) follow();
  });
  window.addEventListener('pageshow', (event) => {
    // A page in the browser's back-forward cache got no events meanwhile.
    if (event.persisted) follow();
  });
}

function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, getSession);
}

export function useExpiredUser(): SessionUser | null {
  return useSyncExternalStore(onSessionChange, expiredUser);
}

let lastUser: SessionUser | null = null;

/**
 * The signed-in person, for pages behind the guard. When the session has ended, pages still exist or render once
 * more on the way to /login: they then get whom they last knew.
 */
export function useSessionUser(): SessionUser {
  const user = useSession()?.user ?? lastUser;
  if (user === null) throw new Error('This screen needs a signed-in user');
  lastUser = user;
  return user;
}
