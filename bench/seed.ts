// Seeds a firm of a given size directly into the tables, the same on either engine, with the few blobs that the benchmark reads.

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { foldKey } from '#contract/fields.ts';
import { searchForm } from '#contract/search.ts';
import { createBuiltInRoles } from '#server/people/auth/first-start.ts';
import { createPasswordHasher } from '#server/people/auth/password-hasher.ts';
import { KeyFile } from '#server/platform/blobs/encryption/master-keys.ts';
import { openBlobStore } from '#server/platform/blobs/open-blob-store.ts';
import { openDatabase } from '#server/platform/db/connect.ts';
import { skeletonOf } from '#server/platform/names/name-forms.ts';
import { pdfBytes } from './bodies.ts';
import { openSeedDatabase, type SeedDatabase } from './seed-database.ts';
import { FLOOR_BLOBS } from './settings.ts';

/** How large the firm around the files is. */
export interface FirmSize {
  readonly clients: number;
  /** Users of the Client role; an Admin and a CPA come in addition. */
  readonly clientUsers: number;
}

const USUAL_SIZE: FirmSize = { clients: 500, clientUsers: 58 };
const REPORT_TYPES = [
  'Payroll Summary',
  'Payroll Register',
  'Tax Liability',
  'Form 941',
  'Form 940',
  'W-2',
  'W-3',
  '1099-NEC',
  'State Withholding',
  'State Unemployment',
  'Workers Compensation',
  'Retirement Plan',
  'Time and Attendance',
  'Year-End Package',
];
const CPA_EVERY = 10;
/** Reports are kept for so long; one file in so many is of a year that was over long before. */
const RETENTION_YEARS = 7;
const OLD_EVERY = 1_000;
const OLD_YEAR = 2016;
/**
 * One client of the CPA has about this many files at every size, at the cost of the CPA's other clients: enough for a full
 * page of each report type, while the CPA's share of all files stays a tenth. Only so do sizes compare.
 */
const BUSY_CLIENT = 1;
const BUSY_FILES = 560;
const DOWNLOADS = 32;
const DOWNLOAD_BYTES = 100 * 1024;
const SPAN_MS = 2 * 365 * 24 * 60 * 60_000;
const SEEDED_AT_ONCE = 100_000;

export const PASSWORD = 'bench-password-1';
export const USERS = { admin: 'bench-admin', cpa: 'bench-cpa', client: 'bench-client-1' } as const;

/** The users of the Client role. */
const usernamesOf = (size: FirmSize) =>
  Array.from({ length: size.clientUsers }, (_, index) => `bench-client-${index + 1}`);

/** What the scenarios ask for. */
export interface Firm {
  readonly fileCount: number;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Whether its files are stored in plain. */
  readonly plain: boolean;
  /** Client and report type pairs in the CPA's reach, each with 20 files or more. */
  readonly pairs: readonly { clientId: number; reportTypeId: number }[];
  readonly cpaClientIds: readonly number[];
  readonly clientUsernames: readonly string[];
  /** Files in the CPA's reach whose bytes exist. */
  readonly downloads: readonly { id: number; sha256: string; sizeBytes: number }[];
}

/** Spreads consecutive numbers over 0 to SCATTERED_MAX, the same way at each run and on each engine. */
const scatter = (n: string) =>
  `((${n}) * 48271 % ${SCATTERED_MAX}) * ((${n}) * 48271 % ${SCATTERED_MAX}) % ${SCATTERED_MAX}`;
const SCATTERED_MAX = 2_147_483_647;

/**
 * Makes `dataDir` the data folder, and the empty database `databaseUrl` the database, of a firm with `fileCount` files. `addMore` may
 * add rows and move files before they are counted.
 */
export async function seed(
  { databaseUrl, dataDir, plain = false }: { databaseUrl: string; dataDir: string; plain?: boolean },
  fileCount: number,
  size = USUAL_SIZE,
  addMore: (db: SeedDatabase) => Promise<void> = async () => {},
): Promise<Firm> {
  const now = Date.now();
  const database = await openDatabase(databaseUrl);
  await database.migrate();
  await createBuiltInRoles(database, now);
  await database.close();
  const passwordHash = await createPasswordHasher().hash(PASSWORD);

  const db = await openSeedDatabase(databaseUrl);
  try {
    await db.beginBulk();
    const cpaClientIds = await seedFirm(db, passwordHash, now, size);
    await seedFiles(db, fileCount, now, size);
    await addMore(db);
    await countFiles(db);
    const downloads = await seedBlobs(db, dataDir, plain);
    await db.endBulk();
    const pairs = REPORT_TYPES.map((_, index) => ({ clientId: BUSY_CLIENT, reportTypeId: index + 1 }));
    const clientUsernames = usernamesOf(size);
    return { fileCount, dataDir, databaseUrl, plain, pairs, cpaClientIds, clientUsernames, downloads };
  } finally {
    await db.close();
  }
}

