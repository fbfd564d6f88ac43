// What is said of holds.
export const ON_HOLD = 'On hold';

export const holdDone = {
  placed: (count: number) => (count === 1 ? 'Put on hold' : `${count} files put on hold`),
  lifted: 'Hold lifted',
};

export const holdFailed = {
  load: 'Why this is on hold could not be loaded',
  place: (reason: string) => `Failed to put on hold: ${reason}`,
  lift: (reason: string) => `Failed to lift the hold: ${reason}`,
};
