// What this screen alone says; what several say is in `web/lib/messages.ts`.
import { formatCount } from '#web/lib/format.ts';

export const trashDone = {
  allRestored: (count: number) => `${formatCount(count)} restored successfully`,
  deletedForEver: (count: number) => (count === 1 ? 'Deleted for ever' : `${formatCount(count)} deleted for ever`),
} as const;

export const trashFailed = {
  restoreSome: (reason: string) => `Failed to restore: ${reason}`,
  deleteForEver: (reason: string) => `Failed to delete for ever: ${reason}`,
  /** Of what is on hold, and not by itself. */
  noOwnHold: {
    file: 'Its client is on hold, not the file itself. Lift the hold on the client.',
    client:
      'A file of it is on hold, not the client itself. Where that file has a row of its own here, marked On hold, lift the hold there. Otherwise restore the client to see which it is.',
  },
} as const;

export const trashQuestions = {
  deleteForEver: 'Nobody can restore it after this. Its bytes are removed within the hour.',
  deleteAllForEver: 'Nobody can restore them after this. Their bytes are removed within the hour.',
} as const;

export const trashEmpty = {
  trashSearched: 'Nothing in the trash matches your search and filters.',
  trash: {
    title: 'The trash is empty',
    /** Clients to whoever may delete one. */
    hint: (days: string, withClients: boolean) =>
      `Deleted files${withClients ? ' and clients' : ''} are here for ${days}`,
  },
} as const;
