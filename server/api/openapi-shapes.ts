// The contract's shapes by the names it exports them under: the named components of the API's description.
import { z } from 'zod';
import * as activity from '#contract/activity.ts';
import * as archiveRequests from '#contract/archive-requests.ts';
import * as archives from '#contract/archives.ts';
import * as batchCertificate from '#contract/batch-certificate.ts';
import * as batches from '#contract/batches.ts';
import * as changes from '#contract/changes.ts';
import * as clients from '#contract/clients.ts';
import * as completeness from '#contract/completeness.ts';
import * as digests from '#contract/digests.ts';
import * as factors from '#contract/factors.ts';
import * as fileOpening from '#contract/file-opening.ts';
import * as filePeriods from '#contract/file-periods.ts';
import * as fileVersions from '#contract/file-versions.ts';
import * as files from '#contract/files.ts';
import * as firmSettings from '#contract/firm-settings.ts';
import * as firstSteps from '#contract/first-steps.ts';
import * as holds from '#contract/holds.ts';
import * as imports from '#contract/imports.ts';
import * as inside from '#contract/inside.ts';
import * as jobs from '#contract/jobs.ts';
import * as mail from '#contract/mail.ts';
import * as newFiles from '#contract/new-files.ts';
import * as period from '#contract/period-fields.ts';
import * as preferences from '#contract/preferences.ts';
import * as reportTypes from '#contract/report-types.ts';
import * as requests from '#contract/requests.ts';
import * as retention from '#contract/retention.ts';
import * as roles from '#contract/roles.ts';
import * as securityEvents from '#contract/security-events.ts';
import * as session from '#contract/session.ts';
import * as suggestions from '#contract/suggestions.ts';
import * as system from '#contract/system.ts';
import * as trash from '#contract/trash.ts';
import * as unopened from '#contract/unopened.ts';
import * as users from '#contract/users.ts';

const exported = {
  ...activity,
  ...changes,
  ...archives,
  ...archiveRequests,
  ...batchCertificate,
  ...batches,
  ...clients,
  ...completeness,
  ...digests,
  ...firmSettings,
  ...firstSteps,
  ...inside,
  ...factors,
  ...files,
  ...fileOpening,
  ...filePeriods,
  ...fileVersions,
  ...holds,
  ...imports,
  ...jobs,
  ...mail,
  ...newFiles,
  ...system,
  ...period,
  ...preferences,
  ...reportTypes,
  ...requests,
  ...retention,
  ...roles,
  ...securityEvents,
  ...session,
  ...suggestions,
  ...trash,
  ...unopened,
  ...users,
};

type Exported = typeof exported;

/** What each shape is called that a caller sends or gets. */
export type ShapeName = {
  [Name in keyof Exported]: Exported[Name] extends z.ZodType ? Name : never;
}[keyof Exported];

export type Shape<Name extends ShapeName> = z.input<Extract<Exported[Name], z.ZodType>>;

/** Every shape with its name. */
export const shapes: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(exported).flatMap(([name, value]) => (value instanceof z.ZodType ? [[name, value]] : [])),
);
