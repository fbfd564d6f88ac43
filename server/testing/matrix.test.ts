// Who may call what: every endpoint, for every viewer, in and out of reach, as one table written by hand from docs/behaviour.md, Rights.
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';
import type { JobState } from '#contract/jobs.ts';
import { CAPABILITIES, type Capability } from '#contract/policy.ts';
import { insertActivity } from '../audit/record.ts';
import { enterBlob } from '../blobs/blob-rows.ts';
import type { Schema } from '../db/schema.ts';
import { userNameColumns } from '../names/look-alike.ts';
import { addRole, addUser, clientInput, PASSWORD } from './firm.ts';
import { type Answer, type Caller, startTestApp, type TestApp } from './test-app.ts';
import { ANY_DATABASE_KIND, DATABASE_KINDS } from './test-database.ts';
import { insertTestJob } from './test-job.ts';

/**
 * Every viewer except `nobody` and Admin has one client and one report type in the lists: those are "in reach". `custom` is a
 * role without capabilities; a plus is such a role with this one capability.
 *
 * 200+ finds the thing in the list, 200- gets the list without it. A refusal leaves every table and the blobs as they were.
 */
const TABLE = `
                                                     | nobody Client CPA  custom +clients +users +roles +types +reports +documents +delete +clientlog +log Admin
session.login                                        | 200    200    200  200    200      200    200    200    200      200        200     200        200  200
session.logout                                       | 401    204    204  204    204      204    204    204    204      204        204     204        204  204
session.me                                           | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
session.password                                     | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
session.devices shows one's own                      | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+       200+ 200+
session.devices shows another's                      | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-       200- 200-
session.end-others                                   | 401    204    204  204    204      204    204    204    204      204        204     204        204  204
session.end one's own                                | 401    204    204  204    204      204    204    204    204      204        204     204        204  204
session.end another's                                | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
session.second-factor                                | 404    404    404  404    404      404    404    404    404      404        404     404        404  404
session.second-factor-passkey                        | 404    404    404  404    404      404    404    404    404      404        404     404        404  404
session.reauth                                       | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
session.reauth-passkey                               | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
session.events                                       | 401    200    200  200    200      200    200    200    200      200        200     200        200  200

factors.list                                         | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
factors.new-totp                                     | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
factors.confirm-totp                                 | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
factors.remove-totp                                  | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
factors.passkey-options                              | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
factors.add-passkey                                  | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
factors.remove-passkey                               | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
factors.recovery-codes                               | 401    404    404  404    404      404    404    404    404      404        404     404        404  404

users.list shows oneself                             | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+       200+ 200+
users.list shows another                             | 401    200-   200- 200-   200-     200+   200-   200-   200-     200-       200-    200-       200- 200+
users.create with lists in reach                     | 401    403    403  403    403      201    403    403    403      403        403     403        403  201
users.create with a client out of reach              | 401    403    403  403    403      403    403    403    403      403        403     403        403  201
users.create with a report type out of reach         | 401    403    403  403    403      403    403    403    403      403        403     403        403  201
users.create with a role that may do more            | 401    403    403  403    403      403    403    403    403      403        403     403        403  201
users.update keeping lists                           | 401    403    403  403    403      200    403    403    403      403        403     403        403  200
users.update adding a client out of reach            | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
users.update adding a report type out of reach       | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
users.update giving a role that may do more          | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
users.update making oneself an Admin                 | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
users.update of one's own password                   | 401    403    403  403    403      409    403    403    403      403        403     403        403  409
users.update of one who may do more                  | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
users.update of one who reaches further               | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
users.update of nobody there                         | 401    403    403  403    403      404    403    403    403      403        403     403        403  404
users.delete                                         | 401    403    403  403    403      204    403    403    403      403        403     403        403  204
users.delete of one who may do more                  | 401    403    403  403    403      403    403    403    403      403        403     403        403  204
users.delete of one who reaches further               | 401    403    403  403    403      403    403    403    403      403        403     403        403  204
users.delete of oneself                              | 401    403    403  403    403      409    403    403    403      403        403     403        403  409
users.delete of nobody there                         | 401    403    403  403    403      404    403    403    403      403        403     403        403  404
users.client-access of oneself                       | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
users.client-access of another                       | 401    404    404  404    404      200    404    404    404      404        404     404        404  200
users.report-access of oneself                       | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
users.report-access of another                       | 401    404    404  404    404      200    404    404    404      404        404     404        404  200
users.reset-second-factor                            | 401    403    403  403    403      404    403    403    403      403        403     403        403  404

roles.list shows one's own                           | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+       200+ 200+
roles.list shows another                             | 401    200-   200- 200-   200-     200+   200+   200-   200-     200-       200-    200-       200- 200+
roles.create                                         | 401    403    403  403    403      403    201    403    403      403        403     403        403  201
roles.update                                         | 401    403    403  403    403      403    200    403    403      403        403     403        403  200
roles.update of a role that may do more              | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
roles.update of a role that reaches further          | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
roles.update of a built-in role                      | 401    403    403  403    403      403    409    403    403      403        403     403        403  409
roles.update of none there                           | 401    403    403  403    403      403    404    403    403      403        403     403        403  404
roles.delete                                         | 401    403    403  403    403      403    204    403    403      403        403     403        403  204
roles.delete of a role that may do more              | 401    403    403  403    403      403    403    403    403      403        403     403        403  204
roles.delete of a role that reaches further          | 401    403    403  403    403      403    403    403    403      403        403     403        403  204
roles.delete of a built-in role                      | 401    403    403  403    403      403    409    403    403      403        403     403        403  409
roles.delete of a role somebody holds                | 401    403    403  403    403      403    409    403    403      403        403     403        403  409
roles.delete of none there                           | 401    403    403  403    403      403    404    403    403      403        403     403        403  404

permissions.list shows one's own role                | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+       200+ 200+
permissions.list shows another role                  | 401    200-   200- 200-   200-     200+   200+   200-   200-     200-       200-    200-       200- 200+
permissions.update granting roles.manage             | 401    403    403  403    403      403    200    403    403      403        403     403        403  200
permissions.update granting activity.read            | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
permissions.update granting reach over all           | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
permissions.update taking from a role that may more  | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
permissions.update of the Client role                | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
permissions.update of the Client role's reach        | 401    403    403  403    403      403    409    403    403      403        403     403        403  409
permissions.update of the Admin role                 | 401    403    403  403    403      403    409    403    403      403        403     403        403  409
permissions.update of none there                     | 401    403    403  403    403      403    404    403    403      403        403     403        403  404
permissions.user of oneself                          | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
permissions.user of another                          | 401    404    404  404    404      200    404    404    404      404        404     404        404  200
permissions.client in reach                          | 401    403    403  403    403      200    403    403    403      403        403     403        403  200
permissions.client out of reach                      | 401    403    403  403    403      404    403    403    403      403        403     403        403  200

clients.list shows one in reach                      | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+       200+ 200+
clients.list shows one out of reach                  | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-       200- 200+
clients.get in reach                                 | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
clients.get out of reach                             | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
clients.get of none there                            | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
clients.create                                       | 401    403    403  403    201      403    403    403    403      403        403     403        403  201
clients.update in reach                              | 401    403    403  403    200      403    403    403    403      403        403     403        403  200
clients.update out of reach                          | 401    403    403  403    404      403    403    403    403      403        403     403        403  200
clients.update of none there                         | 401    403    403  403    404      403    403    403    403      403        403     403        403  404
clients.removal in reach                             | 401    403    403  403    200      403    403    403    403      403        403     403        403  200
clients.removal out of reach                         | 401    403    403  403    404      403    403    403    403      403        403     403        403  200
clients.delete in reach                              | 401    403    403  403    204      403    403    403    403      403        403     403        403  204
clients.delete out of reach                          | 401    403    403  403    404      403    403    403    403      403        403     403        403  204
clients.delete of none there                         | 401    403    403  403    404      403    403    403    403      403        403     403        403  404

report-types.list shows one in reach                 | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+       200+ 200+
report-types.list shows one out of reach             | 401    200-   200- 200-   200-     200-   200-   200+   200-     200-       200-    200-       200- 200+
report-types.create                                  | 401    403    403  403    403      403    403    201    403      403        403     403        403  201
report-types.delete in reach                         | 401    403    403  403    403      403    403    204    403      403        403     403        403  204
report-types.delete out of reach                     | 401    403    403  403    403      403    403    204    403      403        403     403        403  204
report-types.delete of one in use                    | 401    403    403  403    403      403    403    409    403      403        403     403        403  409
report-types.delete of none there                    | 401    403    403  403    403      403    403    404    403      403        403     403        403  404

files.list shows a report in reach                   | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+       200+ 200+
files.list shows a document in reach                 | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+       200+ 200+
files.list shows another's report without type       | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-       200- 200+
files.list shows one's own report without type       | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+       200+ 200+
files.list shows a report of a type out of reach     | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-       200- 200+
files.list shows a report of a client out of reach   | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-       200- 200+
files.list shows a document of a client out of reach | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-       200- 200+
files.list shows one's own of a client out of reach  | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-       200- 200+
files.upload a report in reach                       | 401    403    201  403    403      403    403    403    201      403        403     403        403  201
files.upload a report without type                   | 401    403    201  403    403      403    403    403    201      403        403     403        403  201
files.upload a document in reach                     | 401    201    201  403    403      403    403    403    403      201        403     403        403  201
files.upload a report of a type out of reach         | 401    403    403  403    403      403    403    403    403      403        403     403        403  201
files.upload a report to a client out of reach       | 401    403    403  403    403      403    403    403    403      403        403     403        403  201
files.upload a document to a client out of reach     | 401    403    403  403    403      403    403    403    403      403        403     403        403  201
files.upload a document to no client there           | 401    403    403  403    403      403    403    403    403      403        403     403        403  404
files.open a report in reach                         | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
files.open a document in reach                       | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
files.open another's report without type             | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.open a report of a type out of reach           | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.open a report of a client out of reach         | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.open a document of a client out of reach       | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.open none there                                | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
files.download a report in reach                     | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
files.download another's report without type         | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.download a report of a type out of reach       | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.download a report of a client out of reach     | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.view a report in reach                         | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
files.view another's report without type             | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.view a report of a type out of reach           | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.view a report of a client out of reach         | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.export                                         | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
files.archive a report in reach                      | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
files.archive a report of a client out of reach      | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.archive with one of a client out of reach      | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.archive none there                             | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
files.facts of a report in reach                     | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
files.facts of another's report without type         | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.facts of a report of a type out of reach       | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.facts of a report of a client out of reach     | 401    404    404  404    404      404    404    404    404      404        404     404        404  200
files.facts of none there                            | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
files.view-ticket a report in reach                  | 401    201    201  201    201      201    201    201    201      201        201     201        201  201
files.view-ticket another's report without type      | 401    404    404  404    404      404    404    404    404      404        404     404        404  201
files.view-ticket a report of a type out of reach    | 401    404    404  404    404      404    404    404    404      404        404     404        404  201
files.view-ticket a report of a client out of reach  | 401    404    404  404    404      404    404    404    404      404        404     404        404  201
files.refile a report in reach as a document         | 401    403    200  403    403      403    403    403    403      403        403     403        403  200
files.refile one's own document under a type         | 401    200    200  403    403      403    403    403    403      200        403     403        403  200
files.refile one's own document as a report          | 401    403    200  403    403      403    403    403    200      403        403     403        403  200
files.refile another's document in reach             | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
files.refile a report in reach to no type            | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
files.refile one's own report to no type             | 401    403    200  403    403      403    403    403    403      403        403     403        403  200
files.refile to a report type out of reach           | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
files.refile to a client out of reach                | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
files.refile to no client there                      | 401    403    403  403    403      403    403    403    403      403        403     403        403  404
files.refile another's report without type           | 401    404    404  403    403      403    403    403    404      404        403     403        403  200
files.refile a report of a type out of reach         | 401    404    404  403    403      403    403    403    404      404        403     403        403  200
files.refile a report of a client out of reach       | 401    404    404  403    403      403    403    403    404      404        403     403        403  200
files.refile one's own of a client out of reach      | 401    404    404  403    403      403    403    403    404      404        403     403        403  200
files.refile none there                              | 401    404    404  403    403      403    403    403    404      404        403     403        403  404
files.delete a report in reach                       | 401    403    204  403    403      403    403    403    403      403        204     403        403  204
files.delete one's own report without type           | 401    403    204  403    403      403    403    403    403      403        204     403        403  204
files.delete another's document in reach             | 401    403    403  403    403      403    403    403    403      403        403     403        403  204
files.delete one's own document in reach             | 401    204    204  204    204      204    204    204    204      204        204     204        204  204
files.delete another's report without type           | 401    404    404  404    404      404    404    404    404      404        404     404        404  204
files.delete a report of a type out of reach         | 401    404    404  404    404      404    404    404    404      404        404     404        404  204
files.delete a report of a client out of reach       | 401    404    404  404    404      404    404    404    404      404        404     404        404  204
files.delete one's own of a client out of reach      | 401    404    404  404    404      404    404    404    404      404        404     404        404  204
files.delete none there                              | 401    404    404  404    404      404    404    404    404      404        404     404        404  404

activity.list shows one's own                        | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+       200+ 200+
activity.list shows another's on a client in reach   | 401    200-   200+ 200-   200-     200-   200-   200-   200-     200-       200-    200+       200+ 200+
activity.list shows another's on one out of reach    | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-       200+ 200+
activity.list shows another's on no client           | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-       200+ 200+
activity.export                                      | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
activity.announce in reach                           | 401    201    201  201    201      201    201    201    201      201        201     201        201  201
activity.announce out of reach                       | 401    404    404  404    404      404    404    404    404      404        404     404        404  201
activity.announce under another client               | 401    404    404  404    404      404    404    404    404      404        404     404        404  404
overview.get                                         | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
jobs.list shows one                                  | 401    403    403  403    403      403    403    403    403      403        403     403        403  200+
jobs.retry one that failed                           | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
jobs.retry one that is done                          | 401    403    403  403    403      403    403    403    403      403        403     403        403  409
jobs.retry none there                                | 401    403    403  403    403      403    403    403    403      403        403     403        403  404
jobs.cancel one that waits                           | 401    403    403  403    403      403    403    403    403      403        403     403        403  200
jobs.cancel one that has ended                       | 401    403    403  403    403      403    403    403    403      403        403     403        403  409
jobs.cancel none there                               | 401    403    403  403    403      403    403    403    403      403        403     403        403  404
docs.openapi                                         | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
docs.page                                            | 401    200    200  200    200      200    200    200    200      200        200     200        200  200
`;

