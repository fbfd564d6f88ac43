// How a tab comes to look as another person, and how it ceases to.
import { forgetSession, LOOK_KEY, type Session, storeSession } from './session.ts';

/** Makes of a new tab one that looks as another person, before it loads anything: `storage` is its session storage. */
export function keepLook(storage: Storage, session: Session): void {
  storage.setItem(LOOK_KEY, 'true');
  storeSession(session, storage);
}

/** Once this tab is loaded again, it has the session of the others. */
export function leaveLook(): void {
  forgetSession();
  sessionStorage.removeItem(LOOK_KEY);
}
