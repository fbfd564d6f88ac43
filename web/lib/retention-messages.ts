// What is said of retention and disposals.
import { counted, inFigures } from '#contract/plain-words.ts';
import { DISPOSAL_FILES_MAX, LATE_PAYMENT, RULE_SOURCE, USUAL_RETENTION_YEARS } from '#contract/retention-words.ts';

export const retentionDone = {
  ruleSaved: 'Saved how long files are kept',
  ordered: (files: string) => `${files} will be disposed of in the background`,
  goesOn: 'The disposal goes on in the background',
  left: (files: string, waiting: number) =>
    `The disposal has ended: ${files} left where ${waiting === 1 ? 'it is' : 'they are'}`,
};

export const retentionFailed = {
  saveRule: (reason: string) => `Failed to save how long files are kept: ${reason}`,
  dispose: (reason: string) => `Failed to dispose of files: ${reason}`,
  certificate: (reason: string) => `Failed to save the certificate: ${reason}`,
  goOn: (reason: string) => `Failed to go on with the disposal: ${reason}`,
  leave: (reason: string) => `Failed to end the disposal: ${reason}`,
};

export const retentionWords = {
  /** Below the name of a report type that says how long. */
  kept: (years: number) => `Kept for ${counted(years, 'year')}`,
  usual: `Employment tax records are kept at least ${USUAL_RETENTION_YEARS} years (${RULE_SOURCE}).`,
  late: `${LATE_PAYMENT} Keep such files longer, or put them on hold.`,
  floor: 'Nothing is due before four years after April 15 of the year that follows.',
  few: `Fewer than ${USUAL_RETENTION_YEARS} years make nothing due sooner: nothing is due before four years after April 15 of the year that follows (${RULE_SOURCE}).`,
  question: (files: number) =>
    `${files === 1 ? 'It is' : 'They are'} gone for good, with any earlier versions, which the certificate counts too: nobody can restore ${files === 1 ? 'it' : 'them'} after this. What is on hold by then stays, and the certificate says so.`,
  tooMany: `At most ${inFigures(DISPOSAL_FILES_MAX)} files are disposed of at once: narrow the list.`,
  /** Of a due file that waits in a disposal. */
  ordered: 'In a disposal',
  empty: 'Nothing is due',
  /** By whether it is said of any file how long it is kept. */
  emptyHint: (isSaid: boolean) =>
    isSaid
      ? 'What has been kept long enough is listed here, and goes on confirmation alone.'
      : 'Say on Report Types how many years files are kept. What is due then is listed here, and goes on confirmation alone.',
  none: 'Nothing was disposed of yet',
};
