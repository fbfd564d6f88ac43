// The sentences of batches.
import { counted, endedSentence } from '#contract/plain-words.ts';
import { formatCount } from '#web/lib/format.ts';

const isOrAre = (count: number) => (count === 1 ? 'is' : 'are');
const wasOrWere = (count: number) => (count === 1 ? 'was' : 'were');

export const batchDone = {
  batchDiscarded: 'Batch discarded successfully',
  documentsReleased: (count: number) => `${counted(count, 'document')} released`,
  documentsAccepted: (count: number) => `${counted(count, 'document')} accepted`,
  releaseStopped: (released: number, left: number) =>
    `Release stopped: ${formatCount(released)} released, ${formatCount(left)} not`,
} as const;

/** What was remembered, and where it is changed; `own` where it is for one's own batches alone. */
export const rememberedWords = {
  type: (words: string) => `Remembered: ${endedSentence(words)} Change it under Report Types, Edit phrases.`,
  client: (words: string) => `Remembered: ${endedSentence(words)} Change it in the client’s Other Names.`,
  own: (words: string) =>
    `Remembered for your batches: ${endedSentence(words)} It is suggested for everybody’s, and you can take it back under Batches.`,
} as const;

/** What is said of files that did not come into a batch. */
export const leftOutWords = {
  list: 'Left out of this batch',
  lead: (count: number) => `${counted(count, 'file')} ${wasOrWere(count)} left out:`,
} as const;

/** What is said of a document that four eyes keep somebody from releasing. */
export const FOUR_EYES = 'You accepted it, so somebody else releases it.';

/** What is said in place of what a document is filed under, where that is closed to somebody. */
export const CLOSED_WORDS = 'It is of a client or report type that you do not reach. An Admin can decide about it.';

/** What is said of the documents that somebody has ticked, and of what is done with all of them. */
export const tickedWords = {
  ticked: (count: number) => `${formatCount(count)} ticked`,
  dropped: (count: number) => `${counted(count, 'document')} dropped`,
  reopened: (count: number) => `${counted(count, 'document')} ${isOrAre(count)} to be checked again`,
  changed: (count: number) => `${counted(count, 'document')} changed`,
  set: (count: number) => (count === 1 ? 'Set for the ticked document' : `Set for ${counted(count, 'document')}`),
  leave: 'Leave as it is',
  noneToChange: 'None of these documents can be changed any more. They are shown as they are now.',
  setHint: 'What is left as it is stays as it is of each. What was ready is to be accepted anew.',
  notAccepted: (leftOut: string) => `Accept takes the others. ${leftOut}`,
  nothingAccepted: 'Accept documents first: nothing of these is accepted.',
  nothingToAccept: (leftOut: string) => `None of them can be accepted together. ${leftOut}`,
  notReleased: ({ notAccepted, byThemselves }: { notAccepted: number; byThemselves: number }) =>
    [
      ...(notAccepted === 0
        ? []
        : [
            notAccepted === 1
              ? '1 ticked is not accepted and stays as it is.'
              : `${formatCount(notAccepted)} ticked are not accepted and stay as they are.`,
          ]),
      ...(byThemselves === 0
        ? []
        : [
            `You accepted ${formatCount(byThemselves)}, so somebody else releases ${byThemselves === 1 ? 'it' : 'them'}.`,
          ]),
    ].join(' '),
  /** Somebody else was faster with one of them. */
  overtaken: (done: number, left: number) =>
    `Somebody else has changed one of these documents meanwhile. ${done === 0 ? 'Nothing was changed' : `${formatCount(done)} ${wasOrWere(done)} changed, ${formatCount(left)} ${wasOrWere(left)} not`}: they are shown as they are now.`,
} as const;

