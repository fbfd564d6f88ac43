// What is said of holds.
import { counted } from '#contract/plain-words.ts';

export const ON_HOLD = 'On hold';

export const holdDone = {
  placed: (count: number) => (count === 1 ? 'The hold is set' : `${counted(count, 'file')} are on hold`),
  lifted: 'Hold lifted',
};

export const holdFailed = {
  load: 'Why this is on hold could not be loaded',
  place: (reason: string) => `Failed to put on hold: ${reason}`,
  lift: (reason: string) => `Failed to lift the hold: ${reason}`,
};

export const liftTitle = (name: string) => `Lift the hold on ${name}?`;

/** The question before a hold is lifted. */
export const LIFTING = {
  message:
    'Unless another hold keeps it, it may be deleted and replaced again. What was in the trash for too long is purged within the hour.',
  confirmLabel: 'Lift Hold',
  busyLabel: 'Lifting...',
};