const VIEWERS = {
  nobody: null,
  Client: 'client',
  CPA: 'cpa',
  custom: [],
  '+clients': ['clients.manage'],
  '+users': ['users.manage'],
  '+roles': ['roles.manage'],
  '+types': ['report-types.manage'],
  '+reports': ['reports.upload'],
  '+documents': ['documents.upload'],
  '+delete': ['files.delete'],
  '+clientlog': ['activity.read-clients'],
  '+log': ['activity.read'],
  Admin: 'admin',
} as const satisfies Record<string, null | 'admin' | 'cpa' | 'client' | readonly Capability[]>;
type ViewerName = keyof typeof VIEWERS;

interface TableRow {
  readonly about: string;
  readonly endpoint: string;
  readonly expected: Readonly<Record<string, string>>;
}

function readTable(text: string): TableRow[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [header = [], ...rows] = lines.map((line) => line.split('|').map((part) => part.trim()));
  const viewers = (header[1] ?? '').split(/\s+/);
  return rows.map(([about = '', cells = '']) => {
    const statuses = cells.split(/\s+/);
    const expected = Object.fromEntries(viewers.map((viewer, index) => [viewer, statuses[index] ?? 'missing']));
    return { about, endpoint: about.split(' ', 1)[0] ?? '', expected };
  });
}

