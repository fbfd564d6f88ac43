// What was refused as not there is written down against whoever asked: the log of security events shows who tries ids.
import { Refusal } from '#contract/errors.ts';
import type { SecurityLog } from '../db/security-events.ts';
import { originOf } from './origin.ts';
import type { ViewerCall } from './route.ts';

/**
 * Does `act`; where it refuses `not_found`, writes down that `what` was denied before the refusal goes on. What is missing is
 * written down like what is out of reach: nothing, and no time, tells the two apart.
 */
export async function noteDenied<Result>(
  { viewer, request }: Pick<ViewerCall<'files.open'>, 'viewer' | 'request'>,
  what: string,
  securityLog: SecurityLog,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') {
      const actor = { id: viewer.id, name: viewer.fullName };
      await securityLog.record({ kind: 'denied', user: viewer, actor, origin: originOf(request), detail: what });
    }
    throw error;
  }
}
