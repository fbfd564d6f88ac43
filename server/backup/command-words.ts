// What the commands of backups say of each fault: one line that says what to do.
import { Refusal } from '#contract/errors.ts';
import { ConfigFault } from '../config.ts';
import { KEPT_FREE_BYTES } from '../platform/blobs/free-space.ts';
import { SchemaRefusal } from '../platform/db/schema-refusal.ts';
import { isDatabaseFull } from '../platform/db/violations.ts';
import { KeyFault } from '../platform/key-file.ts';
import { MoveRefusal } from '../platform/move/move-refusal.ts';
import { BackupRefusal } from './backup-refusal.ts';

const POSTGRES_FULL = '53100';

export type Say = (line: string) => void;

/** One line that says what to do; what is known already stays as it is. `written` is where it writes, where that is not the place. */
export function clearFault(error: unknown, place: string, written: string | null = null): Error {
  if (error instanceof BackupRefusal || error instanceof ConfigFault || error instanceof KeyFault) return error;
  if (error instanceof MoveRefusal) return new BackupRefusal('wrongPlace', error.message, { cause: error });
  if (error instanceof SchemaRefusal) return new BackupRefusal('wrongPlace', error.message, { cause: error });
  if ((error as { code?: string }).code === POSTGRES_FULL) {
    return new BackupRefusal('full', 'PostgreSQL has no room left on its disk. Make room there and run this again.', {
      cause: error,
    });
  }
  const isKeptFree = error instanceof Refusal && error.code === 'storage_full';
  if (isDatabaseFull(error) || isKeptFree) {
    const floor = isKeptFree ? ` (${KEPT_FREE_BYTES / 1024 / 1024} MB of a disk stay free)` : '';
    return new BackupRefusal(
      'full',
      `${written ?? place} is full${floor}. Make room and run this again${written === null ? ': what is there already is not copied again' : ''}.`,
      { cause: error },
    );
  }
  if (error instanceof Refusal && error.code === 'unavailable') {
    return new BackupRefusal('notWhole', `${place} does not answer. Check its address and credentials.`, {
      cause: error,
    });
  }
  return error as Error;
}
