// The actions of the log in words. Without schemas, so that a page that lists them needs none.
import { counted } from './plain-words.ts';

export const ACTIVITY_ACTIONS = ['upload', 'download', 'view', 'delete', 'update'] as const;
export type ActivityAction = (typeof ACTIVITY_ACTIONS)[number];

/** So many entries are read at most to find the latest acts of the overview. */
export const ACT_ENTRIES_MAX = 500;

/** The log's labels for its actions (docs/behaviour.md, Activity: entries). */
export const activityLabels: Record<ActivityAction, string> = {
  upload: 'Uploaded',
  download: 'Downloaded',
  view: 'Viewed',
  delete: 'Deleted',
  update: 'Updated',
};

const CREATED = 'Created ';

/** The details of an entry about something new: 'Created client: Larch Street Dental'. */
export function createdDetails(noun: 'client' | 'user' | 'role' | 'report type' | 'batch', name: string): string {
  return `${CREATED}${noun}: ${name}`;
}

/** The details of an entry about what was changed, with the name that it had before and what else is told: 'Updated client: Acme LLC, renamed from Acme Inc.' */
export const updatedDetails = (noun: 'client' | 'user', name: string, before: string, told: readonly string[] = []) =>
  [`Updated ${noun}: ${name}`, ...(name === before ? [] : [`renamed from ${before}`]), ...told].join(', ');

/** As many of the words are named: a log is read, and the rest is where they are kept. */
const NAMED_MAX = 5;

const named = (verb: string, words: readonly string[]): string[] => {
  if (words.length === 0) return [];
  const more = words.length > NAMED_MAX ? ` and ${words.length - NAMED_MAX} more` : '';
  const some = words.slice(0, NAMED_MAX).map((each) => `"${each}"`);
  return [`${verb} ${some.join(', ')}${more}`];
};

/** The details of an entry about a report type's phrases: 'Updated phrases of report type: Timesheets, added "Weekly hours"'. */
export function phrasesDetails(
  name: string,
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): string {
  return [`Updated phrases of report type: ${name}`, ...named('added', added), ...named('removed', removed)].join(', ');
}

const LOOKED_AS = 'Looked as ';

/** The details of an entry about a look that begins: 'Looked as Pat Example (Client)'. */
export const lookedAsDetails = (fullName: string, roleName: string) => `${LOOKED_AS}${fullName} (${roleName})`;

const INVITED = 'Invited ';
const WITHDREW = 'Withdrew invitation ';
const JOINED = 'Joined ';

/** The details of an entry about a link by which somebody chooses a password: 'Invited user: rosa.okafor'. */
export const invitedDetails = (username: string) => `${INVITED}user: ${username}`;

/** The details of an entry about such a link that is good for nothing any more; `why` where nobody withdrew it as such. */
export const withdrawnDetails = (username: string, why: string | null) =>
  `${WITHDREW}of user: ${username}${why === null ? '' : `, since ${why} changed`}`;

/** The details of an entry about a person who chose a password by such a link: 'Joined as user: rosa.okafor'. */
export const joinedDetails = (username: string) => `${JOINED}as user: ${username}`;

/** The details of an entry about what was done in a look: 'Viewed file: a.pdf, looking as Pat Example'. */
export const inLookDetails = (details: string, as: string) => `${details}, looking as ${as}`;

/** The details of an entry about a client that a reviewer gave another name: 'Updated client: Acme LLC, added the other name "Acme"'. */
export const otherNameDetails = (client: string, name: string) =>
  `Updated client: ${client}, added the other name "${name}"`;

/** What else there is to say of a file that came. */
export interface UploadFacts {
  /** The name of the file that it corrects. */
  readonly corrects?: string | undefined;
  /** The name of the file that it takes the place of. */
  readonly replaces?: string | undefined;
  /** The batch that it was released from. */
  readonly batchName?: string | undefined;
  /** Why it was kept with its client although it names another one. */
  readonly keepBecause?: string | undefined;
}

const RELEASED_FROM = ', released from batch: ';

/** The details of an entry about a file that came: 'Uploaded file: a.pdf'. */
export function uploadedDetails(fileName: string, { corrects, replaces, batchName, keepBecause }: UploadFacts): string {
  const corrected = corrects === undefined ? '' : `, corrects ${corrects}`;
  const released = batchName === undefined ? '' : `${RELEASED_FROM}${batchName}`;
  const replaced = replaces === undefined ? '' : `, replaces ${replaces}`;
  return `Uploaded file: ${fileName}${corrected}${replaced}${released}${keptDetails(keepBecause)}`;
}

/** A further sentence of the details: names such as 'Acme Inc.' end with a full stop of their own. */
const andThen = (text: string, sentence: string) => `${text}${text.endsWith('.') ? '' : '.'} ${sentence}`;

