// What the features need besides their viewer's scope; `context.ts` creates it once per process.

import type { SystemFacts } from '#contract/system.ts';
import type { AccessLog } from './audit/access-log.ts';
import type { SecurityLog } from './audit/security-events.ts';
import type { WrongClientGuard } from './batches/wrong-client/guard.ts';
import type { CofferJobs } from './coffer-jobs.ts';
import type { Config } from './config.ts';
import type { Outbox } from './mail/outbox.ts';
import type { FirmFace } from './people/access/firm-settings.ts';
import type { PasswordHasher } from './people/auth/password-hasher.ts';
import type { BlobStore } from './platform/blobs/blob-store.ts';
import type { Clock } from './platform/clock.ts';
import type { Jobs } from './platform/jobs/jobs.ts';

export interface Services {
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
