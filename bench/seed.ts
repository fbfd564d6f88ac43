// Lays down a firm of a given size straight in the tables: the database and the few blobs that the benchmark reads.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { foldKey } from '#contract/fields.ts';
import { createBuiltInRoles } from '#server/auth/first-start.ts';
import { createPasswordHasher } from '#server/auth/password-hasher.ts';
import { treePath } from '#server/blobs/storage-key.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { skeletonOf } from '#server/names/look-alike.ts';

/** How large the firm around the files is. */
export interface FirmSize {
  readonly clients: number;
  /** Users of the Client role; an Admin and a CPA come on top. */
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
/**
 * One client of the CPA has about so many files at every size, at the cost of the CPA's other clients: enough for a full
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
  readonly databasePath: string;
  /** Client and report type pairs in the CPA's reach, each with 20 files or more. */
  readonly pairs: readonly { clientId: number; reportTypeId: number }[];
  readonly cpaClientIds: readonly number[];
  readonly clientUsernames: readonly string[];
  /** Files in the CPA's reach whose bytes are there. */
  readonly downloads: readonly { id: number; sha256: string; sizeBytes: number }[];
}

/** Spreads consecutive numbers over 32 bits, the same way at each run. */
function scatter(n: number): number {
  let h = n | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Makes `dataDir` a data folder with `fileCount` files in the database. */
export async function seed(dataDir: string, fileCount: number, size = USUAL_SIZE): Promise<Firm> {
  const databasePath = join(dataDir, 'coffer.db');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const now = Date.now();
  const database = openSqlite(databasePath);
  await database.migrate();
  await createBuiltInRoles(database, now);
  await database.close();
  const passwordHash = await createPasswordHasher().hash(PASSWORD);

  const db = new DatabaseSync(databasePath);
  // Nothing here is worth a flush: a seeding that breaks off is thrown away whole.
  db.exec('pragma journal_mode = off');
  for (const pragma of ['synchronous = off', 'cache_size = -200000', 'temp_store = memory', 'foreign_keys = off']) {
    db.exec(`pragma ${pragma}`);
  }
  try {
    const cpaClientIds = seedFirm(db, passwordHash, now, size);
    await seedFiles(db, fileCount, now, size);
    const downloads = giveBytes(db, dataDir);
    db.exec('pragma journal_mode = wal');
    const pairs = REPORT_TYPES.map((_, index) => ({ clientId: BUSY_CLIENT, reportTypeId: index + 1 }));
    const clientUsernames = usernamesOf(size);
    return { fileCount, dataDir, databasePath, pairs, cpaClientIds, clientUsernames, downloads };
  } finally {
    db.close();
  }
}

/** Inserts rows of one width, many to a statement, in one transaction. */
function insertRows(db: DatabaseSync, into: string, rows: readonly (string | number)[][]): void {
  const [first] = rows;
  if (first === undefined) return;
  const tuple = `(${first.map(() => '?').join(', ')})`;
  db.exec('begin');
  for (let at = 0; at < rows.length; at += 500) {
    const some = rows.slice(at, at + 500);
    db.prepare(`insert into ${into} values ${some.map(() => tuple).join(', ')}`).run(...some.flat());
  }
  db.exec('commit');
}

/** A name with what is kept beside it. */
const asKept = (name: string) => [name, foldKey(name), skeletonOf(name)];

/** Clients, report types, users and access lists; answers the CPA's clients. */
function seedFirm(db: DatabaseSync, passwordHash: string, now: number, size: FirmSize): number[] {
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
    const searched = [name, email, phone, ein, state, address].map(foldKey).join('\n');
    return [index + 1, ...asKept(name), address, phone, email, ein, state, index % 90, '2020-01-01', searched, now];
  });
  insertRows(
    db,
    `clients (id, name, name_key, name_skeleton, address, phone, email, federal_id, state_id, employee_count, start_date, search_text, created_at)`,
    clients,
  );
  insertRows(
    db,
    'report_types (id, name, name_key, name_skeleton, created_at)',
    REPORT_TYPES.map((name, index) => [index + 1, ...asKept(name), now]),
  );

  const roleId = (key: string) =>
    Number(db.prepare('select id from roles where system_key = ?').get(key)?.['id'] ?? Number.NaN);
  const [admin, cpa, client] = [roleId('admin'), roleId('cpa'), roleId('client')];
  const usernames: [string, number][] = [
    [USERS.admin, admin],
    [USERS.cpa, cpa],
    ...usernamesOf(size).map((username): [string, number] => [username, client]),
  ];
  insertRows(
    db,
    'users (id, username, username_key, username_skeleton, full_name, full_name_key, full_name_skeleton, password_hash, role_id, created_at)',
    usernames.map(([username, role], index) => {
      return [index + 1, ...asKept(username), ...asKept(`Person ${index + 1}`), passwordHash, role, now];
    }),
  );
  const [, cpaId, firstClientUser] = [1, 2, 3];
  const cpaClientIds = clients.map((_, index) => index + 1).filter((id) => id % CPA_EVERY === 1);
  insertRows(db, 'user_clients (user_id, client_id)', [
    ...cpaClientIds.map((id) => [cpaId, id]),
    ...Array.from({ length: size.clientUsers }, (_, index) => [firstClientUser + index, index + 1]),
  ]);
  const listed = [cpaId, ...Array.from({ length: size.clientUsers }, (_, index) => firstClientUser + index)];
  insertRows(
    db,
    'user_report_types (user_id, report_type_id)',
    listed.flatMap((id) => REPORT_TYPES.map((_, index) => [id, index + 1])),
  );
  return cpaClientIds;
}

