// What is wrong with how the portal is backed up: the same on the overview, on System, for the operator and for a monitor.
import type { BackupFacts } from './activity.ts';
import { counted, endedSentence } from './plain-words.ts';

export const BACKUP_COMMAND = 'npm run admin -- backup <place>';

/** Worst first: what is wrong, and what to do about it. */
export function backupWarnings({
  last,
  fault,
  faultAfter,
  isDaily,
  isOld,
}: BackupFacts): { readonly says: string; readonly toDo: string }[] {
  const found = [
    fault !== null && {
      says: `The last backup failed: ${endedSentence(fault)}`,
      toDo: `Mend it, and run ${BACKUP_COMMAND} to see that it works.`,
    },
    isOld &&
      last === null && {
        says: 'There is no backup of this firm yet, although one is set up for every day.',
        toDo: 'The first one begins within a minute of a start with BACKUP_URL. If none comes, see that the server runs with JOBS=on or `npm run worker` runs, and what Background Jobs says of "Back up".',
      },
    isOld &&
      last !== null &&
      isDaily && {
        says: 'The last backup is more than two days old, although one is set up for every day.',
        toDo: 'See that the server ran at that time, and what its log says.',
      },
    isOld &&
      !isDaily && {
        says: 'The last backup is more than a week old, and none is set up for every day.',
        toDo: `Run ${BACKUP_COMMAND}, or set BACKUP_URL for one a day.`,
      },
    last !== null &&
      last.damaged > 0 && {
        says: `The last backup is not whole: ${counted(last.damaged, 'file')} ${last.damaged === 1 ? 'was' : 'were'} missing or damaged in the portal already.`,
        toDo: `Run ${BACKUP_COMMAND}, which names them. Bring them back from an earlier backup, or have them sent again.`,
      },
    faultAfter !== null && {
      says: `The last backup was made, but something after it failed: ${endedSentence(faultAfter)}`,
      toDo: 'The next backup tries it again.',
    },
  ];
  return found.filter((warning) => warning !== false);
}
