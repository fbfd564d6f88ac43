// Mail, and who is told what.
import { addressOf, type EndpointName } from '../addresses.ts';
import { DigestChoice, EndingLink, OwnDigests, UsualDigests, UsualDigestsInput } from '../digests.ts';
import { MailFacts, MailQuery, MailRow, MailsRetried, MailTest } from '../mail.ts';
import { byId, created, type Endpoint, list, noQuery, nothing, openValue, value } from './endpoint.ts';

export const mailEndpoints = {
  'mail.facts': {
    ...addressOf('mail.facts'),
    action: 'mail.read',
    summary: 'How mail is set up, and how many mails fail',
    query: noQuery,
    ...openValue(MailFacts),
    errors: ['forbidden'],
  },
  'mail.list': {
    ...addressOf('mail.list'),
    action: 'mail.read',
    summary: 'The mails of the last thirty days, newest first; without a limit the newest 1,000',
    query: MailQuery,
    ...list(MailRow),
    errors: ['forbidden'],
  },
  'mail.retry': {
    ...addressOf('mail.retry'),
    action: 'mail.manage',
    summary: 'Have a mail tried again now that failed, or waits for another try',
    params: byId,
    ...value(MailRow),
    errors: ['forbidden', 'not_found', 'mail_not_failed'],
  },
  'mail.retry-all': {
    ...addressOf('mail.retry-all'),
    action: 'mail.manage',
    summary: 'Have all mails tried again now that failed within three days, or wait for another try',
    ...openValue(MailsRetried),
    errors: ['forbidden'],
  },
  'mail.test': {
    ...addressOf('mail.test'),
    action: 'mail.manage',
    summary: 'Send a test mail to an address',
    body: MailTest,
    ...created(MailRow),
    errors: ['forbidden', 'mail_off'],
  },
  'digests.own': {
    ...addressOf('digests.own'),
    action: 'digests.choose',
    summary: 'What one hears of by mail, how often, and where it goes',
    query: noQuery,
    ...openValue(OwnDigests),
    errors: [],
  },
  'digests.choose': {
    ...addressOf('digests.choose'),
    action: 'digests.choose',
    summary: 'Choose how often one hears of a topic by mail; null goes by what is usual',
    body: DigestChoice,
    ...openValue(OwnDigests),
    errors: [],
  },
  'digests.usual': {
    ...addressOf('digests.usual'),
    action: 'mail.read',
    summary: 'How often people hear by mail of what who have not chosen',
    query: noQuery,
    ...openValue(UsualDigests),
    errors: ['forbidden'],
  },
  'digests.set-usual': {
    ...addressOf('digests.set-usual'),
    action: 'mail.manage',
    summary: 'Set how often people hear by mail of what who have not chosen; what is left out stays as it is',
    body: UsualDigestsInput,
    ...openValue(UsualDigests),
    errors: ['forbidden'],
  },
  'digests.end-page': {
    ...addressOf('digests.end-page'),
    action: 'session.open',
    summary: 'Leads whoever opens the address of List-Unsubscribe to the page that asks; uses nothing up',
    query: EndingLink,
    answer: 'html',
    status: 200,
    errors: [],
  },
  'digests.end': {
    ...addressOf('digests.end'),
    action: 'session.open',
    summary:
      'End the mails that a link is about, without a sign-in: what a mail program sends for List-Unsubscribe (RFC 8058)',
    takesForm: true,
    query: EndingLink,
    ...nothing,
    errors: ['ending_link_invalid', 'too_many', 'locked_out'],
  },
} as const satisfies Partial<Record<EndpointName, Endpoint>>;