/** A name with the columns next to it. */
const withSkeleton = (name: string) => [name, foldKey(name), skeletonOf(name)];
const withKeys = (name: string) => [...withSkeleton(name), searchForm(name)];

/** Clients, report types, users and access lists; answers the CPA's clients. */
async function seedFirm(db: SeedDatabase, passwordHash: string, now: number, size: FirmSize): Promise<number[]> {
  const clients = Array.from({ length: size.clients }, (_, index) => {
    const number = String(index + 1).padStart(3, '0');
    const name = `Northfield ${['Bakery', 'Dental', 'Roofing', 'Logistics', 'Books'][index % 5]} ${number} LLC`;
    const address = `${index + 1} Harbor Street, Springfield`;
    const [phone, email, ein, state] = [
      `(555)-555-0${number}`,
      `office${number}@example.com`,
      `00-0000${number}`,
      `S${number}`,
    ];
    const searched = [name, email, phone, ein, state, address].map(searchForm).join('\n');
    return [index + 1, ...withKeys(name), address, phone, email, ein, state, index % 90, '2020-01-01', searched, now];
  });
  await db.insert(
    `clients (id, name, name_key, name_skeleton, search_name, address, phone, email, federal_id, state_id, employee_count, start_date, search_text, created_at)`,
    clients,
  );
  await db.insert(
    'report_types (id, name, name_key, name_skeleton, search_name, created_at, retention_years)',
    REPORT_TYPES.map((name, index) => [index + 1, ...withKeys(name), now, RETENTION_YEARS]),
  );

  const roles = await db.rows<{ id: number; key: string }>('select id, system_key as key from roles');
  const roleId = (key: string) => Number(roles.find((role) => role.key === key)?.id);
  const [admin, cpa, client] = [roleId('admin'), roleId('cpa'), roleId('client')];
  const usernames: [string, number][] = [
    [USERS.admin, admin],
    [USERS.cpa, cpa],
    ...usernamesOf(size).map((username): [string, number] => [username, client]),
  ];
  await db.insert(
    'users (id, username, username_key, username_skeleton, full_name, full_name_key, full_name_skeleton, search_name, password_hash, role_id, created_at)',
    usernames.map(([username, role], index) => {
      const fullName = `Person ${index + 1}`;
      const searched = `${searchForm(fullName)}\n${searchForm(username)}`;
      return [index + 1, ...withSkeleton(username), ...withSkeleton(fullName), searched, passwordHash, role, now];
    }),
  );
  const [, cpaId, firstClientUser] = [1, 2, 3];
  const cpaClientIds = clients.map((_, index) => index + 1).filter((id) => id % CPA_EVERY === 1);
  await db.insert('user_clients (user_id, client_id)', [
    ...cpaClientIds.map((id) => [cpaId, id]),
    ...Array.from({ length: size.clientUsers }, (_, index) => [firstClientUser + index, index + 1]),
  ]);
  const listed = [cpaId, ...Array.from({ length: size.clientUsers }, (_, index) => firstClientUser + index)];
  await db.insert(
    'user_report_types (user_id, report_type_id)',
    listed.flatMap((id) => REPORT_TYPES.map((_, index) => [id, index + 1])),
  );
  return cpaClientIds;
}

