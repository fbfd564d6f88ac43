// What the user dialog says about access in words: what was taken over from a colleague, and what somebody will not see.
import { foldKey } from '#contract/fields.ts';
import { ALL_NAMES, NameList } from '#contract/imports.ts';
import { counted } from '#contract/plain-words.ts';
import { formatCount } from '#web/lib/format.ts';

/** What a colleague has that may be given on; the rest is only counted. */
export interface TakenAccess {
  readonly from: string;
  /** The role's name; null where it may not be given. */
  readonly roleName: string | null;
  /** Whether that role sees everything: its lists count for nothing. */
  readonly seesAll: boolean;
  readonly clients: number;
  readonly allClients: boolean;
  /** The colleague has all clients, also later ones, which may not be given on. */
  readonly keepsAllClients: boolean;
  readonly reportTypes: number;
  /** How many clients and report types may not be given. */
  readonly left: number;
}

const ALL_CLIENTS = 'all clients, also later ones';

/** 'Taken over from Rosa Okafor: role CPA, 2 clients and 2 report types. Nothing is saved yet.' */
export function takenWords(taken: TakenAccess): string {
  const { from, roleName, seesAll, clients, allClients, keepsAllClients, reportTypes, left } = taken;
  const lists = [allClients ? ALL_CLIENTS : counted(clients, 'client'), counted(reportTypes, 'report type')];
  const parts = [
    ...(roleName === null ? [] : [`role ${roleName}${seesAll ? ', which sees every client and report type' : ''}`]),
    ...(seesAll ? [] : lists),
  ];
  const missing = [
    ...(roleName === null ? ['the role'] : []),
    ...(keepsAllClients ? [ALL_CLIENTS] : []),
    ...(left === 0 ? [] : [`${formatCount(left)} of the lists' entries`]),
  ];
  const listed = new Intl.ListFormat('en-US', { type: 'conjunction' });
  const rest = missing.length === 0 ? '' : ` Not taken over, because you may not give it: ${listed.format(missing)}.`;
  return `Taken over from ${from}: ${listed.format(parts)}. Nothing is saved yet.${rest}`;
}

/** As many are named; a list of a hundred is not read. */
const NAMED_MAX = 5;

/** '1 client of this person is in the trash: Harbor & Pine Bakery LLC. Restored, ...' */
export function trashedWords(clients: readonly { readonly name: string }[]): string {
  const named = clients.slice(0, NAMED_MAX).map(({ name }) => name);
  const left = clients.length - named.length;
  const names = new Intl.ListFormat('en-US').format([...named, ...(left === 0 ? [] : [`${formatCount(left)} more`])]);
  const [is, comes] = clients.length === 1 ? ['is', 'it comes'] : ['are', 'they come'];
  return `${counted(clients.length, 'client')} of this person ${is} in the trash: ${names}. Restored, ${comes} back into the list, unless you save it before.`;
}

/** How the two access lists of somebody work together. */
export const bothLists =
  'They see a report only where both lists below have it: its client and its report type. Company documents need the client alone.';

/** Who is meant, before and after there is a name. */
const nameOf = (fullName: string) => fullName.trim().split(/\s+/)[0] || 'This user';

export interface AccessGiven {
  readonly fullName: string;
  readonly hasClients: boolean;
  readonly hasReportTypes: boolean;
}

/** What somebody with the role Client sees to whom every client is given, as a CPA with all clients has them: that is hardly meant. */
export const seesEveryClient = (fullName: string, clients: number) =>
  `${nameOf(fullName)} is a Client user and will see all ${formatCount(clients)} clients. Untick those that are not theirs.`;

/** What somebody whose role sees by access lists will not see; null where both lists name something. */
export function missingAccess({ fullName, hasClients, hasReportTypes }: AccessGiven): string | null {
  const name = nameOf(fullName);
  if (!hasClients) return `${name} will see nothing until at least one client is ticked.`;
  if (hasReportTypes) return null;
  return `${name} will see company documents, but no report until at least one report type is ticked.`;
}

/** Somebody of a list, as its cells say. */
export interface ListedAccess {
  readonly fullName: string;
  readonly clients: string;
  readonly reportTypes: string;
  /** Whether the role is that of Client users. */
  readonly isClient: boolean;
}

/** What whoever imports somebody whose role sees by access lists should know: that they will see every client, or what they will not see, now or later. */
export function listedAccess({ fullName, clients, reportTypes, isClient }: ListedAccess): string | null {
  const saysAll = NameList.parse(clients).some((name) => foldKey(name) === foldKey(ALL_NAMES));
  const name = nameOf(fullName);
  const everyClient = isClient
    ? `${name} is a Client user and will see every client, since the list says "${ALL_NAMES}".`
    : `${name} will see the clients of today and none that come later: that is what "${ALL_NAMES}" means in a list. Where later ones are meant too, tick "All clients, also later ones" once ${name} is added.`;
  const warnings = [
    saysAll ? everyClient : null,
    missingAccess({ fullName, hasClients: clients.trim() !== '', hasReportTypes: reportTypes.trim() !== '' }),
  ].filter((words) => words !== null);
  return warnings.length === 0 ? null : warnings.join(' ');
}
