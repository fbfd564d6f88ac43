// What this screen alone says; what several say is in `web/lib/messages.ts`.
import { counted } from '#contract/plain-words.ts';

export const mailWords = {
  /** Above what is long on the page: why stands with each in the list. */
  failing: (mails: number) =>
    `${counted(mails, 'mail')} failed within three days or ${mails === 1 ? 'waits' : 'wait'} for another try. The list below says why.`,
} as const;

export const mailDone = {
  mailRetried: 'The mail will be tried again',
  /** None where somebody else was faster, or all have arrived by now. */
  mailsRetried: (mails: number) =>
    mails === 0 ? 'No mail waits for another try' : `${counted(mails, 'mail')} will be tried again`,
  usualDigestsSet: 'What is usual is kept',
  testMailOrdered: 'The test mail is on its way',
} as const;

export const mailFailed = {
  facts: 'Failed to load how mail is set up',
  usualDigests: 'Failed to load what people hear of by mail',
  retryMail: (reason: string) => `Failed to have the mail tried again: ${reason}`,
  retryMails: (reason: string) => `Failed to have the mails tried again: ${reason}`,
  testMail: (reason: string) => `Failed to send a test mail: ${reason}`,
  setUsualDigests: (reason: string) => `Failed to keep what is usual: ${reason}`,
} as const;

export const mailEmpty = {
  mails: { title: 'No mails found', hint: 'What people are told by mail appears here.' },
  mailsSearched: 'No mails are in this state.',
} as const;
