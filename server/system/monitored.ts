// What a monitor is told of the stores: asked for where it is read, so that nobody pays for it otherwise.
import type { SystemFacts } from '#contract/system.ts';
import type { StoreFaults } from '../platform/blobs/store-faults.ts';
import type { ConnectionWaits } from '../platform/db/connection-waits.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import type { JobsOfKind, MailsOfState } from './system-rows.ts';

export interface Monitored {
  readonly engine: DatabaseKind;
  readonly facts: () => Promise<SystemFacts>;
  readonly jobs: () => Promise<readonly JobsOfKind[]>;
  readonly mails: () => Promise<readonly MailsOfState[]>;
  /** `open` and `idle` are those of a pool; absent where there is none. */
  readonly connections: () => { readonly open?: number; readonly idle?: number; readonly waits: ConnectionWaits };
  readonly storeFaults: StoreFaults;
}
