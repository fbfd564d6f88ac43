// The whole demo firm as data: clients, roles, users, report types, files and log. Cheap to make; nothing is rendered here.
import { type ActivityAction, accessDetails, createdDetails, updatedDetails } from '#contract/activity-words.ts';
import type { ClientInput } from '#contract/clients.ts';
import type { ExpectationInput } from '#contract/completeness.ts';
import { periodKey } from '#contract/period.ts';
import { proposePeriod } from '#contract/period-in-name.ts';
import { newRoleRights } from '#contract/policy/actor.ts';
import { proposeFrom } from '#server/files/completeness/propose.ts';
import { changedDetails } from '#server/people/permissions/permissions.acts.ts';
import { ANCHOR_DAY, HISTORY_START_DAY, isoDate, momentMs } from './calendar.ts';
import { COMPANIES, type Company } from './companies.ts';
import { filingsOf } from './filings.ts';
import { createRandom } from './random.ts';
import { headcount } from './roster.ts';
import {
  CUSTOM_ROLES,
  DEMO_PASSWORD,
  everyone,
  OPENING_MS,
  type Person,
  type PlannedRole,
  REPORT_TYPE_NAMES,
  type ReportTypeName,
} from './staff.ts';
import type { Filing } from './uploads.ts';

export type FirmSize = 'full' | 'small';

/** Nothing in the plan happens after this moment (ms since the epoch). */
export const ANCHOR_MS = momentMs(ANCHOR_DAY, 21 * 60);

export interface PlannedClient extends ClientInput {
  readonly employeeCount: number;
  readonly createdAtMs: number;
}

export interface PlannedUser extends Omit<Person, 'companies' | 'reportTypes' | 'owner'> {
  /** Indexes into the plan's clients. */
  readonly clientIndexes: readonly number[];
  /** Indexes into the plan's report types. */
  readonly reportTypeIndexes: readonly number[];
}

export interface PlannedFile extends Filing {
  /** Index into the plan's clients. */
  readonly clientIndex: number;
}

export interface PlannedActivity {
  readonly action: ActivityAction;
  readonly atMs: number;
  readonly userIndex: number;
  readonly clientIndex: number | null;
  /** Index into the plan's files; null for entries without a file, or about a deleted one. */
  readonly fileIndex: number | null;
  readonly fileName: string | null;
  readonly details: string;
}

export interface PlannedExpectation extends Pick<ExpectationInput, 'frequency' | 'dueDays'> {
  readonly clientIndex: number;
  readonly reportTypeName: ReportTypeName;
  readonly starts: string;
}

export interface FirmPlan {
  readonly size: FirmSize;
  /** Every user's password, in clear: this is a demo. */
  readonly password: string;
  readonly clients: readonly PlannedClient[];
  /** Custom roles; the built-in ones are the server's. */
  readonly roles: readonly PlannedRole[];
  readonly reportTypes: readonly ReportTypeName[];
  readonly users: readonly PlannedUser[];
  /** In the order of their upload. */
  readonly files: readonly PlannedFile[];
  /** Of most clients: what the board can propose for the others from their files is left to try. */
  readonly expectations: readonly PlannedExpectation[];
  /** In the order of time. */
  readonly activity: readonly PlannedActivity[];
}

/** Where the small firm's files begin: the last quarter's returns, and the runs since. */
const SMALL_HISTORY_START_MS = momentMs(ANCHOR_DAY - 45, 0);
const SMALL_USERNAMES: readonly string[] = ['admin', 'r.okafor', 'm.lindqvist', 'l.farrow', 'v.haldane'];

function clientFrom(company: Company): PlannedClient {
  return {
    name: company.name,
    address: `${company.street}, ${company.cityLine}`,
    phone: company.phone,
    email: company.email,
    federalId: company.federalId,
    stateId: company.stateId,
    employeeCount: headcount(company),
    startDate: isoDate(company.startDay),
    // Not every firm has entered them for every client.
    otherNames: company.index % 3 === 0 ? [company.initials] : [],
    createdAtMs: Math.max(OPENING_MS, momentMs(company.startDay - 3, 15 * 60)) + company.index * 4 * 60_000,
  };
}

/** The companies of a firm of `size`. */
export function companiesOf(size: FirmSize): readonly Company[] {
  return size === 'full' ? COMPANIES : COMPANIES.filter((company) => company.small);
}

interface Cast {
  readonly companies: readonly Company[];
  readonly people: readonly Person[];
  /** From an index into COMPANIES to one into the plan's clients. */
  readonly clientIndexOf: ReadonlyMap<number, number>;
}

