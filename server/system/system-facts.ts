// How the portal itself fares: the facts that the page System and `npm run admin -- doctor` both tell, and what is wrong with them.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { BACKUP_COMMAND, backupWarnings } from '#contract/backup-words.ts';
import { counted, sizeWords } from '#contract/plain-words.ts';
import type { SystemFacts, SystemWarning } from '#contract/system.ts';
import { DAMAGED_SHOWN } from '#contract/system-words.ts';
import { presentBackup, readBackedUp } from '../audit/backup-runs.ts';
import type { Config } from '../config.ts';
import type { FirmFace } from '../people/access/firm-settings.ts';
import { type KeyMissing, keyFaults } from '../people/auth/key-faults.ts';
import { freeBytesAt } from '../platform/blobs/free-space.ts';
import { parseBlobUrl } from '../platform/blobs/open-blob-store.ts';
import { HOUR_MS } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { instantOrNull } from '../platform/instant.ts';
import { damagedFiles, databaseSize, failingMails, jobCounts, orphansLeft, storedFiles } from './system-rows.ts';

export interface SystemStores {
  readonly database: Database;
  readonly config: Pick<
    Config,
    | 'databaseUrl'
    | 'blobUrl'
    | 'scrubDays'
    | 'backup'
    | 'mail'
    | 'encryption'
    | 'keyFile'
    | 'blobKeys'
    | 'secretsKeyFile'
  >;
  readonly face: Pick<FirmFace, 'get'>;
  /** Rejects where the store takes no bytes now. */
  readonly checkStore: () => Promise<void>;
  readonly now: () => number;
}

export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** Two gigabytes: uploads are refused below a quarter of one. */
const ROOM_MIN_BYTES = 2 * 1024 ** 3;

/** Null where the place cannot be asked. */
const roomAt = (folder: string): Promise<number | null> => freeBytesAt(folder).catch(() => null);

function placeOfDatabase(url: string): string {
  if (url.startsWith('sqlite:')) return url.slice('sqlite:'.length);
  const { host, pathname } = new URL(url);
  return `${host}${decodeURIComponent(pathname)}`;
}

export async function readSystemFacts({ database, config, face, checkStore, now }: SystemStores): Promise<SystemFacts> {
  const at = now();
  const store = parseBlobUrl(config.blobUrl);
  const isSqlite = database.kind === 'sqlite';
  const [{ name }, sizeBytes, stored, damaged, orphans, jobs, failing, backedUp, keys, answers] = await Promise.all([
    face.get(),
    databaseSize(database),
    storedFiles(database),
    damagedFiles(database, DAMAGED_SHOWN),
    orphansLeft(database),
    jobCounts(database, at),
    failingMails(database, at),
    readBackedUp(database),
    keyFaults(config, database),
    checkStore().then(
      () => true,
      () => false,
    ),
  ]);
  const { mail } = config;
  const facts: Omit<SystemFacts, 'warnings'> = {
    version,
    database: {
      engine: isSqlite ? 'SQLite' : 'PostgreSQL',
      place: placeOfDatabase(config.databaseUrl),
      sizeBytes,
      freeBytes: isSqlite ? await roomAt(dirname(placeOfDatabase(config.databaseUrl))) : null,
    },
    store: {
      place: store.kind === 'disk' ? store.root : `s3://${store.bucket}/${store.prefix}`,
      ...stored,
      damagedFiles: damaged,
      freeBytes: store.kind === 'disk' ? await roomAt(store.root) : null,
      rereadDays: config.scrubDays,
      answers,
    },
    jobs: { ...jobs, dueSince: instantOrNull(jobs.dueSince) },
    backup: presentBackup(backedUp, config, at),
    mail: {
      setUp: mail && {
        server: `${mail.server.host}:${mail.server.port}`,
        from: `${mail.from.name || name} <${mail.from.address}>`,
      },
      failing: mail === null ? 0 : failing,
    },
  };
  return { ...facts, warnings: [...keys.map(warningOfKey), ...warningsOf(facts, orphans, at)] };
}

const agree = (count: number, noun: string, one: string, many: string) =>
  `${counted(count, noun)} ${count === 1 ? one : many}`;

const ON_JOBS = 'Look at Background Jobs: each says why, and can be run again.';