/** Why a file is with a client although it names another one, behind what else the log says; empty where nobody was asked. */
export function keptDetails(keepBecause: string | undefined): string {
  return keepBecause === undefined ? '' : `. It names another client, and was kept because: ${keepBecause}`;
}

/** The details of an entry about what a file corrects from now on: 'Re-filed file: b.pdf, corrects a.pdf'; null for no other file. */
export function correctsDetails(fileName: string, corrects: string | null): string {
  return `Re-filed file: ${fileName}, corrects ${corrects ?? 'no other file any more'}`;
}

const REPLACED = 'Replaced ';
const PUT_BACK = 'Put back ';

/** The details of an entry about a file that is an earlier version from then on: 'Replaced file: a.pdf, by b.pdf. Reason: Wrong rate'. */
export const replacedDetails = (fileName: string, newerName: string, because: string | undefined) =>
  because === undefined
    ? `${REPLACED}file: ${fileName}, by ${newerName}`
    : andThen(`${REPLACED}file: ${fileName}, by ${newerName}`, `Reason: ${because}`);

/** The details of an entry about what a stored file takes the place of: 'Re-filed file: b.pdf, replaces a.pdf'; null for no other file any more. */
export const replacesDetails = (fileName: string, replaces: string | null) =>
  `Re-filed file: ${fileName}, replaces ${replaces ?? 'the earlier file no more'}`;

/** The details of an entry about an earlier version that is a file by itself again: 'Put back file: a.pdf, replaced before by b.pdf'. */
export const putBackDetails = (fileName: string, newerName: string) =>
  `${PUT_BACK}file: ${fileName}, replaced before by ${newerName}`;

/** The details of an entry about a file that was recalled: it is in the trash, and nobody else finds it. */
export function recalledDetails(fileName: string, batchName: string, reason: string): string {
  return `Recalled file: ${fileName}${RELEASED_FROM}${batchName}. Reason: ${reason}`;
}

/** What an entry says of a batch behind its file's name, alike in all entries of one release or recall; null for any other entry. */
export function batchWordsIn(details: string | null, fileName: string | null): string | null {
  if (details === null || fileName === null) return null;
  const named = details.indexOf(fileName);
  const from = named === -1 ? -1 : details.indexOf(RELEASED_FROM, named + fileName.length);
  return from === -1 ? null : details.slice(from);
}

/** The reason that an entry of a recall names; null for any other entry. */
export function recallReasonIn(details: string, fileName: string, batchName: string): string | null {
  const begins = recalledDetails(fileName, batchName, '');
  return details.startsWith(begins) ? details.slice(begins.length) : null;
}

/** The details of an entry about a report that its uploader took back before anybody else had opened it. */
export const takenBackDetails = (fileName: string) => `Took back file: ${fileName}`;

/** The details of an entry about a certificate that was saved. */
export const certificateDetails = (batchName: string) => `Downloaded certificate of batch: ${batchName}`;

/** The details of an entry about a file of a batch that is kept without its password from then on. */
export const unlockedDetails = (fileName: string, batchName: string) =>
  `Opened with its password: ${fileName}, of batch: ${batchName}`;

/** The details of an entry about the firm's switch: 'Switched four eyes on'. */
export const fourEyesDetails = (on: boolean) => `Switched four eyes ${on ? 'on' : 'off'}`;

/** What a firm shows of itself; empty means that it was taken away. */
export const faceDetails = {
  name: (name: string) => (name === '' ? 'Removed the name of the firm' : `Set the name of the firm: ${name}`),
  logo: (isThere: boolean) => (isThere ? 'Set the logo of the firm' : 'Removed the logo of the firm'),
  accent: (colour: string) =>
    colour === '' ? 'Removed the color of the firm' : `Set the color of the firm: ${colour}`,
  address: (address: string) =>
    address === ''
      ? 'Removed the address of the firm'
      : `Set the address of the firm: ${address.replaceAll('\n', ', ')}`,
  phone: (phone: string) => (phone === '' ? 'Removed the phone of the firm' : `Set the phone of the firm: ${phone}`),
  welcome: (text: string) =>
    text === '' ? 'Removed the welcome text' : `Set the welcome text: ${text.replaceAll('\n', ' ')}`,
};

/** The details of an entry about where people write to who need help; empty stands for nobody. */
export const supportEmailDetails = (email: string) =>
  email === '' ? 'Removed the support address' : `Set the support address: ${email}`;

const REMINDED = 'Reminded ';

/** The details of an entry about people who were reminded of reports that nobody has opened: 'Reminded 2 people of 12 reports not opened'. */
export const remindedDetails = (people: number, files: number) =>
  `${REMINDED}${people === 1 ? '1 person' : `${people} people`} of ${counted(files, 'report')} not opened`;

