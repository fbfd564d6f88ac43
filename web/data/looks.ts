// Looks: begun in a tab of their own, and ended from there.
import type { UserRow } from '#contract/users.ts';
import { call } from '#web/lib/api.ts';
import { PopUpBlocked } from '#web/lib/file-access.ts';
import { keepLook } from '#web/lib/look.ts';
import { endSession, getSession } from '#web/lib/session.ts';
import { refresh } from './query-client.ts';

/**
 * Begins a look at a user and opens it in a new tab. Called from a click: where the second factor is asked for, its own click
 * counts. Throws ApiFault and PopUpBlocked.
 */
export async function beginLook({ id }: Pick<UserRow, 'id'>): Promise<void> {
  const look = await call('users.look', { params: { id } });
  // Empty at first, and of this origin: the token goes into the storage of that tab alone.
  const tab = window.open('', '_blank');
  if (tab === null) {
    call('session.logout', {}, { bearer: look.token }).catch(() => undefined);
    throw new PopUpBlocked();
  }
  keepLook(tab.sessionStorage, look);
  tab.opener = null;
  tab.location.replace(new URL('/', window.location.origin).href);
  void refresh('activity', 'overview');
}

/** Ends the look of this tab, and closes it where the browser allows that. Throws ApiFault. */
export async function endLook(): Promise<void> {
  try {
    await call('session.logout');
  } catch (error) {
    // It was over already.
    if (getSession() === null) return;
    throw error;
  }
  endSession();
  window.close();
}
