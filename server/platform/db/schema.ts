// The tables as TypeScript sees them, those of each noun in a file of its own; `migrations.ts` creates them. Times are milliseconds since the epoch (UTC).
import type { TablesOfAudit } from './schema/audit.ts';
import type { TablesOfAuth } from './schema/auth.ts';
import type { TablesOfBatches } from './schema/batches.ts';
import type { TablesOfBlobs } from './schema/blobs.ts';
import type { TablesOfFiles } from './schema/files.ts';
import type { TablesOfFirm } from './schema/firm.ts';
import type { TablesOfJobs } from './schema/jobs.ts';
import type { TablesOfMail } from './schema/mail.ts';
import type { TablesOfPeople } from './schema/people.ts';
import type { TablesOfRequests } from './schema/requests.ts';
import type { TablesOfRetention } from './schema/retention.ts';
import type { TablesOfTrash } from './schema/trash.ts';

export type { BlobPurpose } from './schema/blobs.ts';

export interface Schema
  extends TablesOfPeople,
    TablesOfAuth,
    TablesOfFirm,
    TablesOfBlobs,
    TablesOfFiles,
    TablesOfTrash,
    TablesOfRetention,
    TablesOfBatches,
    TablesOfRequests,
    TablesOfMail,
    TablesOfAudit,
    TablesOfJobs {}