/** The files with their upload entries. */
async function seedFiles(db: SeedDatabase, fileCount: number, now: number, { clients }: FirmSize): Promise<void> {
  const busyShare = Math.min(1, (BUSY_FILES * CPA_EVERY) / fileCount);
  const stepMs = Math.floor(SPAN_MS / fileCount);
  const start = now - stepMs * (fileCount + 1);
  const { withIds, hex32, newline, dayOfMs } = db.words;
  const isOld = `i % ${OLD_EVERY} = 1`;
  // Months by their last regular pay date, each year's last as the year: what a firm's names say.
  const day = dayOfMs(`${start} + i * ${stepMs}`);
  const period = `case when ${isOld} then '${OLD_YEAR}' when i % 9 = 0 then null when i % 7 = 0 then substr(day, 1, 4) else day end`;
  const periodKey = `case when ${isOld} then '${OLD_YEAR}-99' when i % 9 <> 0 and i % 7 = 0 then substr(day, 1, 4) || '-99' else day end`;
  for (let first = 1; first <= fileCount; first += SEEDED_AT_ONCE) {
    const last = Math.min(fileCount, first + SEEDED_AT_ONCE - 1);
    await db.run('begin');
    await db.run(`
      insert into files (id, original_name, name_key, search_name, period, period_key, storage_key, size_bytes, sha256, content_type, file_type, document_type,
        client_id, report_type_id, access_key, uploaded_by_id, uploader_name, uploaded_at, sent_by_client, opened_by_client_at) ${withIds}
      with recursive
        series (i) as (select cast(${first} as bigint) union all select i + 1 from series where i < ${last}),
        drawn as (
          select i, ${scatter('i')} as a, ${scatter('i + 500000000')} as b,
            ${scatter('i + 1000000000')} < ${Math.floor(busyShare * SCATTERED_MAX)} and ${scatter('i')} % ${CPA_EVERY} = 0 as busy
          from series
        ),
        placed as (
          select i, a, b,
            case when busy then ${BUSY_CLIENT} else 1 + a % ${clients} end as client_id,
            case when busy or b % 100 < 86 then 1 + (b / 128) % ${REPORT_TYPES.length} end as report_type_id,
            case when busy or b % 100 < 88 then 'report' else 'company_document' end as file_type
          from drawn
        ),
        named as (
          select placed.*, ${day} as day, coalesce(report_types.name, 'Document') || ' ' || (2024 + a / 4096 % 2) || '-' || (1 + b / 4096 % 12) || ' ' || i || '.pdf' as name
          from placed left join report_types on report_types.id = report_type_id
        )
      select i, name, lower(name), replace(replace(lower(name), '-', ''), '.', ''), ${period}, ${periodKey}, ${hex32}, 20000 + a / 8 % 900000, ${hex32} || ${hex32},
        'application/pdf', file_type, case file_type when 'company_document' then 'Tax Return' end,
        client_id, report_type_id, case when file_type = 'company_document' then -1 else coalesce(report_type_id, 0) end,
        1, 'Person 1', ${start} + i * ${stepMs},
        -- Half of the documents are sent by Client users; nineteen of twenty reports have been opened.
        case when file_type = 'company_document' then b / 1024 % 2 else 0 end,
        case when file_type = 'report' and b / 1024 % 20 > 0 then ${start} + (i + 1) * ${stepMs} end
      from named`);
    await db.run(`
      insert into activity (id, action, file_id, file_name, details, user_id, user_name, client_id, client_name,
        search_text, at) ${withIds}
      select files.id, 'upload', files.id, original_name, 'Uploaded file: ' || original_name, uploaded_by_id, uploader_name,
        client_id, clients.name,
        'uploaded file ' || files.search_name || ${newline} || files.search_name || ${newline} || lower(uploader_name) || ${newline} || clients.search_name,
        uploaded_at
      from files join clients on clients.id = client_id where files.id between ${first} and ${last}`);
    await db.run('commit');
  }
}

async function countFiles(db: SeedDatabase): Promise<void> {
  await db.run(`insert into file_counts (client_id, access_key, owner_id, document_type, n)
    select client_id, access_key, case when access_key = 0 then coalesce(uploaded_by_id, 0) else 0 end,
      coalesce(document_type, ''), count(*) from files group by 1, 2, 3, 4`);
  await db.run(
    `insert into activity_counts (user_id, client_id, action, n) select user_id, client_id, action, count(*) from activity group by 1, 2, 3`,
  );
}

/** Enters the bytes of every file, and writes real ones under some of the CPA's newest reports. */
async function seedBlobs(db: SeedDatabase, dataDir: string, plain: boolean): Promise<Firm['downloads']> {
  const rows = await db.rows<{ id: number | string; key: string }>(
    `select id, storage_key as key from files where report_type_id is not null and client_id % ${CPA_EVERY} = 1
     order by id desc limit ${DOWNLOADS}`,
  );
  // As the server stores them: it makes these keys its own when it starts.
  const keys = new KeyFile(join(dataDir, 'files.keys'));
  await keys.make();
  const encryption = { keys, writes: plain ? 'plain' : 'encrypted', readsPlain: plain } as const;
  const store = await openBlobStore({ kind: 'disk', root: join(dataDir, 'blobs') }, { encryption });
  mkdirSync(join(dataDir, FLOOR_BLOBS), { recursive: true });
  const downloads: Firm['downloads'][number][] = [];
  for (const { id, key } of rows) {
    const bytes = pdfBytes(DOWNLOAD_BYTES);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const staged = await store.stage(Readable.from([bytes]), { maxBytes: bytes.length, storageKey: key });
    await staged.publish();
    writeFileSync(join(dataDir, FLOOR_BLOBS, key), bytes);
    await db.run(`update files set size_bytes = ${bytes.length}, sha256 = '${sha256}' where id = ${id}`);
    downloads.push({ id: Number(id), sha256, sizeBytes: bytes.length });
  }
  // In the order of the key, so that rows are written one after the other.
  await store.close();
  await db.run(`insert into blobs (storage_key, size_bytes, sha256, state, purpose, created_at, key_version)
    select storage_key, size_bytes, sha256, 'live', 'file', uploaded_at, ${plain ? 0 : 1} from files order by storage_key || ''`);
  return downloads;
}