/** What is said of work that has waited for long: where other work runs, such as a long batch, somebody does it. */
const LATE_WORK = {
  idle: {
    words: 'is not done',
    toDo: 'See that the server runs with JOBS=on, or that `npm run worker` runs.',
  },
  busy: {
    words: 'is behind',
    toDo: 'Look at Background Jobs: what runs there says how far it is, and the others come in their turn.',
  },
} as const;

const warningOfKey = ({ of, fault, belongs, without }: KeyMissing): SystemWarning => ({
  about: of === 'files' ? 'store' : 'database',
  says: `The key of ${of === 'files' ? 'stored files' : 'sealed secrets'} is missing or not the right one: without it ${without}.`,
  toDo: `${fault} It belongs ${belongs}.`,
});

/** What to do about damaged files: of those that belong to nothing, nothing. */
function damageToDo({ damaged, damagedFiles: { length: listed } }: SystemFacts['store']): string {
  if (listed === 0) return `Nothing that is kept has ${damaged === 1 ? 'it' : 'them'}, so that nobody misses anything.`;
  const [are, them] = listed === 1 ? ['is', 'it'] : ['are', 'them'];
  const which =
    listed >= damaged
      ? `${listed === 1 ? 'It is' : 'They are'} listed below.`
      : listed >= DAMAGED_SHOWN
        ? `The first ${listed} are listed below.`
        : `${listed} of them ${are} listed below; nothing that is kept has the ${damaged - listed === 1 ? 'other' : 'others'}.`;
  return `${which} Bring ${them} back from a backup, which is noticed within about an hour, or have ${them} sent again.`;
}

/** What else is wrong, worst first. */
function warningsOf(facts: Omit<SystemFacts, 'warnings'>, orphans: number, at: number): SystemWarning[] {
  const { database, store, jobs, backup, mail } = facts;
  const late = LATE_WORK[jobs.running > 0 ? 'busy' : 'idle'];
  const found: (SystemWarning | false)[] = [
    !store.answers && {
      about: 'store',
      says: 'The place where files are kept takes no files now.',
      toDo: 'See whether the disk is mounted and may be written to, or whether the bucket answers (BLOB_URL).',
    },
    store.damaged > 0 && {
      about: 'store',
      says: `${agree(store.damaged, 'stored file', 'is', 'are')} missing or damaged.`,
      toDo: damageToDo(store),
    },
    orphans > 0 && {
      about: 'store',
      says: `${agree(orphans, 'stored file', 'is', 'are')} unknown to the database, more than is removed unseen.`,
      toDo: 'See whether DATABASE_URL and BLOB_URL are of one firm, and no older database stands beside newer files. If so nothing is missing: what is unknown only takes room, and goes once it is at most 5 % of all, and at most 100.',
    },
    store.freeBytes !== null &&
      store.freeBytes < ROOM_MIN_BYTES && {
        about: 'store',
        says: `Only ${sizeWords(store.freeBytes)} are free where files are kept.`,
        toDo: 'Make room, or move the files to a larger place. Uploads are refused when 256 MB are left.',
      },
    database.freeBytes !== null &&
      database.freeBytes < ROOM_MIN_BYTES && {
        about: 'database',
        says: `Only ${sizeWords(database.freeBytes)} are free where the database is.`,
        toDo: 'Make room, or move the database. Without room nothing can be saved.',
      },
    jobs.dueSince !== null &&
      at - Date.parse(jobs.dueSince) > HOUR_MS && {
        about: 'jobs',
        says: `Work in the background ${late.words}: ${agree(jobs.due, 'job', 'has', 'have')} waited, the oldest for more than an hour.`,
        toDo: late.toDo,
      },
    jobs.failed > 0 && {
      about: 'jobs',
      says: `${agree(jobs.failed, 'background job', 'has', 'have')} failed within three days.`,
      toDo: ON_JOBS,
    },
    backup === null && {
      about: 'backup',
      says: 'There is no backup of this firm.',
      toDo: `Set BACKUP_URL for one a day, or run ${BACKUP_COMMAND}.`,
    },
    ...(backup === null ? [] : backupWarnings(backup)).map((warning) => ({ about: 'backup' as const, ...warning })),
    mail.failing > 0 && {
      about: 'mail',
      says: `${counted(mail.failing, 'mail')} did not get through.`,
      toDo: 'Look at Mail: each says why. What waits is tried again by itself, what failed once you say so there.',
    },
  ];
  return found.filter((warning) => warning !== false);
}
