// What this screen alone says; what several say is in `web/lib/messages.ts`.
import { counted } from '#contract/plain-words.ts';
import { formatCount } from '#web/lib/format.ts';
import { done } from '#web/lib/messages.ts';

/** `withoutType`: so many reports of restored clients came back without the type that they had. */
const lossWords = (withoutType: number) =>
  withoutType === 0
    ? ''
    : `. ${counted(withoutType, 'report')} came back without a type: ${withoutType === 1 ? 'its' : 'their'} type was deleted meanwhile.`;

export const trashDone = {
  clientRestored: (withoutType: number) => `${done.clientRestored}${lossWords(withoutType)}`,
  allRestored: (count: number, withoutType: number) =>
    `${formatCount(count)} restored successfully${lossWords(withoutType)}`,
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