/** The details of an entry about the guide through an empty firm. */
export const firstStepsDetails = (dismissed: boolean) => `${dismissed ? 'Dismissed' : 'Brought back'} the first steps`;

/** The details of an entry about a release that was stopped: 'Stopped the release of batch: Pay run, 3 documents not released'. */
export const releaseStoppedDetails = (batchName: string, left: number) =>
  `Stopped the release of batch: ${batchName}, ${counted(left, 'document')} not released`;

/** The details of an entry about a batch that was discarded with its files. */
export const discardedDetails = (batchName: string) => `Discarded batch: ${batchName}`;

/** The details of an entry about a file that staff found right where it is. What it names is not said: a Client user may read it. */
export const confirmedDetails = (fileName: string) => `Confirmed file: ${fileName}`;

const REQUESTED = 'Requested ';
const SENT = 'Sent for ';
const SENT_BACK = 'Sent back ';
const ACCEPTED_ITEM = 'Accepted for ';
const SAID_NOT = 'Does not apply ';
const CLOSED_REQUEST = 'Closed request: ';
const REOPENED_REQUEST = 'Reopened request: ';

/** The details of an entry about a client that was asked: 'Requested Year-end package (5 items)'. */
export const requestedDetails = (title: string, items: number) =>
  `${REQUESTED}${title} (${items} ${items === 1 ? 'item' : 'items'})`;
/** The details of an entry about a file that came for an item: 'Sent for Year-end package, Bank statements: a.pdf'. */
export const sentDetails = (title: string, item: string, fileName: string) => `${SENT}${title}, ${item}: ${fileName}`;
export const sentBackDetails = (title: string, item: string, reason: string) =>
  andThen(`${SENT_BACK}for ${title}, ${item}`, `Reason: ${reason}`);
export const itemAcceptedDetails = (title: string, item: string) => `${ACCEPTED_ITEM}${title}, ${item}`;
export const saidNotDetails = (title: string, item: string, note: string) =>
  note === '' ? `${SAID_NOT}to ${title}, ${item}` : andThen(`${SAID_NOT}to ${title}, ${item}`, `Note: ${note}`);
export const requestClosedDetails = (title: string) => `${CLOSED_REQUEST}${title}`;
export const requestReopenedDetails = (title: string) => `${REOPENED_REQUEST}${title}`;
export const requestChangedDetails = (title: string) => `Updated request: ${title}`;
/** The details of an entry about a template that was added, changed or deleted. */
export const templateDetails = (verb: 'Created' | 'Updated' | 'Deleted', name: string) =>
  `${verb} request template: ${name}`;

const RESTORED = 'Restored ';
const PURGED = 'Purged ';

/** The details of an entry about what came out of the trash: 'Restored file: a.pdf'. */
export const restoredDetails = (noun: 'client' | 'file', name: string) => `${RESTORED}${noun}: ${name}`;

/** The details of an entry about what left the trash for good: 'Purged client: Larch Street Dental'. */
export const purgedDetails = (noun: 'client' | 'file' | 'earlier version', name: string) => `${PURGED}${noun}: ${name}`;

/** The details of the entry that a restored portal begins with. */
export function restoredPortalDetails(backedUpAt: string): string {
  return `The portal was restored from its backup of ${backedUpAt}; what was done after it is gone`;
}

/** The details of an entry about what somebody ended in the trash before its time: 'Deleted for ever: file a.pdf'. */
export const deletedForEverDetails = (noun: 'client' | 'file', name: string) => `Deleted for ever: ${noun} ${name}`;

const HELD = 'Put on hold: ';
const LIFTED = 'Lifted the hold on ';

/** The details of an entry about a hold: 'Put on hold: file a.pdf'; with the reason where it is for readers of the whole log. */
export const heldDetails = (noun: 'client' | 'file', name: string, reason?: string) =>
  reason === undefined ? `${HELD}${noun} ${name}` : andThen(`${HELD}${noun} ${name}`, `Reason: ${reason}`);

/**
 * Without what is no act of its own: a view or download of which nothing was sent, and an entry about a hold for readers of the whole log beside
 * which the client's own stands.
 */
export function actsOf<
  Entry extends {
    readonly details: string | null;
    readonly timestamp: string;
    readonly clientId: number | null;
    readonly announcedOnly: boolean;
  },
>(entries: readonly Entry[]): Entry[] {
  const isHeld = ({ details }: Entry) => details?.startsWith(HELD) === true;
  const ofClients = new Set(
    entries.filter((entry) => isHeld(entry) && entry.clientId !== null).map(({ timestamp }) => timestamp),
  );
  const isBeside = (entry: Entry) => isHeld(entry) && entry.clientId === null && ofClients.has(entry.timestamp);
  return entries.filter((entry) => !(entry.announcedOnly || isBeside(entry)));
}

