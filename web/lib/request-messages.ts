// The sentences of what clients are asked for, apart from `messages.ts`: a first page needs none of them.
import { counted } from '#contract/plain-words.ts';
import type { RequestRow } from '#contract/requests.ts';
import { formatCount } from './format.ts';

type Progressing = Pick<RequestRow, 'items' | 'owed' | 'toReview' | 'state'>;

export const requestWords = {
  home: 'Your firm asks for',
  all: 'See all requests',
  more: (count: string) => `See all ${count} open requests`,
  showItems: (items: number) => `Show ${counted(items, 'item')}`,
  hideItems: 'Hide items',
  nothingOwed: 'Everything is sent. Your firm looks at it.',
  /** To those who are asked, where the buttons to send are gone. */
  closed:
    'Your firm has closed this request, so nothing more can be sent for it. Ask your firm if something is missing.',
  gone: 'no longer among the documents',
  elsewhere: 'filed under another client',
  saidNot: 'Does not apply',
  /** Of files that were pasted, or dropped beside the items. */
  whichItem: 'Which item is this for? Press "Upload" there, or drop it onto the item.',
  noDay: 'No due day',
  pastDay: 'This day is in the past.',
  withoutDay: 'Without one nobody is reminded.',
  reminded: 'Reminded',
  notYet: 'Not reminded yet',
  notReminded: 'Not reminded',
  mailedTo: (people: number) => `mailed to ${people === 1 ? '1 person' : `${formatCount(people)} people`}`,
  /** Why no reminder goes out, and what to do; null where one does when its day comes. */
  whyNobody: ({ mailIsOn, hasDay, reminds }: { mailIsOn: boolean; hasDay: boolean; reminds: number | null }) => {
    if (!mailIsOn) return 'Nobody is reminded: the portal sends no mail.';
    // A due day alone would remind nobody then.
    if (reminds === 0)
      return 'Nobody can be reminded: no user of this client has a mail address, has joined, and wants mails about requests.';
    return hasDay ? null : 'Nobody is reminded: give it a due day.';
  },
  /** '2 of 5 accepted · 1 to review', or '· 1 with your firm' to those who are asked; of what is closed nothing waits. */
  progress: ({ items, owed, toReview, state }: Progressing, ofClient: boolean) => {
    const accepted = `${formatCount(items - owed - toReview)} of ${formatCount(items)} accepted`;
    if (toReview === 0 || state === 'closed') return accepted;
    return `${accepted} · ${formatCount(toReview)} ${ofClient ? 'with your firm' : 'to review'}`;
  },
  /** What the client has sent whole: it is the firm that looks at it. */
  toReview: (ofClient: boolean) => (ofClient ? 'Sent' : 'To review'),
  owes: (items: number) => `owes us ${counted(items, 'item')}`,
  chosenClients: 'Chosen clients',
  addAll: (clients: number) => `Add All ${formatCount(clients)} Clients`,
  oneEach: 'Each client gets a request of its own.',
  clientsFull: (most: number) => `At most ${most} clients can be asked at once.`,
  templatesLead: 'A request can begin with the items of a template. Changing a template changes no request.',
} as const;

const HOW_TO_ASK = 'Ask a client for documents: each item is sent, accepted or sent back by itself.';

export const requestEmpty = {
  none: { title: 'No requests yet', hint: HOW_TO_ASK },
  noneOpen: { title: 'No open requests', hint: HOW_TO_ASK },
  noneForClient: { title: 'Nothing was asked of you', hint: 'What your firm needs from you appears here.' },
  narrowed: 'No requests match these filters',
  templates: {
    title: 'No templates yet',
    hint: 'The usual ones are a year-end package and the papers of a new client.',
  },
  ofClient: 'Nothing is asked of this client.',
} as const;

export const requestDone = {
  asked: (count: number) =>
    count === 1 ? 'Request sent to the client' : `${formatCount(count)} requests sent to the clients`,
  changed: 'Request updated successfully',
  closed: 'Request closed. Nothing more is sent for it.',
  reopened: 'Request reopened',
  /** Where somebody else was faster, so that there was nothing to close or reopen. */
  doneMeanwhile: 'The request is done: everything of it was accepted meanwhile.',
  sent: (name: string) => `Sent: ${name}`,
  saidNot: 'Your firm is told that it does not apply',
  accepted: (name: string) => `Accepted: ${name}`,
  sentBack: 'Sent back to the client',
  templateSaved: 'Template saved successfully',
  templateDeleted: 'Template deleted successfully',
  templatesAdded: 'Usual templates added successfully',
} as const;

export const requestFailed = {
  read: 'Failed to load what your firm asks for',
  addClients: (reason: string) => `Failed to add all clients: ${reason}`,
  ask: (reason: string) => `Failed to send the request: ${reason}`,
  change: (reason: string) => `Failed to update the request: ${reason}`,
  close: (reason: string) => `Failed to close the request: ${reason}`,
  reopen: (reason: string) => `Failed to reopen the request: ${reason}`,
  itemGone: 'Your firm no longer asks you for this.',
  /** To staff, over what they have typed. */
  closed: 'This request was closed meanwhile. Copy what you typed, then close this dialog and reopen the request.',
  send: (name: string) => (reason: string) => `Failed to send ${name}: ${reason}`,
  sayNot: (reason: string) => `Failed to tell your firm: ${reason}`,
  accept: (reason: string) => `Failed to accept the item: ${reason}`,
  sendBack: (reason: string) => `Failed to send the item back: ${reason}`,
  saveTemplate: (reason: string) => `Failed to save the template: ${reason}`,
  deleteTemplate: (reason: string) => `Failed to delete the template: ${reason}`,
  templates: (reason: string) => `Failed to load the templates: ${reason}`,
  addTemplates: (reason: string) => `Failed to add the usual templates: ${reason}`,
} as const;
