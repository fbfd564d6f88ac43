// What lives as long as the process: configuration, stores, sessions. Opened in order, closed in reverse.

import { mkdir } from 'node:fs/promises';
import type { SystemFacts } from '#contract/system.ts';
import { AccessLog } from './audit/access-log.ts';
import { type ChangeFeed, openChangeFeed } from './audit/change-feed.ts';
import type { SecurityLog } from './audit/security-events.ts';
import { openSecurityLog } from './audit/security-events.ts';
import { WrongClientGuard } from './batches/wrong-client/guard.ts';
import { type CofferJobs, cofferJobs } from './coffer-jobs.ts';
import { type Config, ConfigFault } from './config.ts';
import { type Ending, openEnding } from './mail/digests/ending.ts';
import type { Outbox } from './mail/outbox.ts';
import { openOutbox } from './mail/outbox.ts';
import { type MaintenanceJobs, maintenanceJobs } from './maintenance.ts';
import { FirmFace } from './people/access/firm-settings.ts';
import { actingFor } from './people/access/principal.ts';
import { openScopes, type Scopes } from './people/access/scope.ts';
import { type Attempts, openAttempts } from './people/auth/attempts.ts';
import { createBuiltInRoles, hasUsers, makeFirstAdmin } from './people/auth/first-start.ts';
import { type Invitations, openInvitations } from './people/auth/invitations.ts';
import { createPasswordHasher, type PasswordHasher } from './people/auth/password-hasher.ts';
import { openPasswordLinks, type PasswordLinks } from './people/auth/password-links.ts';
import { openSecondFactors, type SecondFactors } from './people/auth/second-factors.ts';
import { openSessionStore, type SessionStore } from './people/auth/sessions.ts';
import { type Admission, openAdmission } from './platform/admission/admission.ts';
import { hasBlobs } from './platform/blobs/blob-rows.ts';
import type { BlobStore } from './platform/blobs/blob-store.ts';
import { encryptionOf } from './platform/blobs/encryption/firm-keys.ts';
import { MissingFolder } from './platform/blobs/missing-folder.ts';
import { type BlobStoreOptions, openBlobStore, parseBlobUrl } from './platform/blobs/open-blob-store.ts';
import { StoreFaults } from './platform/blobs/store-faults.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { openDatabase } from './platform/db/connect.ts';
import type { Database } from './platform/db/database.ts';
import { Jobs } from './platform/jobs/jobs.ts';
import { openSealer } from './platform/sealed.ts';
import { newPassword } from './platform/secrets.ts';
import type { Monitored } from './system/monitored.ts';
import { readSystemFacts } from './system/system-facts.ts';
import { jobsByKind, mailsByState } from './system/system-rows.ts';

/** What the rooms are handed, each what it asks for. */
interface Services {
  readonly config: Config;
  /** The time in ms since the epoch; tests bring their own clock. */
  readonly now: () => number;
  /** Whatever is waited for. */
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly accessLog: AccessLog;
  readonly securityLog: SecurityLog;
  readonly passwords: PasswordHasher;
  /** What the firm shows of itself. */
  readonly face: FirmFace;
  /** Stops uploads that name another client than the chosen one. */
  readonly wrongClient: WrongClientGuard;
  /** Work in the background: ordered in the transaction of an act. */
  readonly jobs: Jobs<CofferJobs>;
  /** How the portal itself fares. */
  readonly system: () => Promise<SystemFacts>;
  /** Mails: written in the transaction of the act that they tell of. */
  readonly outbox: Outbox;
}

export interface Context {
  readonly services: Services;
  readonly sessions: SessionStore;
  readonly attempts: Attempts;
  readonly invitations: Invitations;
  readonly passwordLinks: PasswordLinks;
  readonly ending: Ending;
  readonly factors: SecondFactors;
  readonly scopes: Scopes;
  readonly admission: Admission;
  readonly changes: ChangeFeed;
  /** Runs nothing until it is started: the server does that once it listens, and a worker at once. */
  readonly jobs: Jobs<CofferJobs>;
  /** The kinds of job that the server runs by itself. */
  readonly maintenance: MaintenanceJobs;
  /** What `/metrics` tells of the stores. */
  readonly monitored: Monitored;
  /** Creates the first Admin on an empty database; returns the user name and the generated password. */
  makeFirstAdmin(): Promise<{ username: string; password: string | null } | null>;
  /** Whether the keys of the stored files were made by this start. */
  readonly hasNewKeys: boolean;
  /** Whether searches use the word index; otherwise they scan every name. */
  readonly findsWords: boolean;
  /** Rejects when the database or the blob store does not answer. */
  check(): Promise<void>;
  /** Does what the scheduled jobs do, now and in this process. */
  runMaintenance(): Promise<void>;
  close(): Promise<void>;
}