export const recallWords = {
  /** Said after what stays: it speaks of nothing but what is recalled. */
  warning:
    'What is recalled is taken from everybody at once, and moves to the trash. A file whose place it took comes back. Whoever has downloaded it keeps that copy.',
  heldDocument: 'Its file is on hold, so it is not recalled.',
  /** Of a recalled file that is in the lists again. */
  restored: 'Restored from the trash since',
  /** Of all released documents together, those that come after them. */
  releasing: (count: number) =>
    `${counted(count, 'document')} ${isOrAre(count)} still being released. Recall ${count === 1 ? 'it' : 'them'} once that is done.`,
  /** Where it failed half way. */
  left: (count: number) =>
    `${counted(count, 'document')} ${isOrAre(count)} not recalled yet. Press Recall again for ${count === 1 ? 'it' : 'them'}.`,
  /** Of all released documents together, those that stay: on hold, or closed to this person. */
  stays({ held, closed, of }: { held: number; closed: number; of: number }): string {
    if (held === of) return `${of === 1 ? 'Its file is' : 'All of their files are'} on hold, so nothing is recalled.`;
    const stay = (count: number, one: string, many: string) =>
      count === 0
        ? []
        : [
            `${formatCount(count)} of ${formatCount(of)} released ${count === 1 ? `${one} and stays where it is` : `${many} and stay where they are`}.`,
          ];
    return [
      ...stay(held, 'is on hold', 'are on hold'),
      ...stay(closed, 'is closed to you', 'are closed to you'),
      ...(closed === 0 ? [] : [`An Admin can recall ${closed === 1 ? 'it' : 'them'}.`]),
      ...(held + closed === of ? ['Nothing is recalled.'] : []),
    ].join(' ');
  },
} as const;

/** What is said of a file on its way into a batch. */
export const batchFacts = {
  alreadyThere: 'The same bytes are in this batch already. They are not stored twice.',
  opened: (taken: number, there: number) =>
    `ZIP opened: ${counted(taken, 'file')} taken${there === 0 ? '' : `, ${formatCount(there)} in this batch already`}`,
} as const;

/** What is said of a locked file and its password. */
export const lockedWords = {
  hint: 'It is tried once and not kept. The batch then has a copy that needs no password, beside the locked file.',
  reading: 'Its password was right. It is being read now.',
  opened: 'The file is open and being read',
  /** Where its pages would be. */
  unshown: {
    title: 'This PDF is protected by a password',
    hint: 'Enter the password to have it read and shown here.',
  },
} as const;

/** Where another file is in its place: a copy that needs no password, or a PDF of its pages. */
export const ORIGINAL_WORDS = 'Download the file as it was dropped';

/** '1 of 14 files', '0 of 1 file'. */
const filesOf = (done: number, of: number) => `${formatCount(done)} of ${counted(of, 'file')}`;

/** How far the files of a batch are. */
export const filesDone = {
  sent: (sent: number, of: number) =>
    `${filesOf(sent, of)} sent. ${of === 1 ? 'It is read once it is here.' : 'They are read once all of them are here.'}`,
  read: (read: number, of: number) =>
    `Reading: ${filesOf(read, of)} ${isOrAre(of)} read. You may leave this page meanwhile.`,
} as const;

/** What is said where a reload has cut the sending short. */
export const unsentWords = {
  lead: (stored: number, total: number) =>
    `${filesOf(stored, total)} ${isOrAre(total)} stored. Drop the other ${total - stored === 1 ? 'one' : formatCount(total - stored)} again to go on: what is here already is not stored twice.`,
  list: 'Not sent yet',
} as const;

export const batchFailed = {
  unlockFile: (reason: string) => `Failed to open the file: ${reason}`,
  beginBatch: (reason: string) => `Failed to begin the batch: ${reason}`,
  /** Files that were still to be sent when the batch took no more. */
  sendRest: (count: number, reason: string) => `${counted(count, 'file')} could not be sent: ${reason}`,
  readBatch: (reason: string) => `Failed to read the batch: ${reason}`,
  changeDocument: (reason: string) => `Failed to change the document: ${reason}`,
  changeDocuments: (reason: string) => `Failed to change the documents: ${reason}`,
  remember: (reason: string) => `Failed to remember this: ${reason}`,
  /** Somebody else was faster; their version is shown by then. */
  documentChanged: 'Somebody else has changed this document meanwhile. It is shown as it is now.',
  releaseBatch: (reason: string) => `Failed to release: ${reason}`,
  /** The first of them are on their way by then. */
  releaseRest: (done: number, left: number, reason: string) =>
    `${counted(done, 'document')} ${isOrAre(done)} being released. ${formatCount(left)} ${isOrAre(left)} not: ${endedSentence(reason)} Press Release again for ${left === 1 ? 'it' : 'them'}.`,
  /** They failed, or somebody else has stopped the release. */
  releaseSome: (count: number) => `${counted(count, 'document')} ${wasOrWere(count)} not released`,
  stopRelease: (reason: string) => `Failed to stop the release: ${reason}`,
  recallBatch: (reason: string) => `Failed to recall: ${reason}`,
  recallRest: (left: number, reason: string) => `Failed to recall ${counted(left, 'document')}: ${reason}`,
  certificate: (reason: string) => `Failed to save the certificate: ${reason}`,
  discardBatch: (reason: string) => `Failed to discard the batch: ${reason}`,
} as const;

