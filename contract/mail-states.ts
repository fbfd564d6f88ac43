// The states of mails in words. Without schemas, so that a page that lists them needs none.
/** `failed` is final unless somebody asks for another try; `dropped` was not to be sent any more. */
export const MAIL_STATES = ['waiting', 'sending', 'sent', 'failed', 'dropped'] as const;
export type MailState = (typeof MAIL_STATES)[number];

export const mailStateLabels: Record<MailState, string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
  dropped: 'Not sent',
};

/** As an address says what is counted as failing: no state of its own, but listed as if it were one. */
export const FAILING = 'failing';

/** Whether the mail is still on its way. */
export function isOpenMail({ state }: { readonly state: MailState }): boolean {
  return state === 'waiting' || state === 'sending';
}