const table = readTable(TABLE);

/** One row's call, as `by`; `id` is what it is about. */
interface Attempt {
  /** Makes, or names, what the call of this viewer is about. A call that changes it gets one of its own. */
  readonly target?: (viewer: ViewerName) => number | Promise<number>;
  readonly call: (by: Caller, id: number, viewer: ViewerName) => Promise<Answer>;
}

const NONE_THERE = 999_999;

const TABLES: readonly (keyof Schema)[] = [
  'roles',
  'role_capabilities',
  'users',
  'clients',
  'report_types',
  'user_clients',
  'user_report_types',
  'files',
  'blobs',
  'released_blobs',
  'activity',
  'sessions',
  'view_tickets',
  'file_counts',
  'activity_counts',
  'jobs',
];

const REFUSALS: Readonly<Record<string, { code: string; message: string }>> = {
  401: { code: 'unauthenticated', message: 'Please sign in.' },
  403: { code: 'forbidden', message: 'You do not have permission to do this.' },
  404: { code: 'not_found', message: 'Not found.' },
};

it('B1: the table has every endpoint of the contract, every viewer and no empty cell', () => {
  expect([...new Set(table.map(({ endpoint }) => endpoint))].sort()).toEqual(Object.keys(api).sort());
  expect(new Set(table.map(({ about }) => about)).size).toBe(table.length);
  for (const { about, expected } of table) {
    expect(Object.keys(expected), about).toEqual(Object.keys(VIEWERS));
    for (const cell of Object.values(expected)) expect(cell, about).toMatch(/^\d{3}[+-]?$/);
  }
  const capabilities = Object.values(VIEWERS).flatMap((rights) => (Array.isArray(rights) ? rights : []));
  expect(capabilities.sort()).toEqual([...CAPABILITIES].sort());
});