/** What a release comes to, counted. */
interface Releasing {
  readonly documents: number;
  readonly clients: number;
  readonly replacing: number;
  readonly correcting: number;
  /** With the bytes of a file that is there and stays. */
  readonly doubled: number;
}

export const batchQuestions = {
  acceptDocuments: (count: number) => `Accept ${counted(count, 'document')}?`,
  /** What was taken back once is not accepted unasked with others. */
  acceptRecalled: (recalled: number, of: number) => {
    const which =
      recalled === of
        ? of === 1
          ? 'It was'
          : 'All of them were'
        : `${formatCount(recalled)} of them ${wasOrWere(recalled)}`;
    return `${which} recalled: the reason is in ${recalled === 1 ? 'its row' : 'the row of each'}. What is accepted can be released again.`;
  },
  /** With what that does to files that are there. */
  releaseDocuments({ documents, clients, replacing, correcting, doubled }: Releasing): string {
    if (documents === 1) {
      return [
        'It will become a file of its client, whose users see it at once.',
        ...(replacing === 0 ? [] : ['It takes the place of a file, which leaves the lists.']),
        ...(correcting === 0 ? [] : ['It corrects a file, which stays and is marked.']),
        ...(doubled === 0 ? [] : ['It has the same bytes as a file that is there already.']),
      ].join(' ');
    }
    const ofThem = (count: number, one: string, many: string) =>
      count === 0 ? [] : [count === 1 ? `1 of them ${one}.` : `${formatCount(count)} of them ${many}.`];
    return [
      `${counted(documents, 'document')} will become files of ${counted(clients, 'client')}, whose users see them at once.`,
      ...ofThem(
        replacing,
        'takes the place of a file, which leaves the lists',
        'take the places of files, which leave the lists',
      ),
      ...ofThem(correcting, 'corrects a file, which stays and is marked', 'correct files, which stay and are marked'),
      ...ofThem(
        doubled,
        'has the same bytes as a file that is there already',
        'have the same bytes as files that are there already',
      ),
    ].join(' ');
  },
  discardBatch: (wasReleased: boolean) =>
    wasReleased
      ? 'Its files, everything decided about them and its certificate will be gone. What was recalled stays recalled. Save the certificate first to keep it: afterwards the log alone says what was released and to whom.'
      : 'Its files and everything decided about them will be gone. Nothing of it was released.',
} as const;

export const batchLoading = 'Loading batch...';

export const batchNotFound = {
  title: 'Batch not found',
  hint: 'It is not there, or you do not have access to it.',
} as const;

export const batchFileClosed = {
  title: 'This file is closed to you',
  hint: 'It holds documents of a client or report type that you do not have access to. An Admin can go on with it.',
} as const;

export const batchIsDiscarded = {
  title: 'This batch was discarded',
  hint: 'Its files and everything decided about them are gone.',
} as const;

export const batchEmpty = {
  batches: {
    title: 'No batches yet',
    hint: 'Drop the print file of a pay run here, or a folder of files. Each piece is proposed for its client, and nobody sees it before you release it.',
  },
  batchesInState: 'No batches are in this state.',
  files: 'No files in this batch yet. Add some, then have them read.',
  documents: 'No documents in this batch',
} as const;

/** Where nobody is known to have opened what was released: known to whoever reads the log of others, and to nobody else. */
export function noAccesses({ isKnown, several }: { isKnown: boolean; several: boolean }): string {
  if (!isKnown) return 'You do not see what others open. An Admin can tell you.';
  return several ? 'Nobody has opened any of them' : 'Nobody has opened it';
}

/** What becomes of a file that is there already. */
export const correctionWords = {
  question: 'What becomes of this one',
  proposed: (choice: string) => `${choice} (proposed)`,
  skip: 'Skip it',
  add: 'Add it beside the one there',
  corrects: 'Corrects it',
  replace: 'Replace it',
  hints: {
    skip: 'It is dropped, and what is there stays.',
    add: 'Both are there once it is released.',
    corrects: 'The file there stays, and is marked as corrected by this one.',
    replace: 'The file there leaves the lists once this one is released, and stays on its page as an earlier version.',
  },
  /** How it is known that the bytes are there. */
  same: { file: 'The same file is there already', pages: 'The same pages of this file were released already' },
  at: (client: string) => `for ${client}`,
  noPeriod: 'Without a period nobody knows whether such a report is there already.',
} as const;