/** What a test may replace. */
export interface ContextOptions {
  readonly now?: () => number;
  readonly clock?: Clock;
  readonly database?: Database;
  readonly blobs?: BlobStore;
  readonly passwords?: PasswordHasher;
  readonly jobsAlone?: boolean;
}

export async function openContext(config: Config, options: ContextOptions = {}): Promise<Context> {
  const { now = Date.now, clock = systemClock } = options;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const database = options.database ?? (await openDatabase(config.databaseUrl));
  try {
    await database.migrate();
    await createBuiltInRoles(database, now());
    const encryption = await encryptionOf(config, database);
    const faults = new StoreFaults();
    const blobs =
      options.blobs ?? (await openStore(config, { encryption, faults, holdsFiles: await hasBlobs(database) }));
    const passwords = options.passwords ?? createPasswordHasher(config.passwordHash);
    const sealer = openSealer(config.secretsKeyFile);
    const outbox = openOutbox(config, sealer);
    const sessions = openSessionStore(database, now, { ...config, outbox });
    const admission = openAdmission();
    const attempts = openAttempts(database, now, admission);
    const factors = openSecondFactors(database, now, { sealer, outbox });
    if (config.safeguards) await factors.checkKey();
    const scopes = openScopes(database, sessions.within, now);
    const stores = { database, now, clock, sessions, attempts, factors, blobs };
    const face = new FirmFace(database, config, clock);
    const maintenance = maintenanceJobs(stores);
    const jobs = new Jobs(
      {
        database,
        now,
        clock,
        actingFor: (userId) => actingFor(userId, { scopes, findPerson: sessions.byPerson }),
        alone: options.jobsAlone,
      },
      cofferJobs({ ...stores, config, sealer, face, outbox, scopes, findPerson: sessions.byPerson }),
    );
    const services: Services = {
      config,
      now,
      clock,
      blobs,
      passwords,
      face,
      accessLog: new AccessLog(database, now),
      securityLog: openSecurityLog(database, now),
      jobs,
      system: () => readSystemFacts({ database, config, face, now, checkStore: () => blobs.check() }),
      outbox,
      wrongClient: new WrongClientGuard({ database, blobs, clock, now, admission, jobs }),
    };
    return {
      services,
      sessions,
      attempts,
      invitations: openInvitations(database, now, outbox),
      passwordLinks: openPasswordLinks({ database, sealer }, (tx, payload) =>
        jobs.enqueue(tx, { kind: 'session.password-link', payload }),
      ),
      ending: openEnding({ database, sealer, now }),
      factors,
      scopes,
      admission,
      changes: openChangeFeed(database),
      jobs,
      maintenance,
      monitored: {
        engine: database.kind,
        facts: services.system,
        jobs: () => jobsByKind(database),
        mails: () => mailsByState(database),
        connections: () => ({ ...database.pool(), waits: database.waits }),
        storeFaults: faults,
      },
      hasNewKeys: encryption.isNew,
      findsWords: database.hasWordIndex(),
      async makeFirstAdmin() {
        if (await hasUsers(database)) return null;
        const username = config.adminUsername;
        const generated = config.adminPassword === undefined ? newPassword() : null;
        const passwordHash = await passwords.hash(config.adminPassword ?? generated ?? '');
        const made = await makeFirstAdmin(database, { username, passwordHash, at: now() });
        return made ? { username, password: generated } : null;
      },
      async check() {
        await Promise.all([database.ping(), blobs.check()]);
      },
      async runMaintenance() {
        for (const work of Object.values(maintenance)) await work.now();
      },
      async close() {
        await jobs.stop();
        await services.wrongClient.close();
        await blobs.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

const FOLDER_MISSING = [
  'BLOB_URL: the folder of the files is missing, and the database knows files in it. Is its disk mounted?',
  'If the files are lost, restore a backup. To start without them, make that folder, and "staging" in it.',
];

async function openStore(config: Config, options: BlobStoreOptions): Promise<BlobStore> {
  try {
    return await openBlobStore(parseBlobUrl(config.blobUrl), options);
  } catch (error) {
    throw error instanceof MissingFolder ? new ConfigFault(FOLDER_MISSING) : error;
  }
}