describe.each(DATABASE_KINDS)('who may call what on %s', (kind) => {
  let app: TestApp;
  const callers = {} as Record<ViewerName, Caller>;
  const userIds = {} as Record<ViewerName, number>;
  const roleIds = {} as Record<ViewerName, number>;
  const clients = { near: 0, far: 0 };
  const types = { known: 0, other: 0 };
  const files = { report: 0, document: 0, untyped: 0, otherType: 0, farReport: 0, farDocument: 0 };
  const bystander = { id: 0, sessionId: 0 };
  const sessions = {} as Record<ViewerName, number>;

  let made = 0;
  const fresh = (what: string) => `${what} ${++made}`;

  async function idOf(answer: Promise<Answer>): Promise<number> {
    const { status, body } = await answer;
    if (status !== 201) throw new Error(`Expected 201, got ${status}: ${JSON.stringify(body)}`);
    return (body as { id: number }).id;
  }

  /** Adds a client or report type to every viewer's list, past the API. */
  async function bringIntoReach(entry: { clientId?: number; reportTypeId?: number }): Promise<void> {
    const listed = Object.values(userIds).filter((id) => id !== 0);
    await app.database.transaction(async (tx) => {
      for (const user_id of listed) {
        if (entry.clientId)
          await tx.insertInto('user_clients').values({ user_id, client_id: entry.clientId }).execute();
        if (entry.reportTypeId) {
          await tx.insertInto('user_report_types').values({ user_id, report_type_id: entry.reportTypeId }).execute();
        }
      }
    });
  }

  const uploadAsAdmin = (fields: Record<string, string | number>) => idOf(app.admin.upload({ fields }));

  /** Enters a file without bytes, past the API. */
  function seedFile(file: { client: number; type?: number; document?: boolean; by: number }): Promise<number> {
    const fileType = file.document ? 'company_document' : 'report';
    const reportTypeId = file.type ?? null;
    const blob = { storageKey: randomBytes(16).toString('hex'), sizeBytes: 4, sha256: '0'.repeat(64) };
    return app.database.transaction(async (tx) => {
      await enterBlob(tx, blob, { purpose: 'file', at: Date.now() });
      const { id } = await tx
        .insertInto('files')
        .values({
          original_name: 'seeded.txt',
          name_key: 'seeded.txt',
          storage_key: blob.storageKey,
          size_bytes: blob.sizeBytes,
          sha256: blob.sha256,
          content_type: 'text/plain',
          file_type: fileType,
          document_type: null,
          client_id: file.client,
          report_type_id: reportTypeId,
          uploaded_by_id: file.by === 0 ? null : file.by,
          uploader_name: 'Somebody',
          uploaded_at: Date.now(),
          idempotency_key: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    });
  }

  /** Adds a user who cannot sign in, past the API: hashing a password for each would take most of the time. */
  function seedUser(roleId: number, clientId = clients.near): Promise<number> {
    const username = fresh('user');
    return app.database.transaction(async (tx) => {
      const { id } = await tx
        .insertInto('users')
        .values({
          ...userNameColumns({ username, fullName: 'Somebody' }),
          password_hash: '$argon2id$nobody',
          role_id: roleId,
          created_at: Date.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx.insertInto('user_clients').values({ user_id: id, client_id: clientId }).execute();
      await tx.insertInto('user_report_types').values({ user_id: id, report_type_id: types.known }).execute();
      return id;
    });
  }

  function seedActivity(userId: number, clientId: number | null): Promise<number> {
    const client = clientId === null ? {} : { client: { id: clientId, name: 'A client' } };
    return app.database.transaction((tx) =>
      insertActivity(
        tx,
        { id: userId, name: 'Somebody' },
        { action: 'update', details: 'Seeded', ...client },
        Date.now(),
      ),
    );
  }

  const user = (more: Record<string, unknown> = {}) => ({
    username: fresh('user'),
    fullName: 'Somebody',
    roleId: roleIds.custom,
    clientIds: [clients.near],
    reportTypeIds: [types.known],
    ...more,
  });

  const aRole = () => idOf(app.admin.post('/api/roles', { name: fresh('role') }));
  const aType = () => idOf(app.admin.post('/api/report-types', { name: fresh('type') }));
  const aClient = () => idOf(app.admin.post('/api/clients', clientInput(fresh('Client'))));

  /** A second sign-in of the viewer, to be ended without ending the first. */
  const again = (by: Caller, viewer: ViewerName) =>
    viewer === 'nobody' ? by : app.login(`viewer ${viewer}`, PASSWORD);

  async function currentSession(by: Caller): Promise<number> {
    const { body } = await by.get<{ id: number; current: boolean }[]>('/api/auth/sessions');
    return body.find(({ current }) => current)?.id ?? 0;
  }

  const snapshot = async () => {
    const rows = await Promise.all(
      TABLES.map(async (name) => {
        const all = await app.database.reader.selectFrom(name).selectAll().execute();
        return [name, all.map((row) => JSON.stringify(row)).sort()] as const;
      }),
    );
    const blobs = readdirSync(join(app.config.dataDir, 'blobs'), { recursive: true }).sort();
    return { ...Object.fromEntries(rows), blobs };
  };

  beforeAll(async () => {
    app = await startTestApp(kind);
    clients.near = await aClient();
    clients.far = await aClient();
    types.known = await aType();
    types.other = await aType();
    const { body: systemRoles } = await app.admin.get<{ id: number; systemKey: string | null }[]>('/api/roles');
    const lists = { clientIds: [clients.near], reportTypeIds: [types.known] };
    for (const [viewer, rights] of Object.entries(VIEWERS) as [ViewerName, (typeof VIEWERS)[ViewerName]][]) {
      if (rights === null) {
        callers[viewer] = app.anonymous;
        userIds[viewer] = 0;
        roleIds[viewer] = 0;
        continue;
      }
      const builtIn = systemRoles.find((role) => role.systemKey === rights)?.id;
      roleIds[viewer] = builtIn ?? (await addRole(app, `role ${viewer}`, rights as readonly Capability[]));
      const { id, caller } = await addUser(app, `viewer ${viewer}`, roleIds[viewer], rights === 'admin' ? {} : lists);
      userIds[viewer] = id;
      callers[viewer] = caller;
      sessions[viewer] = await currentSession(caller);
    }
    const { id, caller } = await addUser(app, 'bystander', roleIds.custom, lists);
    Object.assign(bystander, { id, sessionId: await currentSession(caller) });

    const report = { clientId: clients.near, fileType: 'report' };
    files.report = await uploadAsAdmin({ ...report, reportTypeId: types.known });
    files.document = await uploadAsAdmin({ clientId: clients.near, fileType: 'company_document' });
    files.untyped = await uploadAsAdmin(report);
    files.otherType = await uploadAsAdmin({ ...report, reportTypeId: types.other });
    files.farReport = await uploadAsAdmin({ clientId: clients.far, fileType: 'report', reportTypeId: types.known });
    files.farDocument = await uploadAsAdmin({ clientId: clients.far, fileType: 'company_document' });
  });
  afterAll(() => app.close());

  const get =
    (path: string): Attempt['call'] =>
    (by, id) =>
      by.get(path.replace('{id}', String(id)));
  const remove =
    (path: string): Attempt['call'] =>
    (by, id) =>
      by.delete(path.replace('{id}', String(id)));
  const archive = (ids: () => number[]): Attempt => ({
    call: (by) => by.post('/api/files/archive', { ids: ids() }),
  });
  const own = (viewer: ViewerName) => userIds[viewer];
  const ownRole = (viewer: ViewerName) => roleIds[viewer];
  const another = () => bystander.id;
  const noneThere = () => NONE_THERE;

  /** The bytes of a file by GET, with HEAD and a range answering alike. */
  const bytes =
    (path: string): Attempt['call'] =>
    async (by, id) => {
      const address = path.replace('{id}', String(id));
      const answer = await by.get(address);
      const head = await by.send('HEAD', address);
      const part = await by.fetch(address, { headers: { range: 'bytes=1-2' } });
      await part.arrayBuffer();
      expect([head.status, part.status]).toEqual([answer.status, answer.status === 200 ? 206 : answer.status]);
      return answer;
    };

  const upload = (fields: () => Record<string, string | number>): Attempt => ({
    call: (by) => by.upload({ fields: fields() }),
  });

  const createUser = (more: () => Record<string, unknown> = () => ({})): Attempt => ({
    call: (by) => by.post('/api/users', { ...user(more()), password: PASSWORD }),
  });

  const updateUser = (more: () => Record<string, unknown> = () => ({}), roleId = () => roleIds.custom): Attempt => ({
    target: () => seedUser(roleId()),
    call: (by, id) => by.put(`/api/users/${id}`, user({ roleId: roleId(), password: '', ...more() })),
  });

  const grant = (change: (roleId: number) => Record<string, unknown>, target: Attempt['target'] = aRole): Attempt => ({
    target,
    call: (by, roleId) => by.put('/api/permissions', { roleId, ...change(roleId) }),
  });

  const refile = (target: NonNullable<Attempt['target']>, change: () => Record<string, unknown>): Attempt => ({
    target,
    call: (by, id) => by.put(`/api/files/${id}`, change()),
  });

  const announce = (fileId: () => number, more: () => Record<string, unknown> = () => ({})): Attempt => ({
    call: (by) => by.post('/api/activity-logs', { action: 'view', fileId: fileId(), ...more() }),
  });

  const clientRole = () => roleIds.Client;
  const farRole = async () => {
    const id = await aRole();
    await app.admin.put('/api/permissions', { roleId: id, capabilities: [], reach: 'all' });
    return id;
  };
  const fileIn =
    (file: () => Omit<Parameters<typeof seedFile>[0], 'by'>, by: 'own' | 'another') => (viewer: ViewerName) =>
      seedFile({ ...file(), by: by === 'own' ? userIds[viewer] : bystander.id });
  const nearReport = () => ({ client: clients.near, type: types.known });
  const nearUntyped = () => ({ client: clients.near });
  const nearDocument = () => ({ client: clients.near, document: true });
  const nearOtherType = () => ({ client: clients.near, type: types.other });
  const farReport = () => ({ client: clients.far, type: types.known });
  const farDocument = () => ({ client: clients.far, document: true });

  const attempts: Record<string, Attempt> = {
    'session.login': {
      call: (by) => by.post('/api/auth/login', { username: 'bystander', password: PASSWORD }),
    },
    'session.logout': { call: async (by, _id, viewer) => (await again(by, viewer)).post('/api/auth/logout') },
    'session.me': { call: get('/api/auth/me') },
    'session.password': {
      call: async (by, _id, viewer) => {
        const change = { currentPassword: PASSWORD, newPassword: 'another password' };
        if (viewer === 'nobody') return by.post('/api/auth/password', change);
        const { caller } = await addUser(app, fresh('changer'), roleIds[viewer]);
        return caller.post('/api/auth/password', change);
      },
    },
    "session.devices shows one's own": { target: (viewer) => sessions[viewer], call: get('/api/auth/sessions') },
    "session.devices shows another's": {
      target: () => bystander.sessionId,
      call: get('/api/auth/sessions'),
    },
    'session.end-others': { call: remove('/api/auth/sessions') },
    "session.end one's own": {
      target: async (viewer) => (viewer === 'nobody' ? 1 : currentSession(await again(app.anonymous, viewer))),
      call: remove('/api/auth/sessions/{id}'),
    },
    "session.end another's": {
      target: () => bystander.sessionId,
      call: remove('/api/auth/sessions/{id}'),
    },

    // With SAFEGUARDS=off, as here, these do not exist.
    'session.second-factor': {
      call: (by) =>
        by.post('/api/auth/second-factor', { challenge: 'none', factor: { method: 'totp', code: '123456' } }),
    },
    'session.second-factor-passkey': {
      call: (by) => by.post('/api/auth/second-factor/passkey', { challenge: 'none' }),
    },
    'session.reauth': {
      call: (by) => by.post('/api/auth/reauth', { factor: { method: 'totp', code: '123456' } }),
    },
    'session.reauth-passkey': { call: (by) => by.post('/api/auth/reauth/passkey') },
    'session.events': { call: get('/api/auth/events') },
    'factors.list': { call: get('/api/auth/factors') },
    'factors.new-totp': { call: (by) => by.post('/api/auth/factors/totp') },
    'factors.confirm-totp': { call: (by) => by.post('/api/auth/factors/totp/confirm', { code: '123456' }) },
    'factors.remove-totp': { call: remove('/api/auth/factors/totp') },
    'factors.passkey-options': { call: (by) => by.post('/api/auth/factors/passkeys/options') },
    'factors.add-passkey': {
      call: (by) =>
        by.post('/api/auth/factors/passkeys', {
          name: 'Key',
          response: {
            id: 'AAAA',
            rawId: 'AAAA',
            type: 'public-key',
            response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
          },
        }),
    },
    'factors.remove-passkey': { target: () => 1, call: remove('/api/auth/factors/passkeys/{id}') },
    'factors.recovery-codes': { call: (by) => by.post('/api/auth/factors/recovery-codes') },
    'users.reset-second-factor': {
      target: () => seedUser(roleIds.custom),
      call: remove('/api/users/{id}/second-factor'),
    },

    'users.list shows oneself': { target: own, call: get('/api/users') },
    'users.list shows another': { target: another, call: get('/api/users') },
    'users.create with lists in reach': createUser(),
    'users.create with a client out of reach': createUser(() => ({ clientIds: [clients.near, clients.far] })),
    'users.create with a report type out of reach': createUser(() => ({ reportTypeIds: [types.known, types.other] })),
    'users.create with a role that may do more': createUser(() => ({ roleId: roleIds.Admin })),
    'users.update keeping lists': updateUser(),
    'users.update adding a client out of reach': updateUser(() => ({ clientIds: [clients.near, clients.far] })),
    'users.update adding a report type out of reach': updateUser(() => ({ reportTypeIds: [types.known, types.other] })),
    'users.update giving a role that may do more': updateUser(() => ({ roleId: roleIds.Client })),
    'users.update making oneself an Admin': {
      target: own,
      call: (by, id, viewer) =>
        by.put(`/api/users/${id}`, user({ username: `viewer ${viewer}`, roleId: roleIds.Admin, password: '' })),
    },
    "users.update of one's own password": {
      target: own,
      call: (by, id, viewer) =>
        by.put(
          `/api/users/${id}`,
          user({ username: `viewer ${viewer}`, roleId: roleIds[viewer], password: 'mine from now on' }),
        ),
    },
    'users.update of one who may do more': updateUser(undefined, () => roleIds.CPA),
    'users.update of one who reaches further': {
      target: () => seedUser(roleIds.custom, clients.far),
      call: (by, id) => by.put(`/api/users/${id}`, user({ roleId: roleIds.custom, password: 'mine from now on' })),
    },
    'users.update of nobody there': {
      target: noneThere,
      call: (by, id) => by.put(`/api/users/${id}`, user({ password: '' })),
    },
    'users.delete': { target: () => seedUser(roleIds.custom), call: remove('/api/users/{id}') },
    'users.delete of one who reaches further': {
      target: () => seedUser(roleIds.custom, clients.far),
      call: remove('/api/users/{id}'),
    },
    'users.delete of one who may do more': { target: () => seedUser(roleIds.Admin), call: remove('/api/users/{id}') },
    'users.delete of oneself': { target: own, call: remove('/api/users/{id}') },
    'users.delete of nobody there': { target: noneThere, call: remove('/api/users/{id}') },
    'users.client-access of oneself': { target: own, call: get('/api/users/{id}/client-access') },
    'users.client-access of another': { target: another, call: get('/api/users/{id}/client-access') },
    'users.report-access of oneself': { target: own, call: get('/api/users/{id}/report-access') },
    'users.report-access of another': { target: another, call: get('/api/users/{id}/report-access') },

    "roles.list shows one's own": { target: ownRole, call: get('/api/roles') },
    'roles.list shows another': { target: aRole, call: get('/api/roles') },
    'roles.create': { call: (by) => by.post('/api/roles', { name: fresh('role') }) },
    'roles.update': { target: aRole, call: (by, id) => by.put(`/api/roles/${id}`, { name: fresh('renamed') }) },
    'roles.update of a role that may do more': {
      target: () => addRole(app, fresh('role'), ['clients.manage']),
      call: (by, id) => by.put(`/api/roles/${id}`, { name: fresh('renamed') }),
    },
    'roles.update of a role that reaches further': {
      target: farRole,
      call: (by, id) => by.put(`/api/roles/${id}`, { name: fresh('renamed') }),
    },
    'roles.update of a built-in role': {
      target: clientRole,
      call: (by, id) => by.put(`/api/roles/${id}`, { name: fresh('renamed') }),
    },
    'roles.update of none there': {
      target: noneThere,
      call: (by, id) => by.put(`/api/roles/${id}`, { name: fresh('renamed') }),
    },
    'roles.delete': { target: aRole, call: remove('/api/roles/{id}') },
    'roles.delete of a role that may do more': {
      target: () => addRole(app, fresh('role'), ['clients.manage']),
      call: remove('/api/roles/{id}'),
    },
    'roles.delete of a role that reaches further': { target: farRole, call: remove('/api/roles/{id}') },
    'roles.delete of a built-in role': { target: clientRole, call: remove('/api/roles/{id}') },
    'roles.delete of a role somebody holds': { target: () => roleIds.custom, call: remove('/api/roles/{id}') },
    'roles.delete of none there': { target: noneThere, call: remove('/api/roles/{id}') },

    "permissions.list shows one's own role": { target: ownRole, call: get('/api/permissions') },
    'permissions.list shows another role': { target: aRole, call: get('/api/permissions') },
    'permissions.update granting roles.manage': grant(() => ({ capabilities: ['roles.manage'] })),
    'permissions.update granting activity.read': grant(() => ({ capabilities: ['activity.read'] })),
    'permissions.update granting reach over all': grant(() => ({ capabilities: [], reach: 'all' })),
    'permissions.update taking from a role that may more': grant(
      () => ({ capabilities: [] }),
      () => addRole(app, fresh('role'), ['clients.manage']),
    ),
    'permissions.update of the Client role': grant(() => ({ capabilities: ['documents.upload'] }), clientRole),
    "permissions.update of the Client role's reach": grant(
      () => ({ capabilities: ['documents.upload'], reach: 'all' }),
      clientRole,
    ),
    'permissions.update of the Admin role': grant(
      () => ({ capabilities: [...CAPABILITIES] }),
      () => roleIds.Admin,
    ),
    'permissions.update of none there': grant(() => ({ capabilities: [] }), noneThere),
    'permissions.user of oneself': { target: own, call: get('/api/permissions/users/{id}') },
    'permissions.user of another': { target: another, call: get('/api/permissions/users/{id}') },
    'permissions.client in reach': { target: () => clients.near, call: get('/api/permissions/clients/{id}') },
    'permissions.client out of reach': { target: () => clients.far, call: get('/api/permissions/clients/{id}') },

    'clients.list shows one in reach': { target: () => clients.near, call: get('/api/clients') },
    'clients.list shows one out of reach': { target: () => clients.far, call: get('/api/clients') },
    'clients.get in reach': { target: () => clients.near, call: get('/api/clients/{id}') },
    'clients.get out of reach': { target: () => clients.far, call: get('/api/clients/{id}') },
    'clients.get of none there': { target: noneThere, call: get('/api/clients/{id}') },
    'clients.create': { call: (by) => by.post('/api/clients', clientInput(fresh('Client'))) },
    'clients.update in reach': {
      target: () => clients.near,
      call: (by, id) => by.put(`/api/clients/${id}`, clientInput('Near & Dear LLC')),
    },
    'clients.update out of reach': {
      target: () => clients.far,
      call: (by, id) => by.put(`/api/clients/${id}`, clientInput('Far & Away LLC')),
    },
    'clients.update of none there': {
      target: noneThere,
      call: (by, id) => by.put(`/api/clients/${id}`, clientInput('Nowhere LLC')),
    },
    'clients.removal in reach': { target: () => clients.near, call: get('/api/clients/{id}/removal') },
    'clients.removal out of reach': { target: () => clients.far, call: get('/api/clients/{id}/removal') },
    'clients.delete in reach': {
      target: async () => {
        const clientId = await aClient();
        await bringIntoReach({ clientId });
        return clientId;
      },
      call: remove('/api/clients/{id}'),
    },
    'clients.delete out of reach': { target: aClient, call: remove('/api/clients/{id}') },
    'clients.delete of none there': { target: noneThere, call: remove('/api/clients/{id}') },

    'report-types.list shows one in reach': { target: () => types.known, call: get('/api/report-types') },
    'report-types.list shows one out of reach': { target: () => types.other, call: get('/api/report-types') },
    'report-types.create': { call: (by) => by.post('/api/report-types', { name: fresh('type') }) },
    'report-types.delete in reach': {
      target: async () => {
        const reportTypeId = await aType();
        await bringIntoReach({ reportTypeId });
        return reportTypeId;
      },
      call: remove('/api/report-types/{id}'),
    },
    'report-types.delete out of reach': { target: aType, call: remove('/api/report-types/{id}') },
    'report-types.delete of one in use': { target: () => types.known, call: remove('/api/report-types/{id}') },
    'report-types.delete of none there': { target: noneThere, call: remove('/api/report-types/{id}') },

    'files.list shows a report in reach': { target: () => files.report, call: get('/api/files') },
    'files.list shows a document in reach': { target: () => files.document, call: get('/api/files') },
    "files.list shows another's report without type": { target: () => files.untyped, call: get('/api/files') },
    "files.list shows one's own report without type": { target: fileIn(nearUntyped, 'own'), call: get('/api/files') },
    'files.list shows a report of a type out of reach': { target: () => files.otherType, call: get('/api/files') },
    'files.list shows a report of a client out of reach': { target: () => files.farReport, call: get('/api/files') },
    'files.list shows a document of a client out of reach': {
      target: () => files.farDocument,
      call: get('/api/files'),
    },
    "files.list shows one's own of a client out of reach": {
      target: fileIn(farDocument, 'own'),
      call: get('/api/files'),
    },
    'files.upload a report in reach': upload(() => ({
      clientId: clients.near,
      fileType: 'report',
      reportTypeId: types.known,
    })),
    'files.upload a report without type': upload(() => ({ clientId: clients.near, fileType: 'report' })),
    'files.upload a document in reach': upload(() => ({ clientId: clients.near, fileType: 'company_document' })),
    'files.upload a report of a type out of reach': upload(() => ({
      clientId: clients.near,
      fileType: 'report',
      reportTypeId: types.other,
    })),
    'files.upload a report to a client out of reach': upload(() => ({
      clientId: clients.far,
      fileType: 'report',
      reportTypeId: types.known,
    })),
    'files.upload a document to a client out of reach': upload(() => ({
      clientId: clients.far,
      fileType: 'company_document',
    })),
    'files.upload a document to no client there': upload(() => ({
      clientId: NONE_THERE,
      fileType: 'company_document',
    })),
    'files.open a report in reach': { target: () => files.report, call: bytes('/api/files/{id}') },
    'files.open a document in reach': { target: () => files.document, call: bytes('/api/files/{id}?view=true') },
    "files.open another's report without type": { target: () => files.untyped, call: bytes('/api/files/{id}') },
    'files.open a report of a type out of reach': {
      target: () => files.otherType,
      call: bytes('/api/files/{id}?view=true'),
    },
    'files.open a report of a client out of reach': { target: () => files.farReport, call: bytes('/api/files/{id}') },
    'files.open a document of a client out of reach': {
      target: () => files.farDocument,
      call: bytes('/api/files/{id}?view=true'),
    },
    'files.open none there': { target: noneThere, call: bytes('/api/files/{id}') },
    'files.download a report in reach': { target: () => files.report, call: bytes('/api/files/{id}/download') },
    "files.download another's report without type": {
      target: () => files.untyped,
      call: bytes('/api/files/{id}/download'),
    },
    'files.download a report of a type out of reach': {
      target: () => files.otherType,
      call: bytes('/api/files/{id}/download'),
    },
    'files.download a report of a client out of reach': {
      target: () => files.farReport,
      call: bytes('/api/files/{id}/download'),
    },
    'files.view a report in reach': { target: () => files.report, call: bytes('/api/files/{id}/view') },
    "files.view another's report without type": { target: () => files.untyped, call: bytes('/api/files/{id}/view') },
    'files.view a report of a type out of reach': {
      target: () => files.otherType,
      call: bytes('/api/files/{id}/view'),
    },
    'files.view a report of a client out of reach': {
      target: () => files.farReport,
      call: bytes('/api/files/{id}/view'),
    },
    'files.export': { call: get('/api/files/export') },
    'files.archive a report in reach': archive(() => [files.report]),
    'files.archive a report of a client out of reach': archive(() => [files.farReport]),
    'files.archive with one of a client out of reach': archive(() => [files.report, files.farReport]),
    'files.archive none there': archive(() => [NONE_THERE]),
    'files.facts of a report in reach': { target: () => files.report, call: get('/api/files/{id}/facts') },
    "files.facts of another's report without type": { target: () => files.untyped, call: get('/api/files/{id}/facts') },
    'files.facts of a report of a type out of reach': {
      target: () => files.otherType,
      call: get('/api/files/{id}/facts'),
    },
    'files.facts of a report of a client out of reach': {
      target: () => files.farReport,
      call: get('/api/files/{id}/facts'),
    },
    'files.facts of none there': { target: noneThere, call: get('/api/files/{id}/facts') },
    'files.view-ticket a report in reach': ticket(() => files.report),
    "files.view-ticket another's report without type": ticket(() => files.untyped),
    'files.view-ticket a report of a type out of reach': ticket(() => files.otherType),
    'files.view-ticket a report of a client out of reach': ticket(() => files.farReport),
    'files.refile a report in reach as a document': refile(fileIn(nearReport, 'another'), () => ({
      fileType: 'company_document',
    })),
    "files.refile one's own document under a type": refile(fileIn(nearDocument, 'own'), () => ({
      documentType: 'Tax Return',
    })),
    "files.refile one's own document as a report": refile(fileIn(nearDocument, 'own'), () => ({
      fileType: 'report',
      reportTypeId: types.known,
    })),
    "files.refile another's document in reach": refile(fileIn(nearDocument, 'another'), () => ({
      documentType: 'Tax Return',
    })),
    'files.refile a report in reach to no type': refile(fileIn(nearReport, 'another'), () => ({ reportTypeId: null })),
    "files.refile one's own report to no type": refile(fileIn(nearReport, 'own'), () => ({ reportTypeId: null })),
    'files.refile to a report type out of reach': refile(fileIn(nearReport, 'another'), () => ({
      reportTypeId: types.other,
    })),
    'files.refile to a client out of reach': refile(fileIn(nearReport, 'another'), () => ({ clientId: clients.far })),
    'files.refile to no client there': refile(fileIn(nearReport, 'another'), () => ({ clientId: NONE_THERE })),
    "files.refile another's report without type": refile(fileIn(nearUntyped, 'another'), () => ({
      reportTypeId: types.known,
    })),
    'files.refile a report of a type out of reach': refile(fileIn(nearOtherType, 'another'), () => ({
      reportTypeId: types.known,
    })),
    'files.refile a report of a client out of reach': refile(fileIn(farReport, 'another'), () => ({
      clientId: clients.near,
    })),
    "files.refile one's own of a client out of reach": refile(fileIn(farDocument, 'own'), () => ({
      clientId: clients.near,
    })),
    'files.refile none there': refile(noneThere, () => ({ clientId: clients.near })),
    'files.delete a report in reach': { target: fileIn(nearReport, 'another'), call: remove('/api/files/{id}') },
    "files.delete one's own report without type": {
      target: fileIn(nearUntyped, 'own'),
      call: remove('/api/files/{id}'),
    },
    "files.delete another's document in reach": {
      target: fileIn(nearDocument, 'another'),
      call: remove('/api/files/{id}'),
    },
    "files.delete one's own document in reach": {
      target: fileIn(nearDocument, 'own'),
      call: remove('/api/files/{id}'),
    },
    "files.delete another's report without type": {
      target: fileIn(nearUntyped, 'another'),
      call: remove('/api/files/{id}'),
    },
    'files.delete a report of a type out of reach': {
      target: fileIn(nearOtherType, 'another'),
      call: remove('/api/files/{id}'),
    },
    'files.delete a report of a client out of reach': {
      target: fileIn(farReport, 'another'),
      call: remove('/api/files/{id}'),
    },
    "files.delete one's own of a client out of reach": {
      target: fileIn(farDocument, 'own'),
      call: remove('/api/files/{id}'),
    },
    'files.delete none there': { target: noneThere, call: remove('/api/files/{id}') },

    "activity.list shows one's own": {
      target: (viewer) => seedActivity(userIds[viewer], null),
      call: get('/api/activity-logs'),
    },
    "activity.list shows another's on a client in reach": {
      target: () => seedActivity(bystander.id, clients.near),
      call: get('/api/activity-logs'),
    },
    "activity.list shows another's on one out of reach": {
      target: () => seedActivity(bystander.id, clients.far),
      call: get('/api/activity-logs'),
    },
    "activity.list shows another's on no client": {
      target: () => seedActivity(bystander.id, null),
      call: get('/api/activity-logs'),
    },
    'activity.export': { call: get('/api/activity-logs/export') },
    'activity.announce in reach': announce(() => files.report),
    'activity.announce out of reach': announce(() => files.farReport),
    'activity.announce under another client': announce(
      () => files.report,
      () => ({ clientId: clients.far }),
    ),
    'overview.get': { call: get('/api/overview') },
    'jobs.list shows one': { target: () => seedJob('waiting'), call: get('/api/jobs') },
    'jobs.retry one that failed': { target: () => seedJob('failed'), call: steer('retry') },
    'jobs.retry one that is done': { target: () => seedJob('done'), call: steer('retry') },
    'jobs.retry none there': { target: noneThere, call: steer('retry') },
    'jobs.cancel one that waits': { target: () => seedJob('waiting'), call: steer('cancel') },
    'jobs.cancel one that has ended': { target: () => seedJob('done'), call: steer('cancel') },
    'jobs.cancel none there': { target: noneThere, call: steer('cancel') },
    'docs.openapi': { call: get('/api/openapi.json') },
    'docs.page': { call: get('/api/docs') },
  };

  /** A background job that no process takes here. */
  const seedJob = async (state: JobState) => (await insertTestJob(app.database, { state })).id;

  function steer(how: 'retry' | 'cancel'): Attempt['call'] {
    return (by, id) => by.post(`/api/jobs/${id}/${how}`);
  }

  function ticket(id: () => number): Attempt {
    return { target: id, call: (by, fileId) => by.post(`/api/files/${fileId}/view-ticket`) };
  }

  /** What one viewer got, written as in the table. */
  async function outcome(viewer: ViewerName, attempt: Attempt, id: number, cell: string): Promise<string> {
    const { status, body } = await attempt.call(callers[viewer], id, viewer);
    const refusal = REFUSALS[status];
    // All refusals are alike: nothing in them distinguishes what is out of reach from what does not exist.
    if (refusal) expect(body, viewer).toEqual({ ...refusal, requestId: expect.any(String) });
    if (status !== 200 || !/[+-]$/.test(cell)) return String(status);
    const found = (body as { id: number }[]).some((row) => row.id === id);
    return `200${found ? '+' : '-'}`;
  }

  it('has a call for every row', () => {
    expect(Object.keys(attempts).sort()).toEqual(table.map(({ about }) => about).sort());
  });

  it.each(table)('$about', async ({ about, expected }) => {
    const attempt = attempts[about] as Attempt;
    const viewers = Object.keys(VIEWERS) as ViewerName[];
    const isRefused = (viewer: ViewerName) => Number.parseInt(expected[viewer] ?? '', 10) >= 400;
    const outcomes: Partial<Record<ViewerName, string>> = {};
    const act = async (viewer: ViewerName, id: number) => {
      outcomes[viewer] = await outcome(viewer, attempt, id, expected[viewer] ?? '');
    };

    const refused: [ViewerName, number][] = [];
    for (const viewer of viewers.filter(isRefused)) refused.push([viewer, (await attempt.target?.(viewer)) ?? 0]);
    const before = await snapshot();
    for (const [viewer, id] of refused) await act(viewer, id);
    const after = await snapshot();

    for (const viewer of viewers) if (!isRefused(viewer)) await act(viewer, (await attempt.target?.(viewer)) ?? 0);
    const inOrder = Object.fromEntries(viewers.map((viewer) => [viewer, outcomes[viewer]]));
    expect(inOrder).toEqual(expected);
    expect(after, 'a refusal changed something').toEqual(before);
  });

  // Every cell once more, for what no statement decides: who made the request is in it.
  if (!ANY_DATABASE_KIND.includes(kind)) return;
  it('G19: whatever is refused as forbidden or not found is recorded against anyone who asked', async () => {
    const denials = async (viewer: ViewerName) => {
      const rows = await app.database.reader
        .selectFrom('security_events')
        .select(['times', 'detail'])
        .where('kind', '=', 'denied')
        .where('user_id', '=', userIds[viewer])
        .execute();
      return { times: rows.reduce((sum, { times }) => sum + times, 0), details: rows.map(({ detail }) => detail) };
    };
    const unnoted: string[] = [];
    const recorded = new Map<ViewerName, number>();
    for (const { about, endpoint, expected } of table) {
      // What exists with SAFEGUARDS=on alone is no endpoint here.
      const described: Endpoint = api[endpoint as EndpointName];
      if (described.safeguardsOnly) continue;
      const attempt = attempts[about] as Attempt;
      for (const viewer of (Object.keys(VIEWERS) as ViewerName[]).filter((name) => name !== 'nobody')) {
        const status = Number(expected[viewer]);
        if (status !== 403 && status !== 404 && status !== 409) continue;
        const id = (await attempt.target?.(viewer)) ?? 0;
        const before = recorded.get(viewer) ?? (await denials(viewer)).times;
        const answer = await attempt.call(callers[viewer], id, viewer);
        expect([about, viewer, answer.status]).toEqual([about, viewer, status]);
        const after = (await denials(viewer)).times;
        recorded.set(viewer, after);
        const noted = after - before;
        if (status === 409 ? noted !== 0 : noted === 0) unnoted.push(`${about} by ${viewer}: ${noted}`);
      }
    }
    expect(unnoted).toEqual([]);
    // In words that a person can read, never an endpoint's name.
    const { details } = await denials('Client');
    for (const detail of details) expect(detail).toMatch(/^[a-z][a-z ’-]+( \d+(, \d+)*)?( \(.+\))?$/);
    expect(details).toContain('change the permissions of a role');
    expect(details).toContain(`delete client ${NONE_THERE}`);
  }, 300_000);
});