/** The files with their upload entries and counters. Indexes are taken down before and built up after: far faster. */
async function seedFiles(db: DatabaseSync, fileCount: number, now: number, { clients }: FirmSize): Promise<void> {
  const indexes = db
    .prepare(
      `select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in ('files', 'activity')`,
    )
    .all() as { name: string; sql: string }[];
  for (const { name } of indexes) db.exec(`drop index ${name}`);
  const triggers = db
    .prepare(`select name, sql from sqlite_master where type = 'trigger' and tbl_name = 'files'`)
    .all() as { name: string; sql: string }[];
  for (const { name } of triggers) db.exec(`drop trigger ${name}`);

  const busyShare = Math.min(1, (BUSY_FILES * CPA_EVERY) / fileCount);
  db.function('scatter', { deterministic: true }, (n) => scatter(Number(n)));
  // Numbers come from JavaScript as reals.
  const insertFiles = db.prepare(`
    with recursive
      series (i) as (select cast(:first as integer) union all select i + 1 from series where i < :last),
      drawn as (
        select i, cast(scatter(i) as integer) as a, cast(scatter(i + 500000000) as integer) as b,
          scatter(i + 1000000000) / 4294967296.0 < :busyShare and scatter(i) % ${CPA_EVERY} = 0 as busy
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
        select placed.*, coalesce(report_types.name, 'Document') || ' ' || (2024 + a / 4096 % 2) || '-' || (1 + b / 4096 % 12) || ' ' || i || '.pdf' as name
        from placed left join report_types on report_types.id = report_type_id
      )
    insert into files (id, original_name, name_key, storage_key, size_bytes, sha256, content_type, file_type, document_type,
      client_id, report_type_id, uploaded_by_id, uploader_name, uploaded_at)
    select i, name, lower(name), lower(hex(randomblob(16))), 20000 + a / 8 % 900000, lower(hex(randomblob(32))),
      'application/pdf', file_type, case file_type when 'company_document' then 'Tax Return' end,
      client_id, report_type_id, 1, 'Person 1', cast(:start + i * :stepMs as integer)
    from named`);
  const insertActivity = db.prepare(`
    insert into activity (id, action, file_id, file_name, details, user_id, user_name, client_id, client_name,
      search_text, at)
    select files.id, 'upload', files.id, original_name, 'Uploaded file: ' || original_name, uploaded_by_id, uploader_name,
      client_id, clients.name,
      lower('Uploaded file: ' || original_name || char(10) || original_name || char(10) || uploader_name || char(10) || clients.name),
      uploaded_at
    from files join clients on clients.id = client_id where files.id between :first and :last`);
  const stepMs = Math.floor(SPAN_MS / fileCount);
  const start = now - stepMs * (fileCount + 1);
  for (let first = 1; first <= fileCount; first += SEEDED_AT_ONCE) {
    const last = Math.min(fileCount, first + SEEDED_AT_ONCE - 1);
    db.exec('begin');
    insertFiles.run({ first, last, start, stepMs, busyShare });
    insertActivity.run({ first, last });
    db.exec('commit');
    // A moment for whatever else waits, such as Ctrl-C.
    await new Promise((resolve) => setImmediate(resolve));
  }
  db.exec('begin');
  db.exec(`insert into blobs (storage_key, size_bytes, sha256, state, purpose, created_at)
    select storage_key, size_bytes, sha256, 'live', 'file', uploaded_at from files order by storage_key`);
  db.exec(`insert into file_counts (client_id, access_key, owner_id, document_type, n)
    select client_id, access_key, case when access_key = 0 then coalesce(uploaded_by_id, 0) else 0 end,
      coalesce(document_type, ''), count(*) from files group by 1, 2, 3, 4`);
  for (const words of ['file_words', 'activity_words']) db.exec(`insert into ${words} (${words}) values ('rebuild')`);
  db.exec(`update indexed_words set through_id = (select max(id) from activity)`);
  db.exec(
    `insert into activity_counts (user_id, client_id, action, n) select user_id, client_id, action, count(*) from activity group by 1, 2, 3`,
  );
  for (const { sql } of indexes) {
    db.exec(sql);
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const { sql } of triggers) db.exec(sql);
  db.exec('commit');
}

/** Writes real bytes under some of the CPA's newest reports and makes their rows say so. */
function giveBytes(db: DatabaseSync, dataDir: string): Firm['downloads'] {
  const rows = db
    .prepare(
      `select id, storage_key as storageKey from files where report_type_id is not null and client_id % ${CPA_EVERY} = 1
       order by id desc limit ${DOWNLOADS}`,
    )
    .all() as { id: number; storageKey: string }[];
  const update = db.prepare('update files set size_bytes = ?, sha256 = ? where id = ?');
  const updateBlob = db.prepare('update blobs set size_bytes = ?, sha256 = ? where storage_key = ?');
  return rows.map(({ id, storageKey }) => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(DOWNLOAD_BYTES - 9)]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = join(dataDir, 'blobs', treePath(storageKey));
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, bytes, { mode: 0o600 });
    update.run(bytes.length, sha256, id);
    updateBlob.run(bytes.length, sha256, storageKey);
    return { id, sha256, sizeBytes: bytes.length };
  });
}