/** The details of an entry about a hold that was lifted: 'Lifted the hold on file a.pdf'. */
export const holdLiftedDetails = (noun: 'client' | 'file', name: string) => `${LIFTED}${noun} ${name}`;

const DISPOSED = 'Disposed of ';

/** The details of an entry about a file that went at the end of its years: 'Disposed of file: a.pdf, 7 years after the end of 2018'. */
export const disposedDetails = (fileName: string, rule: string) => `${DISPOSED}file: ${fileName}, ${rule}`;

/** The details of an entry about a saved certificate of disposal. */
export const disposalCertificateDetails = (id: number) => `Downloaded certificate of disposal ${id}`;

/** The details of entries about a disposal: 'Ordered disposal 4 of 31 files', and what is said of one that stopped before its end. */
export const disposalDetails = (id: number, files: number) => `Ordered disposal ${id} of ${counted(files, 'file')}`;
export const disposalRestDetails = (id: number, decision: 'goOn' | 'leave') =>
  decision === 'goOn' ? `Went on with disposal ${id}` : `Ended disposal ${id}: the rest stays`;

const keptFor = (years: number | null) =>
  years === null ? 'for ever' : `for ${years} ${years === 1 ? 'year' : 'years'}`;

/** The details of an entry about how long files are kept: 'Timesheets are kept for 7 years, before for ever'; null for what has no type. */
export const retentionDetails = (typeName: string | null, before: number | null, after: number | null) =>
  `Files of report type: ${typeName ?? 'none'} are kept ${keptFor(after)}, before ${keptFor(before)}`;

/** Labels that say more than the action does: by the words that an entry's details begin with. */
const truerLabels: readonly (readonly [action: ActivityAction, begins: string, label: string])[] = [
  ['update', CREATED, 'Created'],
  ['update', RESTORED, 'Restored'],
  ['update', 'Granted ', 'Granted'],
  ['update', 'Took back ', 'Taken back'],
  ['update', 'Took ', 'Taken'],
  ['update', 'Re-filed ', 'Re-filed'],
  ['update', 'Renamed ', 'Renamed'],
  ['update', 'Reset ', 'Reset'],
  ['update', 'Confirmed ', 'Confirmed'],
  ['update', HELD, 'Put on hold'],
  ['update', LIFTED, 'Hold lifted'],
  ['update', INVITED, 'Invited'],
  ['update', WITHDREW, 'Invitation withdrawn'],
  ['update', JOINED, 'Joined'],
  ['update', REQUESTED, 'Requested'],
  ['update', SENT_BACK, 'Sent back'],
  ['update', SENT, 'Sent'],
  ['update', ACCEPTED_ITEM, 'Accepted'],
  ['update', 'Accepted what ', 'Accepted'],
  ['update', 'Declined what ', 'Declined'],
  ['update', 'Suggested for ', 'Suggested'],
  ['update', SAID_NOT, 'Does not apply'],
  ['update', CLOSED_REQUEST, 'Closed'],
  ['update', REOPENED_REQUEST, 'Reopened'],
  ['update', REPLACED, 'Replaced'],
  ['update', PUT_BACK, 'Put back'],
  ['update', REMINDED, 'Reminded'],
  ['view', LOOKED_AS, 'Looked as'],
  ['delete', PURGED, 'Purged'],
  ['delete', DISPOSED, 'Disposed of'],
  ['delete', 'Recalled ', 'Recalled'],
  ['delete', 'Discarded ', 'Discarded'],
  ['delete', 'Took back ', 'Taken back'],
];

/**
 * The log's label for an entry. The specification has five actions; where the details name one that is truer than Updated or
 * Deleted, the label is that. Filters go by the action.
 */
export function activityLabel({ action, details }: { action: ActivityAction; details: string | null }): string {
  const truer = truerLabels.find(([of, begins]) => of === action && details?.startsWith(begins) === true);
  return truer?.[2] ?? activityLabels[action];
}

/** The two actions a browser announces before it opens a file; the server records the rest itself. */
export const ACCESS_ACTIONS = ['view', 'download'] as const satisfies readonly ActivityAction[];
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

/** The details of an access in the log; `name` is the file's original name. */
export const accessDetails: Record<AccessAction, (name: string) => string> = {
  view: (name) => `Viewed file: ${name}`,
  download: (name) => `Downloaded file: ${name}`,
};

/** The details of an entry about a file of a batch that was opened: 'Viewed file: payrun.pdf, of batch: Pay run'. */
export const batchAccessDetails = (action: AccessAction, fileName: string, batchName: string) =>
  `${accessDetails[action](fileName)}, of batch: ${batchName}`;