function castOf(size: FirmSize): Cast {
  const companies = companiesOf(size);
  const clientIndexOf = new Map(companies.map((company, position) => [company.index, position]));
  const inFirm = (person: Person) => person.companies.filter((index) => clientIndexOf.has(index));
  const people = everyone()
    .filter(
      (person) =>
        size === 'full' ||
        SMALL_USERNAMES.includes(person.username) ||
        (person.roleName === 'Client' && inFirm(person).length > 0),
    )
    .map((person) => ({ ...person, companies: inFirm(person) }));
  return { companies, people, clientIndexOf };
}

function userFrom(person: Person, clientIndexOf: Cast['clientIndexOf']): PlannedUser {
  return {
    username: person.username,
    fullName: person.fullName,
    roleName: person.roleName,
    clientIndexes: person.companies.flatMap((index) => clientIndexOf.get(index) ?? []),
    reportTypeIndexes: person.reportTypes.map((name) => REPORT_TYPE_NAMES.indexOf(name)),
    createdAtMs: person.createdAtMs,
    former: person.former,
  };
}

/** Who among the people could open the filing, by their lists. */
function readersOf(filing: Filing, company: Company, people: readonly Person[]): { client: number[]; cpa: number[] } {
  const reaches = (person: Person) =>
    person.companies.includes(company.index) &&
    (filing.fileType === 'company_document' ||
      (filing.reportTypeName !== null && person.reportTypes.includes(filing.reportTypeName)));
  const indexesOf = (roleName: string) =>
    people.flatMap((person, index) => (person.roleName === roleName && reaches(person) ? [index] : []));
  return { client: indexesOf('Client'), cpa: indexesOf('CPA') };
}

const HOUR_MS = 3_600_000;
const OPENED_WITHIN_MS = 48 * HOUR_MS;

/** Views and downloads of one file: most within two days, some never. */
function accessesOf(
  file: PlannedFile,
  fileIndex: number,
  readers: { client: number[]; cpa: number[] },
): PlannedActivity[] {
  const random = createRandom('accesses', file.clientIndex, file.originalName, file.uploadedAtMs);
  const entries: PlannedActivity[] = [];
  const open = (userIndex: number, action: 'view' | 'download', atMs: number) => {
    if (atMs > ANCHOR_MS) return;
    entries.push({
      action,
      atMs,
      userIndex,
      clientIndex: file.clientIndex,
      fileIndex,
      fileName: file.originalName,
      details: accessDetails[action](file.originalName),
    });
  };
  const visit = (userIndex: number) => {
    const waitMs = 5 * 60_000 + random.wait(9 * HOUR_MS);
    if (waitMs > OPENED_WITHIN_MS) return;
    const atMs = Math.round(file.uploadedAtMs + waitMs);
    const viewed = random.chance(0.8);
    if (viewed) open(userIndex, 'view', atMs);
    if (!viewed || random.chance(0.35)) open(userIndex, 'download', atMs + random.int(20, 400) * 1000);
  };
  for (const userIndex of readers.client) {
    if (userIndex !== file.uploaderIndex && random.chance(0.55)) visit(userIndex);
  }
  const byClient = readers.client.includes(file.uploaderIndex);
  for (const userIndex of readers.cpa) {
    if (userIndex !== file.uploaderIndex && random.chance(byClient ? 0.85 : 0.12)) visit(userIndex);
  }
  return entries;
}

/** How the firm was set up and administered: the entries without a file. */
function adminActivityOf(plan: Pick<FirmPlan, 'clients' | 'users' | 'roles' | 'reportTypes'>): PlannedActivity[] {
  const entries: PlannedActivity[] = [];
  const random = createRandom('administration');
  const add = (action: ActivityAction, atMs: number, details: string, clientIndex: number | null = null) => {
    if (atMs > ANCHOR_MS) return;
    entries.push({ action, atMs, userIndex: 0, clientIndex, fileIndex: null, fileName: null, details });
  };
  plan.reportTypes.forEach((name, index) => {
    add('update', OPENING_MS + index * 20_000, `Created report type: ${name}`);
  });
  plan.roles.forEach((role, index) => {
    add('update', OPENING_MS + 400_000 + index * 60_000, createdDetails('role', role.name));
    const changed = changedDetails({ ...newRoleRights, name: role.name }, role);
    add('update', OPENING_MS + 430_000 + index * 60_000, changed);
  });
  plan.clients.forEach((client, clientIndex) => {
    add('update', client.createdAtMs, `Created client: ${client.name}`, clientIndex);
    for (let change = 0; change < 2; change += 1) {
      if (!random.chance(0.5)) continue;
      const atMs = client.createdAtMs + Math.round(random.next() * (ANCHOR_MS - client.createdAtMs));
      add('update', atMs, `Updated client: ${client.name}`, clientIndex);
    }
  });
  plan.users.forEach((user, index) => {
    const { username, roleName } = user;
    const created = `${createdDetails('user', username)}, role ${roleName}`;
    if (index > 0) add('update', user.createdAtMs + index * 45_000, created);
    if (user.former) add('delete', momentMs(ANCHOR_DAY - 300, 950), `Deleted user: ${username}`);
    else if (random.chance(0.25)) {
      const atMs = user.createdAtMs + Math.round(random.next() * (ANCHOR_MS - user.createdAtMs));
      add('update', atMs, updatedDetails('user', username, username, ['mail address changed']));
    }
  });
  return entries;
}

/** A few files that were uploaded by mistake and deleted soon after: only the log still knows them. */
function mistakesOf(files: readonly PlannedFile[]): PlannedActivity[] {
  return files.flatMap((file, index) => {
    if (index % 400 !== 57 || file.fileType !== 'report') return [];
    const { clientIndex, uploaderIndex: userIndex } = file;
    const fileName = `WRONG CLIENT ${file.originalName}`.slice(0, 120);
    const gone = { clientIndex, userIndex, fileIndex: null, fileName };
    return [
      { ...gone, action: 'upload', atMs: file.uploadedAtMs - 260_000, details: `Uploaded file: ${fileName}` },
      { ...gone, action: 'delete', atMs: file.uploadedAtMs - 95_000, details: `Deleted file: ${fileName}` },
    ] satisfies PlannedActivity[];
  });
}

/** One client in so many has no expectations yet. */
const CLIENTS_A_NEW_ONE = 8;
/** They come when the agency writes one. */
const NEVER_EXPECTED: ReportTypeName = 'Tax Notice';

/** What the files of the clients speak for on the last day, as an Admin takes the board's own proposals over. */
function expectationsOf(files: readonly PlannedFile[]): PlannedExpectation[] {
  const byPlace = Map.groupBy(files, ({ clientIndex, reportTypeName }) => `${clientIndex} ${reportTypeName}`);
  return [...byPlace.values()].flatMap((delivered): PlannedExpectation[] => {
    const [{ clientIndex, reportTypeName }] = delivered as [PlannedFile];
    if (reportTypeName === null || reportTypeName === NEVER_EXPECTED) return [];
    if (clientIndex % CLIENTS_A_NEW_ONE === CLIENTS_A_NEW_ONE - 1) return [];
    const history = delivered.flatMap(({ originalName, uploadedAtMs }) => {
      const period = proposePeriod(originalName);
      return period === null ? [] : [{ key: periodKey(period), at: uploadedAtMs }];
    });
    const proposed = proposeFrom(firstOfEach(history), isoDate(ANCHOR_DAY));
    if (proposed === null) return [];
    const { frequency, dueDays, starts } = proposed;
    return [{ clientIndex, reportTypeName, frequency, dueDays, starts }];
  });
}

/** The first delivery of each period, from those in the order of time. */
function firstOfEach<T extends { readonly key: string }>(history: readonly T[]): T[] {
  return [...new Map(history.toReversed().map((one) => [one.key, one])).values()];
}

/** Plans a firm of `size`. The same size gives the same plan, down to the last minute and name. */
export function planFirm(size: FirmSize): FirmPlan {
  const { companies, people, clientIndexOf } = castOf(size);
  const startMs = size === 'full' ? momentMs(HISTORY_START_DAY, 0) : SMALL_HISTORY_START_MS;
  const facts = {
    clients: companies.map(clientFrom),
    roles: CUSTOM_ROLES,
    reportTypes: REPORT_TYPE_NAMES,
    users: people.map((person) => userFrom(person, clientIndexOf)),
  };

  const filed = companies
    .flatMap((company) => filingsOf(company, people).map((filing) => ({ company, filing })))
    .filter(({ filing }) => filing.uploadedAtMs >= startMs && filing.uploadedAtMs <= ANCHOR_MS)
    .sort(
      (one, other) => one.filing.uploadedAtMs - other.filing.uploadedAtMs || one.company.index - other.company.index,
    );
  const files = filed.map(
    ({ company, filing }): PlannedFile => ({ clientIndex: clientIndexOf.get(company.index) ?? 0, ...filing }),
  );

  const uploads = files.map(
    (file, fileIndex): PlannedActivity => ({
      action: 'upload',
      atMs: file.uploadedAtMs,
      userIndex: file.uploaderIndex,
      clientIndex: file.clientIndex,
      fileIndex,
      fileName: file.originalName,
      details: `Uploaded file: ${file.originalName}`,
    }),
  );
  const accesses = filed.flatMap(({ company, filing }, fileIndex) => {
    const file = files[fileIndex];
    return file === undefined ? [] : accessesOf(file, fileIndex, readersOf(filing, company, people));
  });
  const activity = [...adminActivityOf(facts), ...uploads, ...accesses, ...mistakesOf(files)].sort(
    (one, other) => one.atMs - other.atMs || one.userIndex - other.userIndex,
  );
  return { size, password: DEMO_PASSWORD, ...facts, files, expectations: expectationsOf(files), activity };
}
