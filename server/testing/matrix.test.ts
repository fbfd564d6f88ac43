// Who may call what: every endpoint, for every viewer, in and out of reach, as one table written by hand from docs/behaviour.md, Rights.

import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';
import type { Remembered } from '#contract/batch-words.ts';
import type { JobState } from '#contract/job-states.ts';
import type { MailState } from '#contract/mail-states.ts';
import { CAPABILITIES, type Capability } from '#contract/policy.ts';
import type { ItemState } from '#contract/request-words.ts';
import { insertActivity } from '../audit/record.ts';
import { fileNameColumns, periodColumns } from '../files/file-columns.ts';
import { trashClient } from '../files/trash/trashed-clients.ts';
import { trashFile } from '../files/trash/trashed-files.ts';
import { endingLink } from '../mail/digests/ending.ts';
import { putInvitation } from '../people/auth/invitations.ts';
import { enterBlob } from '../platform/blobs/blob-rows.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import type { Schema } from '../platform/db/schema.ts';
import { userNameColumns } from '../platform/names/name-forms.ts';
import { openSealer } from '../platform/sealed.ts';
import { breadth } from './breadth.ts';
import { addRole, addUser, clientInput, PASSWORD } from './firm.ts';
import { type Answer, type Caller, startTestApp, type TestApp } from './test-app.ts';
import { insertTestArchive } from './test-archive.ts';
import { type InsertedBatch, insertTestBatch, lockedFile, type TestDocument } from './test-batch.ts';
import { DATABASE_KINDS } from './test-database.ts';
import { insertTestJob } from './test-job.ts';
import { insertTestMail } from './test-mail.ts';
import { insertTestRequest, insertTestTemplate } from './test-request.ts';
import { insertTestSuggestion } from './test-suggestion.ts';

/**
 * Every viewer except `nobody` and Admin has one client and one report type in the lists: those are "in reach". `custom` is a
 * role without capabilities; a plus is such a role with this one capability, `+batches` with those of the workbench and of requests.
 *
 * 200+ finds the thing in the list, 200- gets the list without it. A refusal leaves every table and the blobs as they were.
 */
const TABLE = `
                                                     | nobody Client CPA  custom +clients +users +roles +types +reports +documents +delete +batches +clientlog +log Admin
session.login                                        | 200    200    200  200    200      200    200    200    200      200        200     200      200        200  200
session.invitation                                   | 200    200    200  200    200      200    200    200    200      200        200     200      200        200  200
session.join                                         | 200    200    200  200    200      200    200    200    200      200        200     200      200        200  200
session.forgotten where mail is not set up            | 404    404    404  404    404      404    404    404    404      404        404     404      404        404  404
session.logout                                       | 401    204    204  204    204      204    204    204    204      204        204     204      204        204  204
session.me                                           | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
session.preferences                                  | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
session.password                                     | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
session.devices shows one's own                      | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
session.devices shows another's                      | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200-
session.jobs shows one's own                         | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
session.jobs shows another's                         | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200-
session.end-others                                   | 401    204    204  204    204      204    204    204    204      204        204     204      204        204  204
session.end one's own                                | 401    204    204  204    204      204    204    204    204      204        204     204      204        204  204
session.end another's                                | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
session.second-factor                                | 404    404    404  404    404      404    404    404    404      404        404     404      404        404  404
session.second-factor-passkey                        | 404    404    404  404    404      404    404    404    404      404        404     404      404        404  404
session.reauth                                       | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
session.reauth-passkey                               | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
session.events                                       | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200

factors.list                                         | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
factors.new-totp                                     | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
factors.confirm-totp                                 | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
factors.remove-totp                                  | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
factors.passkey-options                              | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
factors.add-passkey                                  | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
factors.remove-passkey                               | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
factors.recovery-codes                               | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404

users.list shows oneself                             | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
users.list shows another                             | 401    200-   200- 200-   200-     200+   200-   200-   200-     200-       200-    200-     200-       200- 200+
users.get oneself                                    | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
users.get another                                    | 401    404    404  404    404      200    404    404    404      404        404     404      404        404  200
users.create with lists in reach                     | 401    403    403  403    403      201    403    403    403      403        403     403      403        403  201
users.create with a client out of reach              | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  201
users.create with all clients, also later ones       | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  201
users.create with a report type out of reach         | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  201
users.create with a role that may do more            | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  201
users.import with lists in reach                     | 401    403    403  403    403      200    403    403    403      403        403     403      403        403  200
users.import with a client out of reach              | 401    403    403  403    403      400    403    403    403      403        403     403      403        403  200
users.import with a report type out of reach         | 401    403    403  403    403      400    403    403    403      403        403     403      403        403  200
users.import with a role that may do more            | 401    403    403  403    403      400    403    403    403      403        403     403      403        403  200
users.update keeping lists                           | 401    403    403  403    403      200    403    403    403      403        403     403      403        403  200
users.update adding a client out of reach            | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
users.update giving all clients, also later ones     | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
users.update of one who has all clients              | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
users.update adding a report type out of reach       | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
users.update giving a role that may do more          | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
users.update making oneself an Admin                 | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
users.update of one's own password                   | 401    403    403  403    403      409    403    403    403      403        403     403      403        403  409
users.update of one who may do more                  | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
users.update of one who reaches further              | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
users.update of nobody there                         | 401    403    403  403    403      404    403    403    403      403        403     403      403        403  404
users.delete                                         | 401    403    403  403    403      204    403    403    403      403        403     403      403        403  204
users.delete of one who may do more                  | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  204
users.delete of one who reaches further              | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  204
users.delete of oneself                              | 401    403    403  403    403      409    403    403    403      403        403     403      403        403  409
users.delete of nobody there                         | 401    403    403  403    403      404    403    403    403      403        403     403      403        403  404
users.client-access of oneself                       | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
users.client-access of another                       | 401    404    404  404    404      200    404    404    404      404        404     404      404        404  200
users.report-access of oneself                       | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
users.report-access of another                       | 401    404    404  404    404      200    404    404    404      404        404     404      404        404  200
users.look at one who may do less                    | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  201
users.look at an Admin                               | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  403
users.look at oneself                                | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  403
users.look at nobody there                           | 401    403    403  403    403      404    403    403    403      403        403     403      403        403  404
users.withdraw-invitation                            | 401    403    403  403    403      204    403    403    403      403        403     403      403        403  204
users.withdraw-invitation of one who may do more     | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  204
users.withdraw-invitation of nobody there            | 401    403    403  403    403      404    403    403    403      403        403     403      403        403  404
users.reset-second-factor                            | 401    403    403  403    403      404    403    403    403      403        403     403      403        403  404

roles.list shows one's own                           | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
roles.list shows another                             | 401    200-   200- 200-   200-     200+   200+   200-   200-     200-       200-    200-     200-       200- 200+
roles.create                                         | 401    403    403  403    403      403    201    403    403      403        403     403      403        403  201
roles.update                                         | 401    403    403  403    403      403    200    403    403      403        403     403      403        403  200
roles.update of a role that may do more              | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
roles.update of a role that reaches further          | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
roles.update of a built-in role                      | 401    403    403  403    403      403    409    403    403      403        403     403      403        403  409
roles.update of none there                           | 401    403    403  403    403      403    404    403    403      403        403     403      403        403  404
roles.delete                                         | 401    403    403  403    403      403    204    403    403      403        403     403      403        403  204
roles.delete of a role that may do more              | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  204
roles.delete of a role that reaches further          | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  204
roles.delete of a built-in role                      | 401    403    403  403    403      403    409    403    403      403        403     403      403        403  409
roles.delete of a role somebody holds                | 401    403    403  403    403      403    409    403    403      403        403     403      403        403  409
roles.delete of none there                           | 401    403    403  403    403      403    404    403    403      403        403     403      403        403  404

permissions.list shows one's own role                | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
permissions.list shows another role                  | 401    200-   200- 200-   200-     200+   200+   200-   200-     200-       200-    200-     200-       200- 200+
permissions.update granting roles.manage             | 401    403    403  403    403      403    200    403    403      403        403     403      403        403  200
permissions.update granting activity.read            | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
permissions.update granting reach over all           | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
permissions.update taking from a role that may more  | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
permissions.update of the Client role                | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
permissions.update of the Client role's reach        | 401    403    403  403    403      403    409    403    403      403        403     403      403        403  409
permissions.update of the Admin role                 | 401    403    403  403    403      403    409    403    403      403        403     403      403        403  409
permissions.update of none there                     | 401    403    403  403    403      403    404    403    403      403        403     403      403        403  404
permissions.user of oneself                          | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
permissions.user of another                          | 401    404    404  404    404      200    404    404    404      404        404     404      404        404  200
permissions.client in reach                          | 401    403    403  403    403      200    403    403    403      403        403     403      403        403  200
permissions.client out of reach                      | 401    403    403  403    403      404    403    403    403      403        403     403      403        403  200

clients.list shows one in reach                      | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
clients.list shows one out of reach                  | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200+
clients.get in reach                                 | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
clients.get out of reach                             | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
clients.get of none there                            | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
clients.create                                       | 401    403    403  403    201      403    403    403    403      403        403     403      403        403  201
clients.import                                       | 401    403    403  403    200      403    403    403    403      403        403     403      403        403  200
clients.update in reach                              | 401    403    403  403    200      403    403    403    403      403        403     403      403        403  200
clients.update out of reach                          | 401    403    403  403    404      403    403    403    403      403        403     403      403        403  200
clients.update of none there                         | 401    403    403  403    404      403    403    403    403      403        403     403      403        403  404
clients.removal in reach                             | 401    403    403  403    200      403    403    403    403      403        403     403      403        403  200
clients.removal out of reach                         | 401    403    403  403    404      403    403    403    403      403        403     403      403        403  200
clients.delete in reach                              | 401    403    403  403    204      403    403    403    403      403        403     403      403        403  204
clients.delete out of reach                          | 401    403    403  403    404      403    403    403    403      403        403     403      403        403  204
clients.delete of none there                         | 401    403    403  403    404      403    403    403    403      403        403     403      403        403  404
clients.restore one that one deleted                 | 401    403    403  403    200      403    403    403    403      403        403     403      403        403  200
clients.restore one that another deleted             | 401    403    403  403    404      403    403    403    403      403        403     403      403        403  200
clients.restore of none there                        | 401    403    403  403    404      403    403    403    403      403        403     403      403        403  404
clients.purge one that one deleted                   | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  204
clients.purge of none there                          | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  404

report-types.list shows one in reach                 | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
report-types.list shows one out of reach             | 401    200-   200- 200-   200-     200-   200-   200+   200-     200-       200-    200-     200-       200- 200+
report-types.create                                  | 401    403    403  403    403      403    403    201    403      403        403     403      403        403  201
report-types.import                                  | 401    403    403  403    403      403    403    200    403      403        403     403      403        403  200
report-types.update in reach                         | 401    403    403  403    403      403    403    200    403      403        403     403      403        403  200
report-types.update out of reach                     | 401    403    403  403    403      403    403    200    403      403        403     403      403        403  200
report-types.update of none there                    | 401    403    403  403    403      403    403    404    403      403        403     403      403        403  404
report-types.save-phrases in reach                   | 401    403    403  403    403      403    403    200    403      403        403     403      403        403  200
report-types.save-phrases out of reach               | 401    403    403  403    403      403    403    200    403      403        403     403      403        403  200
report-types.save-phrases of none there              | 401    403    403  403    403      403    403    404    403      403        403     403      403        403  404
report-types.delete in reach                         | 401    403    403  403    403      403    403    204    403      403        403     403      403        403  204
report-types.delete out of reach                     | 401    403    403  403    403      403    403    204    403      403        403     403      403        403  204
report-types.delete of one in use                    | 401    403    403  403    403      403    403    409    403      403        403     403      403        403  409
report-types.delete of none there                    | 401    403    403  403    403      403    403    404    403      403        403     403      403        403  404

files.list shows a report in reach                   | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
files.list shows a document in reach                 | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
files.list shows another's report without type       | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200+
files.list shows one's own report without type       | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
files.list shows a report of a type out of reach     | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200+
files.list shows a report of a client out of reach   | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200+
files.list shows a document of a client out of reach | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200+
files.list shows one's own of a client out of reach  | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200+
files.already-there                                  | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
files.upload a report in reach                       | 401    403    201  403    403      403    403    403    201      403        403     403      403        403  201
files.upload a report without type                   | 401    403    201  403    403      403    403    403    201      403        403     403      403        403  201
files.upload a document in reach                     | 401    201    201  403    403      403    403    403    403      201        403     403      403        403  201
files.upload a report of a type out of reach         | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  201
files.upload a report to a client out of reach       | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  201
files.upload a document to a client out of reach     | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  201
files.upload a document to no client there           | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  404
files.open a report in reach                         | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
files.open a document in reach                       | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
files.open another's report without type             | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.open a report of a type out of reach           | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.open a report of a client out of reach         | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.open a document of a client out of reach       | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.open none there                                | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
files.download a report in reach                     | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
files.download another's report without type         | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.download a report of a type out of reach       | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.download a report of a client out of reach     | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.view a report in reach                         | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
files.view another's report without type             | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.view a report of a type out of reach           | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.view a report of a client out of reach         | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.export                                         | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
files.news                                           | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
files.periods                                        | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
files.archive a report in reach                      | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
files.archive a report of a client out of reach      | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.archive with one of a client out of reach      | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.archive none there                             | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
archives.order of a report in reach                  | 401    201    201  201    201      201    201    201    201      201        201     201      201        201  201
archives.order of a report of a client out of reach  | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  201
archives.order of none there                         | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
archives.list shows one's own                        | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
archives.list shows another's                        | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200-
archives.open one's own                              | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
archives.open another's                              | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
archives.open none there                             | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
archives.retry one's own                             | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
archives.retry another's                             | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
archives.delete one's own                            | 401    204    204  204    204      204    204    204    204      204        204     204      204        204  204
archives.delete another's                            | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404

batches.list shows one's own                         | 401    403    200+ 403    403      403    403    403    403      403        403     200+     403        403  200+
batches.list shows another's                         | 401    403    200- 403    403      403    403    403    403      403        403     200-     403        403  200+
batches.create                                       | 401    403    201  403    403      403    403    403    403      403        403     201      403        403  201
batches.get one's own                                | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.get another's                                | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.add-file to one's own                        | 401    403    201  403    403      403    403    403    403      403        403     201      403        403  201
batches.add-file to another's                        | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  201
batches.leave-out of one's own                       | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.leave-out of another's                       | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.unlock-file one's own                        | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.unlock-file another's                        | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.read one's own                               | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.read another's                               | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.documents of one's own                       | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.documents of another's                       | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.decide of one's own                          | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.decide of another's                          | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.decide for a client out of reach             | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.decide for a report type out of reach        | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.split of one's own                           | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.split of another's                           | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.join of one's own                            | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.join of another's                            | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.open-file of one's own                       | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.open-file of another's                       | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.release of one's own                         | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.release of another's                         | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.recall of one's own                          | 401    403    200  403    403      403    403    403    403      403        403     403      403        403  200
batches.recall of another's                          | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.accesses of one's own                        | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.accesses of another's                        | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.certificate of one's own                     | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.certificate of another's                     | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.discard one's own                            | 401    403    204  403    403      403    403    403    403      403        403     204      403        403  204
batches.discard another's                            | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  204
batches.list shows a colleague's                     | 401    403    200+ 403    403      403    403    403    403      403        403     200+     403        403  200+
batches.get a colleague's                            | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.read a colleague's                           | 401    403    409  403    403      403    403    403    403      403        403     409      403        403  409
batches.documents of a colleague's                   | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.decide of a colleague's                      | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.split of a colleague's                       | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.join of a colleague's                        | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.open-file of a colleague's                   | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
batches.release of a colleague's                     | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.recall of a colleague's                      | 401    403    200  403    403      403    403    403    403      403        403     403      403        403  200
batches.accesses of a colleague's                    | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.certificate of a colleague's                 | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.discard a colleague's                        | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  204
suggestions.list shows one's own                     | 401    403    200+ 403    200+     403    403    200+   403      403        403     200+     403        403  200+
suggestions.list shows another's phrase              | 401    403    200- 403    200-     403    403    200+   403      403        403     200-     403        403  200+
suggestions.list shows another's name                | 401    403    200- 403    200+     403    403    200-   403      403        403     200-     403        403  200+
suggestions.list shows a name out of reach           | 401    403    200- 403    200-     403    403    200-   403      403        403     200-     403        403  200+
suggestions.accept one's own                         | 401    403    403  403    403      403    403    204    403      403        403     403      403        403  204
suggestions.accept another's phrase                  | 401    403    403  403    404      403    403    204    403      403        403     403      403        403  204
suggestions.accept another's name                    | 401    403    403  403    204      403    403    404    403      403        403     403      403        403  204
suggestions.accept a name out of reach               | 401    403    403  403    404      403    403    404    403      403        403     403      403        403  204
suggestions.remove one's own                         | 401    403    204  403    204      403    403    204    403      403        403     204      403        403  204
suggestions.remove another's phrase                  | 401    403    404  403    404      403    403    204    403      403        403     404      403        403  204
suggestions.remove another's name                    | 401    403    404  403    204      403    403    404    403      403        403     404      403        403  204
suggestions.remove a name out of reach               | 401    403    404  403    404      403    403    404    403      403        403     404      403        403  204
firm-settings.get                                    | 401    403    200  403    403      403    200    403    403      403        403     200      403        403  200
firm-settings.update                                 | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
completeness.board                                   | 401    403    200  200    200      200    200    200    200      200        200     200      200        200  200
completeness.export                                  | 401    403    200  200    200      200    200    200    200      200        200     200      200        200  200
completeness.summary                                 | 401    403    200  200    200      200    200    200    200      200        200     200      200        200  200
completeness.propose                                 | 401    403    200  403    200      403    403    403    200      403        403     403      403        403  200
completeness.propose of a client out of reach        | 401    403    404  403    404      403    403    403    404      403        403     403      403        403  200
completeness.save-many in reach                      | 401    403    200  403    200      403    403    403    200      403        403     403      403        403  200
completeness.save-many with a client out of reach    | 401    403    404  403    404      403    403    403    404      403        403     403      403        403  200
completeness.save-many with a type out of reach      | 401    403    404  403    404      403    403    403    404      403        403     403      403        403  200
completeness.list in reach                           | 401    403    200  200    200      200    200    200    200      200        200     200      200        200  200
completeness.list out of reach                       | 401    403    404  404    404      404    404    404    404      404        404     404      404        404  200
completeness.list of none there                      | 401    403    404  404    404      404    404    404    404      404        404     404      404        404  404
completeness.save in reach                           | 401    403    200  403    200      403    403    403    200      403        403     403      403        403  200
completeness.save out of reach                       | 401    403    404  403    404      403    403    403    404      403        403     403      403        403  200
completeness.save with a type out of reach           | 401    403    404  403    404      403    403    403    404      403        403     403      403        403  200
files.marked shows a document in reach               | 401    403    200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
files.marked shows a report of a type out of reach   | 401    403    200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200+
files.marked shows one of a client out of reach      | 401    403    200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200+
files.readers shows a report in reach                | 401    403    200+ 403    403      200+   403    403    403      403        403     403      200+       200+ 200+
files.readers shows a report of a type out of reach  | 401    403    200- 403    403      200-   403    403    403      403        403     403      200-       200- 200+
files.settle-mark a report in reach                  | 401    403    204  403    403      403    403    403    204      403        403     403      403        403  204
files.settle-mark a document in reach                | 401    403    204  403    403      403    403    403    403      204        403     403      403        403  204
files.settle-mark a report of a type out of reach    | 401    403    404  403    403      403    403    403    404      404        403     403      403        403  204
files.settle-mark a document of a client out of reach| 401    403    404  403    403      403    403    403    404      404        403     403      403        403  204
files.settle-mark a report that is not marked        | 401    403    404  403    403      403    403    403    404      403        403     403      403        403  404
files.settle-mark none there                         | 401    403    404  403    403      403    403    403    404      404        403     403      403        403  404
files.search-inside                                  | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
files.facts of a report in reach                     | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
files.facts of another's report without type         | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.facts of a report of a type out of reach       | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.facts of a report of a client out of reach     | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.facts of none there                            | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
files.view-ticket a report in reach                  | 401    201    201  201    201      201    201    201    201      201        201     201      201        201  201
files.view-ticket another's report without type      | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  201
files.view-ticket a report of a type out of reach    | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  201
files.view-ticket a report of a client out of reach  | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  201
files.set-period a report in reach                   | 401    403    200  403    403      403    403    403    403      403        403     403      403        403  200
files.set-period with one of a client out of reach   | 401    404    404  403    403      403    403    403    404      404        403     403      403        403  200
files.refile a report in reach as a document         | 401    403    200  403    403      403    403    403    403      403        403     403      403        403  200
files.refile one's own document under a type         | 401    200    200  403    403      403    403    403    403      200        403     403      403        403  200
files.refile one's own document as a report          | 401    403    200  403    403      403    403    403    200      403        403     403      403        403  200
files.refile another's document in reach             | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
files.refile a report in reach to no type            | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
files.refile one's own report to no type             | 401    403    200  403    403      403    403    403    403      403        403     403      403        403  200
files.refile to a report type out of reach           | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
files.refile to a client out of reach                | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
files.refile to no client there                      | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  404
files.refile another's report without type           | 401    404    404  403    403      403    403    403    404      404        403     403      403        403  200
files.refile a report of a type out of reach         | 401    404    404  403    403      403    403    403    404      404        403     403      403        403  200
files.refile a report of a client out of reach       | 401    404    404  403    403      403    403    403    404      404        403     403      403        403  200
files.refile one's own of a client out of reach      | 401    404    404  403    403      403    403    403    404      404        403     403      403        403  200
files.refile none there                              | 401    404    404  403    403      403    403    403    404      404        403     403      403        403  404
files.delete a report in reach                       | 401    403    204  403    403      403    403    403    403      403        204     403      403        403  204
files.delete one's own report without type           | 401    403    204  403    403      403    403    403    204      403        204     403      403        403  204
files.delete another's document in reach             | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  204
files.delete one's own document in reach             | 401    204    204  204    204      204    204    204    204      204        204     204      204        204  204
files.delete another's report without type           | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  204
files.delete a report of a type out of reach         | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  204
files.delete a report of a client out of reach       | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  204
files.delete one's own of a client out of reach      | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  204
files.delete none there                              | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
files.restore a report that one deleted              | 401    403    200  403    403      403    403    403    403      403        200     403      403        403  200
files.restore a report that another deleted          | 401    404    200  404    404      404    404    404    404      404        200     404      404        404  200
files.restore one's own document that one deleted    | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
files.restore of a client out of reach               | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.restore a document that another sent           | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  200
files.restore none there                             | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
files.purge a report that one deleted                | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  204
files.purge none there                               | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  404

requests.list shows one in reach                     | 401    200+   200+ 403    403      403    403    403    403      403        403     200+     403        403  200+
requests.list shows one out of reach                 | 401    200-   200- 403    403      403    403    403    403      403        403     200-     403        403  200+
requests.summary                                     | 401    200    200  403    403      403    403    403    403      403        403     200      403        403  200
requests.create in reach                             | 401    403    201  403    403      403    403    403    403      403        403     201      403        403  201
requests.create with a client out of reach           | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  201
requests.get in reach                                | 401    200    200  403    403      403    403    403    403      403        403     200      403        403  200
requests.get out of reach                            | 401    404    404  403    403      403    403    403    403      403        403     404      403        403  200
requests.get none there                              | 401    404    404  403    403      403    403    403    403      403        403     404      403        403  404
requests.update in reach                             | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
requests.update out of reach                         | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
requests.update none there                           | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  404
requests.close in reach                              | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
requests.close out of reach                          | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
requests.close none there                            | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  404
requests.reopen in reach                             | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
requests.reopen out of reach                         | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
requests.reopen none there                           | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  404
requests.decide in reach                             | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
requests.decide out of reach                         | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
requests.decide none there                           | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  404
requests.send-file in reach                          | 401    201    403  403    403      403    403    403    403      403        403     403      403        403  403
requests.send-file out of reach                      | 401    404    403  403    403      403    403    403    403      403        403     403      403        403  403
requests.send-file none there                        | 401    404    403  403    403      403    403    403    403      403        403     403      403        403  403
requests.say-not in reach                            | 401    200    403  403    403      403    403    403    403      403        403     403      403        403  403
requests.say-not out of reach                        | 401    404    403  403    403      403    403    403    403      403        403     403      403        403  403
requests.say-not none there                          | 401    404    403  403    403      403    403    403    403      403        403     403      403        403  403
requests.templates                                   | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
requests.create-template                             | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  201
requests.update-template                             | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
requests.update-template none there                  | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  404
requests.delete-template                             | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  204
requests.delete-template none there                  | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  404

trash.list shows what one deleted                    | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
trash.list shows a document that another sent        | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200+
trash.list shows a report out of reach               | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200+
trash.list shows what another deleted                | 401    200-   200+ 200-   200-     200-   200-   200-   200-     200-       200+    200-     200-       200- 200+
holds.list shows one on a file in reach              | 401    403    200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
holds.list shows one on a file out of reach          | 401    403    200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200+
holds.list shows one on a client in reach            | 401    403    200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
holds.list shows one on a client out of reach        | 401    403    200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200- 200+
holds.place on a file in reach                       | 401    403    403  403    403      403    403    403    403      403        201     403      403        403  201
holds.place on a file out of reach                   | 401    403    403  403    403      403    403    403    403      403        404     403      403        403  201
holds.place on a client in reach                     | 401    403    403  403    403      403    403    403    403      403        201     403      403        403  201
holds.place on a client out of reach                 | 401    403    403  403    403      403    403    403    403      403        404     403      403        403  201
holds.place on a file that is on hold                | 401    403    403  403    403      403    403    403    403      403        409     403      403        403  409
holds.lift one on a file in reach                    | 401    403    403  403    403      403    403    403    403      403        204     403      403        403  204
holds.lift one on a file out of reach                | 401    403    403  403    403      403    403    403    403      403        404     403      403        403  204
holds.lift none there                                | 401    403    403  403    403      403    403    403    403      403        404     403      403        403  404
retention.list                                       | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
retention.rules                                      | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
retention.save-rule of a report type                 | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
retention.save-rule of none there                    | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  404
retention.dispose                                    | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  201
retention.dispose of what is not due                 | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  409
retention.disposals                                  | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
retention.certificate                                | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
retention.certificate of none there                  | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  404
retention.export                                     | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
retention.export of none there                       | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  404
retention.decide-rest                                | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
retention.decide-rest of one that ended              | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  409
retention.decide-rest of none there                  | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  404

activity.list shows one's own                        | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
activity.list shows another's on a client in reach   | 401    200-   200+ 200-   200-     200-   200-   200-   200-     200-       200-    200-     200+       200+ 200+
activity.list shows another's on one out of reach    | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200+ 200+
activity.list shows another's on no client           | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200+ 200+
activity.export                                      | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
activity.announce in reach                           | 401    201    201  201    201      201    201    201    201      201        201     201      201        201  201
activity.announce out of reach                       | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  201
activity.announce under another client               | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404
overview.get                                         | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
overview.first-steps                                 | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
overview.dismiss-first-steps                         | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
changes.follow                                       | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
jobs.list shows one                                  | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200+
jobs.retry one that failed                           | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
jobs.retry one that is done                          | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  409
jobs.retry none there                                | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  404
jobs.cancel one that waits                           | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
jobs.cancel one that has ended                       | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  409
jobs.cancel none there                               | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  404
mail.facts                                           | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
mail.list shows one                                  | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200+
mail.retry one that failed                           | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
mail.retry one that was sent                         | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  409
mail.retry none there                                | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  404
mail.test where mail is not set up                   | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  409
digests.own                                          | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
digests.choose                                       | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
digests.usual                                        | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
digests.set-usual                                    | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
digests.end-page                                     | 200    200    200  200    200      200    200    200    200      200        200     200      200        200  200
digests.end                                          | 204    204    204  204    204      204    204    204    204      204        204     204      204        204  204
unopened.list shows a report in reach                | 401    403    200+ 403    403      200+   403    403    403      403        403     403      200+       200+ 200+
unopened.list shows a report of a type out of reach  | 401    403    200- 403    403      200-   403    403    403      403        403     403      200-       200- 200+
unopened.remind where mail is not set up             | 401    403    409  403    403      403    403    403    409      403        403     403      403        403  409
system.facts                                         | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
docs.openapi                                         | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
docs.page                                            | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
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
  '+delete': ['files.delete', 'holds.manage'],
  '+batches': ['batches.manage', 'batches.release', 'requests.manage'],
  '+clientlog': ['activity.read-clients'],
  '+log': ['activity.read'],
  Admin: 'admin',
} as const satisfies Record<string, null | 'admin' | 'cpa' | 'client' | readonly Capability[]>;
type ViewerName = keyof typeof VIEWERS;

/**
 * Which capability lets somebody in is decided before an engine is asked: on SQLite all viewers are tried at each run. Whom a statement
 * lets see what is asked of both engines.
 */
const VIEWERS_ON: Record<DatabaseKind, readonly ViewerName[]> = {
  sqlite: Object.keys(VIEWERS) as ViewerName[],
  postgres: breadth(['Client', 'CPA', '+users', '+clientlog', 'Admin'], Object.keys(VIEWERS) as ViewerName[]),
};

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

/**
 * Whether a cell is tried: at each run those that a capability changes, and in turn one of those that it does not, which are
 * decided as without any.
 */
const isTried = breadth(
  ({ expected }: TableRow, viewer: ViewerName, nth: number) =>
    !viewer.startsWith('+') || expected[viewer] !== expected['custom'] || viewer === PLUS[nth % PLUS.length],
  () => true,
);
/** On PostgreSQL those with lists of their own are one to the statements, unless the table says otherwise. */
const isToldApart = breadth(
  (kind: DatabaseKind, { expected }: TableRow, viewer: ViewerName) =>
    kind === 'sqlite' || ['Client', 'Admin'].includes(viewer) || expected[viewer] !== expected['Client'],
  () => true,
);
const PLUS = Object.keys(VIEWERS).filter((viewer) => viewer.startsWith('+'));

/** One row's call, as `by`; `id` is what it is about. */
interface Attempt {
  /** Makes, or names, what the call of this viewer is about. A call that changes it gets one of its own. */
  readonly target?: (viewer: ViewerName) => number | Promise<number>;
  readonly call: (by: Caller, id: number, viewer: ViewerName) => Promise<Answer>;
}

const isRefusal = (cell = '') => Number.parseInt(cell, 10) >= 400;

const NONE_THERE = 999_999;

const TABLES: readonly (keyof Schema)[] = [
  'roles',
  'role_capabilities',
  'users',
  'clients',
  'report_types',
  'report_type_phrases',
  'suggestions',
  'user_clients',
  'user_report_types',
  'files',
  'trash',
  'trashed_rows',
  'holds',
  'disposals',
  'disposal_files',
  'file_marks',
  'blobs',
  'blob_keys',
  'released_blobs',
  'archives',
  'batches',
  'batch_files',
  'batch_documents',
  'expectations',
  'requests',
  'request_items',
  'request_item_files',
  'request_templates',
  'activity',
  'sessions',
  'view_tickets',
  'file_counts',
  'activity_counts',
  'jobs',
  'mails',
  'digest_choices',
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
          ...fileNameColumns('seeded.txt'),
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
          ...periodColumns(null, Date.now()),
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

  const secretOf = (userId: number) => `the link of ${userId}`;
  async function seedInvited(roleId: number): Promise<number> {
    const id = await seedUser(roleId);
    await app.database.transaction((tx) => putInvitation(tx, id, secretOf(id), Date.now()));
    return id;
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
  const renameType = (by: Caller, id: number) => by.put(`/api/report-types/${id}`, { name: fresh('renamed') });
  const savePhrases = (by: Caller, id: number) =>
    by.put(`/api/report-types/${id}/phrases`, { phrases: [fresh('Phrase of pages')] });
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
    await refuseAll();
  }, 300_000);
  afterAll(() => app.close());

  const get =
    (path: string): Attempt['call'] =>
    (by, id) =>
      by.get(path.replace('{id}', String(id)));
  const remove =
    (path: string): Attempt['call'] =>
    (by, id) =>
      by.delete(path.replace('{id}', String(id)));
  const restore =
    (path: string): Attempt['call'] =>
    (by, id) =>
      by.post(path.replace('{id}', String(id)));
  const archive = (ids: () => number[]): Attempt => ({
    call: (by) => by.post('/api/files/archive', { ids: ids() }),
  });
  const order = (ids: () => number[]): Attempt => ({
    call: (by) => by.post('/api/archives', { ids: ids() }),
  });
  const archiveOf = (owner: 'own' | 'another', file: () => number, state: 'ready' | 'failed' = 'ready') => ({
    target: (viewer: ViewerName) =>
      insertTestArchive(app, { ownerId: owner === 'own' ? userIds[viewer] : bystander.id, fileIds: [file()], state }),
  });
  const jobOf = (owner: 'own' | 'another') => ({
    target: async (viewer: ViewerName) => {
      const actingUserId = owner === 'own' ? userIds[viewer] : bystander.id;
      const job = { kind: 'batches.read', state: 'done', payload: { batchId: NONE_THERE }, actingUserId } as const;
      return (await insertTestJob(app.database, job)).id;
    },
  });
  const seededBatches = new Map<number, InsertedBatch>();
  const seeded = (id: number): InsertedBatch => {
    const batch = seededBatches.get(id);
    if (batch === undefined) throw new Error(`No batch ${id} was seeded`);
    return batch;
  };
  type SeededState = 'adding' | 'review' | 'released' | 'locked';
  /** A colleague's is all within the lists that everybody here has; another's is of a client beside them too. */
  const batchOf = (owner: 'own' | 'another' | 'colleague', state: SeededState) => ({
    target: async (viewer: ViewerName) => {
      const ownerId = owner === 'own' ? userIds[viewer] : bystander.id;
      const place = { clientId: clients.near, reportTypeId: types.known };
      const beyond: TestDocument[] =
        owner === 'another'
          ? [{ from: 4, to: 4, state: 'toCheck', clientId: clients.far, reportTypeId: types.known }]
          : [];
      const documents: TestDocument[] =
        state === 'adding' || state === 'locked'
          ? []
          : state === 'review'
            ? [
                { from: 1, to: 2, state: 'accepted', ...place },
                { from: 3, to: 4, state: 'ready', ...place },
              ]
            : [
                {
                  from: 1,
                  to: 4,
                  state: 'released',
                  releasedFileId: await seedFile({ ...nearReport(), by: 0 }),
                  ...place,
                },
              ];
      const batch = await insertTestBatch(app, {
        ownerId,
        documents: [...documents, ...(state === 'review' || state === 'released' ? beyond : [])],
        ...(state === 'locked' ? { state: 'review', ...(await lockedFile('sesame')) } : { state }),
      });
      seededBatches.set(batch.id, batch);
      return batch.id;
    },
  });
  /** A row about one's own batch, and one about another's. */
  const ofEither = (name: string, state: SeededState, call: Attempt['call']) => ({
    [`${name} one's own`]: { ...batchOf('own', state), call },
    [`${name} another's`]: { ...batchOf('another', state), call },
  });
  const ofAll = (name: string, state: SeededState, call: Attempt['call']) => ({
    ...ofEither(name, state, call),
    [`${name} a colleague's`]: { ...batchOf('colleague', state), call },
  });
  const decide =
    (said: Record<string, unknown>) =>
    (by: Caller, id: number): Promise<Answer> =>
      by.post(`/api/batches/${id}/documents/decide`, { ids: [...seeded(id).documentIds], ...said });
  const suggested =
    (ownerOf: (viewer: ViewerName) => number, kind: Remembered, of: () => number) =>
    (viewer: ViewerName): Promise<number> => {
      const ownerId = ownerOf(viewer) || bystander.id;
      return insertTestSuggestion(app, { kind, id: of(), ownerId, words: fresh('Suggested words') });
    };
  const ownPhrase = suggested(
    (viewer) => userIds[viewer],
    'type',
    () => types.known,
  );
  const anothersPhrase = suggested(
    () => bystander.id,
    'type',
    () => types.known,
  );
  const anothersName = suggested(
    () => bystander.id,
    'client',
    () => clients.near,
  );
  const farName = suggested(
    () => bystander.id,
    'client',
    () => clients.far,
  );
  const requestOf = (clientId: () => number, more: { states?: readonly ItemState[]; closed?: boolean } = {}) => ({
    target: async () => (await insertTestRequest(app, { clientId: clientId(), ...more })).id,
  });
  const itemOf = (clientId: () => number, state: ItemState) => ({
    target: async () => (await insertTestRequest(app, { clientId: clientId(), states: [state] })).itemIds[0],
  });
  const template = { target: () => insertTestTemplate(app, fresh('template')) };
  /** Each attempt makes a request of its own, and a page holds a hundred. */
  const newestRequests = '/api/requests?sort=-createdAt';
  const askedFor = {
    title: 'Year-end package',
    message: '',
    dueOn: '2026-12-15',
    items: [{ name: 'Forms', note: '' }],
  };
  const ask = (ids: () => number[]): Attempt => ({
    call: (by) => by.post('/api/requests', { ...askedFor, clientIds: ids() }),
  });
  /** A row in reach, one out of reach, and one about nothing that is there. */
  const ofRequests = (
    name: string,
    at: (clientId: () => number) => { target: () => Promise<number> },
    call: Attempt['call'],
  ) => ({
    [`requests.${name} in reach`]: { ...at(() => clients.near), call },
    [`requests.${name} out of reach`]: { ...at(() => clients.far), call },
    [`requests.${name} none there`]: { target: noneThere, call },
  });
  const withTemplate = (name: string, call: Attempt['call']) => ({
    [`requests.${name}`]: { ...template, call },
    [`requests.${name} none there`]: { target: noneThere, call },
  });
  const quarterly = { frequency: 'quarterly', dueDays: 31, starts: null };
  const expectMany = (...pairs: (() => readonly [clientId: number, reportTypeId: number])[]): Attempt => ({
    call: (by) =>
      by.post('/api/completeness/expectations', {
        expectations: pairs.map((pair) => {
          const [clientId, reportTypeId] = pair();
          return { clientId, reportTypeId, ...quarterly };
        }),
      }),
  });
  const expectOf = (client: () => number, reportType: () => number): Attempt => ({
    target: client,
    call: (by, id) =>
      by.put(`/api/clients/${id}/expectations`, { expectations: [{ reportTypeId: reportType(), ...quarterly }] }),
  });
  const own = (viewer: ViewerName) => userIds[viewer];
  const ownRole = (viewer: ViewerName) => roleIds[viewer];
  const another = () => bystander.id;
  const near = () => clients.near;
  const known = () => types.known;
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

  /** A list of one user, whose client and report type are named. */
  const importUser = (client: () => number, type: () => number, role: ViewerName = 'custom'): Attempt => ({
    call: async (by) => {
      const nameOf = async (list: string, id: number) =>
        (await app.admin.get<{ id: number; name: string }[]>(`/api/${list}`)).body.find((row) => row.id === id)?.name;
      const username = fresh('listed');
      const row = {
        username,
        fullName: username,
        password: PASSWORD,
        role: await nameOf('roles', roleIds[role]),
        clients: await nameOf('clients', client()),
        reportTypes: await nameOf('report-types', type()),
      };
      return by.post('/api/users/import', { rows: [row] });
    },
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
  /** Such a file that names another client. */
  const markedIn = (file: Parameters<typeof fileIn>[0]) => async (viewer: ViewerName) => {
    const id = await fileIn(file, 'another')(viewer);
    const mark = { file_id: id, named_client_id: clients.far, state: 'open' as const, created_at: 1 };
    await app.database.transaction((tx) => tx.insertInto('file_marks').values(mark).execute());
    return id;
  };
  const listMarked: Attempt['call'] = async (by) => {
    const answer = await by.get<{ file: { id: number } }[]>('/api/files/marked');
    return Array.isArray(answer.body) ? { ...answer, body: answer.body.map(({ file }) => file) } : answer;
  };
  const readersOf: Attempt['call'] = async (by, id) => {
    const answer = await by.get<{ readers?: { fileId: number }[] }>(`/api/files/readers?ids=${id}`);
    const found = answer.body.readers;
    return found === undefined ? answer : { ...answer, body: found.map(({ fileId }) => ({ id: fileId })) };
  };
  const unopenedIn = (place: Parameters<typeof fileIn>[0], type: keyof typeof types) => async (viewer: ViewerName) => {
    await fileIn(place, 'another')(viewer);
    return types[type];
  };
  const listUnopened: Attempt['call'] = async (by) => {
    const answer = await by.get<{ reportTypeId: number }[]>('/api/unopened');
    if (answer.status !== 200) return answer;
    return { ...answer, body: answer.body.map(({ reportTypeId }) => ({ id: reportTypeId })) };
  };
  const settleMark = (target: NonNullable<Attempt['target']>): Attempt => ({
    target,
    call: (by, id) => by.post(`/api/files/${id}/settle-mark`),
  });
  /** Puts a file into the trash as `deleterId` would have, past the API. */
  const aTrashedFile =
    (file: () => Omit<Parameters<typeof seedFile>[0], 'by'>, by: 'own' | 'another', deleterId: number) =>
    async (viewer: ViewerName) => {
      const id = await fileIn(file, by)(viewer);
      await app.database.transaction((tx) =>
        trashFile({ db: tx, engine: kind }, id, sql`1 = 1`, deletionAs(deleterId)),
      );
      return id;
    };
  /** Puts a file or client on hold, past the API. */
  async function seedHold(on: 'file' | 'client', itemId: number, clientId: number): Promise<number> {
    const hold = { kind: on, item_id: itemId, client_id: clientId, name: 'Held', client_name: 'A client' };
    const placed = { reason: 'An audit', placed_by_id: bystander.id, placed_by_name: 'Somebody', placed_at: 1 };
    const { id } = await app.database.transaction((tx) =>
      tx
        .insertInto('holds')
        .values({ ...hold, ...placed })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    return id;
  }
  const aHeldFile = (file: Parameters<typeof fileIn>[0], where: 'near' | 'far') => async (viewer: ViewerName) =>
    seedHold('file', await fileIn(file, 'another')(viewer), clients[where]);
  async function aHeldClient(isReached: boolean): Promise<number> {
    const clientId = await aClient();
    if (isReached) await bringIntoReach({ clientId });
    return seedHold('client', clientId, clientId);
  }
  const aReachedClient = async () => {
    const clientId = await aClient();
    await bringIntoReach({ clientId });
    return clientId;
  };
  const saveRule: Attempt['call'] = (by, reportTypeId) => by.put('/api/retention/rules', { reportTypeId, years: 7 });
  const dispose: Attempt['call'] = (by, id) => by.post('/api/retention/disposals', { ids: [id], expected: 1 });
  const leaveRest: Attempt['call'] = (by, id) => by.post(`/api/retention/disposals/${id}/rest`, { decision: 'leave' });
  const aStoppedDisposal = () => aDisposal(null);
  async function aDisposal(endedAt: number | null = 1): Promise<number> {
    const order = { ordered_by_id: bystander.id, ordered_by_name: 'Somebody', ordered_at: 1, ended_at: endedAt };
    const { id } = await app.database.transaction((tx) =>
      tx.insertInto('disposals').values(order).returning('id').executeTakeFirstOrThrow(),
    );
    return id;
  }
  const placeHold = (on: 'file' | 'client', target: NonNullable<Attempt['target']>): Attempt => ({
    target,
    call: (by, id) => by.post('/api/holds', { kind: on, id, reason: 'An audit' }),
  });
  async function aTrashedClient(deleterId: number): Promise<number> {
    const clientId = await aClient();
    await bringIntoReach({ clientId });
    await app.database.transaction((tx) =>
      trashClient({ db: tx, engine: kind }, { clientId, peopleIds: [] }, deletionAs(deleterId)),
    );
    return clientId;
  }
  const deletionAs = (id: number) => ({ at: Date.now(), trashDays: 30, by: { id, fullName: 'Somebody' } });
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
    'session.invitation': {
      target: () => seedInvited(roleIds.custom),
      call: (by, id) => by.post('/api/auth/invitation', { token: secretOf(id) }),
    },
    'session.join': {
      target: () => seedInvited(roleIds.custom),
      call: (by, id) => by.post('/api/auth/join', { token: secretOf(id), newPassword: PASSWORD }),
    },
    'session.forgotten where mail is not set up': {
      call: (by) => by.post('/api/auth/forgotten', { username: 'bystander' }),
    },
    'session.logout': { call: async (by, _id, viewer) => (await again(by, viewer)).post('/api/auth/logout') },
    'session.me': { call: get('/api/auth/me') },
    'session.preferences': { call: (by) => by.put('/api/auth/preferences', { density: 'compact' }) },
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
    "session.jobs shows one's own": { ...jobOf('own'), call: get('/api/session/jobs') },
    "session.jobs shows another's": { ...jobOf('another'), call: get('/api/session/jobs') },
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
    'users.look at one who may do less': { target: another, call: (by, id) => by.post(`/api/users/${id}/look`) },
    'users.look at an Admin': {
      target: () => seedUser(roleIds.Admin),
      call: (by, id) => by.post(`/api/users/${id}/look`),
    },
    'users.look at oneself': { target: own, call: (by, id) => by.post(`/api/users/${id}/look`) },
    'users.look at nobody there': { target: noneThere, call: (by, id) => by.post(`/api/users/${id}/look`) },
    'users.withdraw-invitation': {
      target: () => seedInvited(roleIds.custom),
      call: remove('/api/users/{id}/invitation'),
    },
    'users.withdraw-invitation of one who may do more': {
      target: () => seedInvited(roleIds.Admin),
      call: remove('/api/users/{id}/invitation'),
    },
    'users.withdraw-invitation of nobody there': { target: noneThere, call: remove('/api/users/{id}/invitation') },
    'users.reset-second-factor': {
      target: () => seedUser(roleIds.custom),
      call: remove('/api/users/{id}/second-factor'),
    },

    'users.list shows oneself': { target: own, call: get('/api/users') },
    'users.list shows another': { target: another, call: get('/api/users') },
    'users.get oneself': { target: own, call: get('/api/users/{id}') },
    'users.get another': { target: another, call: get('/api/users/{id}') },
    'users.create with lists in reach': createUser(),
    'users.create with a client out of reach': createUser(() => ({ clientIds: [clients.near, clients.far] })),
    'users.create with all clients, also later ones': createUser(() => ({ allClients: true })),
    'users.create with a report type out of reach': createUser(() => ({ reportTypeIds: [types.known, types.other] })),
    'users.create with a role that may do more': createUser(() => ({ roleId: roleIds.Admin })),
    'users.import with lists in reach': importUser(near, known),
    'users.import with a client out of reach': importUser(() => clients.far, known),
    'users.import with a report type out of reach': importUser(near, () => types.other),
    'users.import with a role that may do more': importUser(near, known, 'Admin'),
    'users.update keeping lists': updateUser(),
    'users.update adding a client out of reach': updateUser(() => ({ clientIds: [clients.near, clients.far] })),
    'users.update giving all clients, also later ones': updateUser(() => ({ allClients: true })),
    'users.update of one who has all clients': {
      target: async () => {
        const id = await seedUser(roleIds.custom);
        await app.database.transaction((tx) =>
          tx.updateTable('users').set({ all_clients: 1 }).where('id', '=', id).execute(),
        );
        return id;
      },
      call: (by, id) => by.put(`/api/users/${id}`, user({ roleId: roleIds.custom, password: '' })),
    },
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
    'clients.import': { call: (by) => by.post('/api/clients/import', { rows: [clientInput(fresh('Client'))] }) },
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
    'clients.restore one that one deleted': {
      target: (viewer) => aTrashedClient(userIds[viewer]),
      call: restore('/api/clients/{id}/restore'),
    },
    'clients.restore one that another deleted': {
      target: () => aTrashedClient(bystander.id),
      call: restore('/api/clients/{id}/restore'),
    },
    'clients.restore of none there': { target: noneThere, call: restore('/api/clients/{id}/restore') },
    'clients.purge one that one deleted': {
      target: (viewer) => aTrashedClient(userIds[viewer]),
      call: restore('/api/clients/{id}/purge'),
    },
    'clients.purge of none there': { target: noneThere, call: restore('/api/clients/{id}/purge') },

    'report-types.list shows one in reach': { target: () => types.known, call: get('/api/report-types') },
    'report-types.list shows one out of reach': { target: () => types.other, call: get('/api/report-types') },
    'report-types.create': { call: (by) => by.post('/api/report-types', { name: fresh('type') }) },
    'report-types.import': { call: (by) => by.post('/api/report-types/import', { rows: [{ name: fresh('type') }] }) },
    'report-types.update in reach': {
      target: async () => {
        const reportTypeId = await aType();
        await bringIntoReach({ reportTypeId });
        return reportTypeId;
      },
      call: renameType,
    },
    'report-types.update out of reach': { target: aType, call: renameType },
    'report-types.update of none there': { target: noneThere, call: renameType },
    'report-types.save-phrases in reach': {
      target: async () => {
        const reportTypeId = await aType();
        await bringIntoReach({ reportTypeId });
        return reportTypeId;
      },
      call: savePhrases,
    },
    'report-types.save-phrases out of reach': { target: aType, call: savePhrases },
    'report-types.save-phrases of none there': { target: noneThere, call: savePhrases },
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
    'files.already-there': {
      call: (by) =>
        by.post('/api/files/already-there', {
          files: [{ clientId: clients.near, fileType: 'company_document', name: 'hello.txt', size: 5 }],
        }),
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
    'files.news': { call: get('/api/files/news') },
    'files.periods': { call: get('/api/files/periods?clientId=1') },
    'files.archive a report in reach': archive(() => [files.report]),
    'files.archive a report of a client out of reach': archive(() => [files.farReport]),
    'files.archive with one of a client out of reach': archive(() => [files.report, files.farReport]),
    'files.archive none there': archive(() => [NONE_THERE]),
    'archives.order of a report in reach': order(() => [files.report]),
    'archives.order of a report of a client out of reach': order(() => [files.farReport]),
    'archives.order of none there': order(() => [NONE_THERE]),
    "archives.list shows one's own": {
      ...archiveOf('own', () => files.report),
      call: get('/api/archives'),
    },
    "archives.list shows another's": {
      ...archiveOf('another', () => files.report),
      call: get('/api/archives'),
    },
    "archives.open one's own": {
      ...archiveOf('own', () => files.report),
      call: bytes('/api/files/archives/{id}/download'),
    },
    "archives.open another's": {
      ...archiveOf('another', () => files.report),
      call: bytes('/api/files/archives/{id}/download'),
    },
    'archives.open none there': { target: noneThere, call: bytes('/api/files/archives/{id}/download') },
    "archives.retry one's own": {
      ...archiveOf('own', () => files.report, 'failed'),
      call: (by, id) => by.post(`/api/archives/${id}/retry`),
    },
    "archives.retry another's": {
      ...archiveOf('another', () => files.report, 'failed'),
      call: (by, id) => by.post(`/api/archives/${id}/retry`),
    },
    "archives.delete one's own": {
      ...archiveOf('own', () => files.report),
      call: remove('/api/archives/{id}'),
    },
    "archives.delete another's": {
      ...archiveOf('another', () => files.report),
      call: remove('/api/archives/{id}'),
    },
    "batches.list shows one's own": { ...batchOf('own', 'review'), call: get('/api/batches') },
    "batches.list shows a colleague's": { ...batchOf('colleague', 'review'), call: get('/api/batches') },
    "batches.read a colleague's": {
      ...batchOf('colleague', 'review'),
      call: (by, id) => by.post(`/api/batches/${id}/read`),
    },
    "batches.list shows another's": { ...batchOf('another', 'review'), call: get('/api/batches') },
    'batches.create': { call: (by) => by.post('/api/batches', { name: 'Pay run' }) },
    ...ofAll('batches.get', 'review', get('/api/batches/{id}')),
    ...ofEither('batches.add-file to', 'adding', (by, id) =>
      by.upload({ path: `/api/batches/${id}/files`, bytes: fresh('bytes'), fields: {} }),
    ),
    ...ofEither('batches.leave-out of', 'adding', (by, id) =>
      by.post(`/api/batches/${id}/left-out`, { files: [{ name: 'a.txt', reason: 'empty' }] }),
    ),
    ...ofEither('batches.unlock-file', 'locked', (by, id) =>
      by.post(`/api/batches/${id}/files/password`, { fileId: seeded(id).fileId, password: 'sesame' }),
    ),
    ...ofEither('batches.read', 'adding', (by, id) => by.post(`/api/batches/${id}/read`)),
    ...ofAll('batches.documents of', 'review', get('/api/batches/{id}/documents')),
    ...ofAll('batches.decide of', 'review', decide({ decision: 'accepted' })),
    'batches.decide for a client out of reach': {
      ...batchOf('own', 'review'),
      call: (by, id) => decide({ clientId: clients.far })(by, id),
    },
    'batches.decide for a report type out of reach': {
      ...batchOf('own', 'review'),
      call: (by, id) => decide({ reportTypeId: types.other })(by, id),
    },
    ...ofAll('batches.split of', 'review', (by, id) =>
      by.post(`/api/batches/${id}/documents/split`, { documentId: seeded(id).documentIds[0], page: 2 }),
    ),
    ...ofAll('batches.join of', 'review', (by, id) =>
      by.post(`/api/batches/${id}/documents/join`, { documentId: seeded(id).documentIds[1] }),
    ),
    ...ofAll('batches.open-file of', 'review', (by, id, viewer) =>
      bytes('/api/files/batches/{id}/content')(by, seeded(id).fileId, viewer),
    ),
    ...ofAll('batches.release of', 'review', (by, id) => by.post(`/api/batches/${id}/release`, {})),
    ...ofAll('batches.recall of', 'released', (by, id) => by.post(`/api/batches/${id}/recall`, { reason: 'Wrong' })),
    ...ofAll('batches.accesses of', 'released', get('/api/batches/{id}/accesses')),
    ...ofAll('batches.certificate of', 'released', get('/api/batches/{id}/certificate')),
    ...ofAll('batches.discard', 'review', remove('/api/batches/{id}')),
    "suggestions.list shows one's own": { target: ownPhrase, call: get('/api/suggestions') },
    "suggestions.list shows another's phrase": { target: anothersPhrase, call: get('/api/suggestions') },
    "suggestions.list shows another's name": { target: anothersName, call: get('/api/suggestions') },
    'suggestions.list shows a name out of reach': { target: farName, call: get('/api/suggestions') },
    "suggestions.accept one's own": { target: ownPhrase, call: restore('/api/suggestions/{id}/accept') },
    "suggestions.accept another's phrase": { target: anothersPhrase, call: restore('/api/suggestions/{id}/accept') },
    "suggestions.accept another's name": { target: anothersName, call: restore('/api/suggestions/{id}/accept') },
    'suggestions.accept a name out of reach': { target: farName, call: restore('/api/suggestions/{id}/accept') },
    "suggestions.remove one's own": { target: ownPhrase, call: remove('/api/suggestions/{id}') },
    "suggestions.remove another's phrase": { target: anothersPhrase, call: remove('/api/suggestions/{id}') },
    "suggestions.remove another's name": { target: anothersName, call: remove('/api/suggestions/{id}') },
    'suggestions.remove a name out of reach': { target: farName, call: remove('/api/suggestions/{id}') },
    'requests.list shows one in reach': { ...requestOf(() => clients.near), call: get(newestRequests) },
    'requests.list shows one out of reach': { ...requestOf(() => clients.far), call: get(newestRequests) },
    'requests.summary': { call: (by) => by.get('/api/requests/summary') },
    'requests.create in reach': ask(() => [clients.near]),
    'requests.create with a client out of reach': ask(() => [clients.near, clients.far]),
    ...ofRequests('get', requestOf, get('/api/requests/{id}')),
    ...ofRequests('update', requestOf, (by, id) => by.put(`/api/requests/${id}`, askedFor)),
    ...ofRequests('close', requestOf, (by, id) => by.post(`/api/requests/${id}/close`)),
    ...ofRequests(
      'reopen',
      (clientId) => requestOf(clientId, { closed: true }),
      (by, id) => by.post(`/api/requests/${id}/reopen`),
    ),
    ...ofRequests(
      'decide',
      (clientId) => itemOf(clientId, 'sent'),
      (by, id) => by.post(`/api/request-items/${id}/decide`, { decision: 'accept' }),
    ),
    ...ofRequests(
      'send-file',
      (clientId) => itemOf(clientId, 'open'),
      (by, id) => by.upload({ path: `/api/request-items/${id}/files`, fields: {} }),
    ),
    ...ofRequests(
      'say-not',
      (clientId) => itemOf(clientId, 'open'),
      (by, id) => by.post(`/api/request-items/${id}/does-not-apply`, { note: '' }),
    ),
    'requests.templates': { call: (by) => by.get('/api/request-templates') },
    'requests.create-template': {
      call: (by) => by.post('/api/request-templates', { name: fresh('template'), items: askedFor.items }),
    },
    ...withTemplate('update-template', (by, id) =>
      by.put(`/api/request-templates/${id}`, { name: fresh('template'), items: askedFor.items }),
    ),
    ...withTemplate('delete-template', remove('/api/request-templates/{id}')),
    'firm-settings.get': { call: (by) => by.get('/api/firm-settings') },
    'firm-settings.update': { call: (by) => by.put('/api/firm-settings', { fourEyes: false }) },
    'completeness.board': { call: (by) => by.get('/api/completeness?period=2026-Q3') },
    'completeness.export': { call: (by) => by.get('/api/completeness/export?period=2026-Q3') },
    'completeness.summary': { call: (by) => by.get('/api/completeness/summary?period=2026-Q3') },
    'completeness.propose': { call: (by) => by.post('/api/completeness/proposals', {}) },
    'completeness.propose of a client out of reach': {
      call: (by) => by.post('/api/completeness/proposals', { clientIds: [clients.near, clients.far] }),
    },
    'completeness.save-many in reach': expectMany(() => [clients.near, types.known]),
    'completeness.save-many with a client out of reach': expectMany(
      () => [clients.near, types.known],
      () => [clients.far, types.known],
    ),
    'completeness.save-many with a type out of reach': expectMany(
      () => [clients.near, types.known],
      () => [clients.near, types.other],
    ),
    'completeness.list in reach': { target: () => clients.near, call: get('/api/clients/{id}/expectations') },
    'completeness.list out of reach': { target: () => clients.far, call: get('/api/clients/{id}/expectations') },
    'completeness.list of none there': { target: noneThere, call: get('/api/clients/{id}/expectations') },
    'completeness.save in reach': expectOf(
      () => clients.near,
      () => types.known,
    ),
    'completeness.save out of reach': expectOf(
      () => clients.far,
      () => types.known,
    ),
    'completeness.save with a type out of reach': expectOf(
      () => clients.near,
      () => types.other,
    ),
    'files.marked shows a document in reach': { target: markedIn(nearDocument), call: listMarked },
    'files.marked shows a report of a type out of reach': { target: markedIn(nearOtherType), call: listMarked },
    'files.marked shows one of a client out of reach': { target: markedIn(farDocument), call: listMarked },
    'files.readers shows a report in reach': { target: fileIn(nearReport, 'another'), call: readersOf },
    'files.readers shows a report of a type out of reach': {
      target: fileIn(nearOtherType, 'another'),
      call: readersOf,
    },
    'files.settle-mark a report in reach': settleMark(markedIn(nearReport)),
    'files.settle-mark a document in reach': settleMark(markedIn(nearDocument)),
    'files.settle-mark a report of a type out of reach': settleMark(markedIn(nearOtherType)),
    'files.settle-mark a document of a client out of reach': settleMark(markedIn(farDocument)),
    'files.settle-mark a report that is not marked': settleMark(fileIn(nearReport, 'another')),
    'files.settle-mark none there': settleMark(noneThere),
    'files.search-inside': { call: (by) => by.get('/api/files/inside?q=report') },
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
    'files.set-period a report in reach': {
      target: fileIn(nearReport, 'another'),
      call: (by, id) => by.put('/api/files/period', { ids: [Number(id)], period: '2026-Q1' }),
    },
    'files.set-period with one of a client out of reach': {
      target: fileIn(nearReport, 'another'),
      call: (by, id) => by.put('/api/files/period', { ids: [Number(id), files.farReport], period: '2026-Q1' }),
    },
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
    'files.restore a report that one deleted': {
      target: (viewer) => aTrashedFile(nearReport, 'another', userIds[viewer])(viewer),
      call: restore('/api/files/{id}/restore'),
    },
    'files.restore a report that another deleted': {
      target: (viewer) => aTrashedFile(nearReport, 'another', bystander.id)(viewer),
      call: restore('/api/files/{id}/restore'),
    },
    "files.restore one's own document that one deleted": {
      target: (viewer) => aTrashedFile(nearDocument, 'own', userIds[viewer])(viewer),
      call: restore('/api/files/{id}/restore'),
    },
    'files.restore of a client out of reach': {
      target: (viewer) => aTrashedFile(farReport, 'own', userIds[viewer])(viewer),
      call: restore('/api/files/{id}/restore'),
    },
    'files.restore a document that another sent': {
      target: (viewer) => aTrashedFile(nearDocument, 'another', bystander.id)(viewer),
      call: restore('/api/files/{id}/restore'),
    },
    'files.restore none there': { target: noneThere, call: restore('/api/files/{id}/restore') },
    'files.purge a report that one deleted': {
      target: (viewer) => aTrashedFile(nearReport, 'own', userIds[viewer])(viewer),
      call: restore('/api/files/{id}/purge'),
    },
    'files.purge none there': { target: noneThere, call: restore('/api/files/{id}/purge') },

    'trash.list shows what one deleted': {
      target: (viewer) => aTrashedFile(nearReport, 'another', userIds[viewer])(viewer),
      call: get('/api/trash'),
    },
    'trash.list shows a document that another sent': {
      target: (viewer) => aTrashedFile(nearDocument, 'another', bystander.id)(viewer),
      call: get('/api/trash'),
    },
    'trash.list shows a report out of reach': {
      target: (viewer) => aTrashedFile(farReport, 'another', bystander.id)(viewer),
      call: get('/api/trash'),
    },
    'trash.list shows what another deleted': {
      target: (viewer) => aTrashedFile(nearReport, 'another', bystander.id)(viewer),
      call: get('/api/trash'),
    },

    'holds.list shows one on a file in reach': { target: aHeldFile(nearReport, 'near'), call: get('/api/holds') },
    'holds.list shows one on a file out of reach': {
      target: aHeldFile(nearOtherType, 'near'),
      call: get('/api/holds'),
    },
    'holds.list shows one on a client in reach': { target: () => aHeldClient(true), call: get('/api/holds') },
    'holds.list shows one on a client out of reach': { target: () => aHeldClient(false), call: get('/api/holds') },
    'holds.place on a file in reach': placeHold('file', fileIn(nearReport, 'another')),
    'holds.place on a file out of reach': placeHold('file', fileIn(farReport, 'another')),
    'holds.place on a client in reach': placeHold('client', aReachedClient),
    'holds.place on a client out of reach': placeHold('client', aClient),
    'holds.place on a file that is on hold': placeHold('file', async (viewer) => {
      const id = await fileIn(nearReport, 'another')(viewer);
      await seedHold('file', id, clients.near);
      return id;
    }),
    'holds.lift one on a file in reach': {
      target: aHeldFile(nearReport, 'near'),
      call: restore('/api/holds/{id}/lift'),
    },
    'holds.lift one on a file out of reach': {
      target: aHeldFile(farReport, 'far'),
      call: restore('/api/holds/{id}/lift'),
    },
    'holds.lift none there': { target: noneThere, call: restore('/api/holds/{id}/lift') },

    'retention.list': { call: get('/api/retention') },
    'retention.rules': { call: get('/api/retention/rules') },
    'retention.save-rule of a report type': { target: () => types.other, call: saveRule },
    'retention.save-rule of none there': { target: noneThere, call: saveRule },
    'retention.dispose': {
      target: async () => {
        const reportTypeId = await aType();
        await app.admin.put('/api/retention/rules', { reportTypeId, years: 1 });
        return uploadAsAdmin({ clientId: clients.near, fileType: 'report', reportTypeId, period: '2001' });
      },
      call: dispose,
    },
    'retention.dispose of what is not due': { target: fileIn(nearReport, 'another'), call: dispose },
    'retention.disposals': { call: get('/api/retention/disposals') },
    'retention.certificate': {
      target: () => aDisposal(),
      call: get('/api/retention/disposals/{id}/certificate?format=json'),
    },
    'retention.certificate of none there': {
      target: noneThere,
      call: get('/api/retention/disposals/{id}/certificate'),
    },
    'retention.export': { target: () => aDisposal(), call: get('/api/retention/disposals/{id}/export') },
    'retention.export of none there': { target: noneThere, call: get('/api/retention/disposals/{id}/export') },
    'retention.decide-rest': { target: aStoppedDisposal, call: leaveRest },
    'retention.decide-rest of one that ended': { target: () => aDisposal(), call: leaveRest },
    'retention.decide-rest of none there': { target: noneThere, call: leaveRest },

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
    'overview.first-steps': { call: get('/api/overview/first-steps') },
    'overview.dismiss-first-steps': { call: (by) => by.put('/api/overview/first-steps', { dismissed: false }) },
    'changes.follow': { call: get('/api/events') },
    'jobs.list shows one': { target: () => seedJob('waiting'), call: get('/api/jobs') },
    'jobs.retry one that failed': { target: () => seedJob('failed'), call: steer('retry') },
    'jobs.retry one that is done': { target: () => seedJob('done'), call: steer('retry') },
    'jobs.retry none there': { target: noneThere, call: steer('retry') },
    'jobs.cancel one that waits': { target: () => seedJob('waiting'), call: steer('cancel') },
    'jobs.cancel one that has ended': { target: () => seedJob('done'), call: steer('cancel') },
    'jobs.cancel none there': { target: noneThere, call: steer('cancel') },
    'mail.facts': { call: get('/api/mail') },
    'mail.list shows one': { target: () => seedMail('sent'), call: get('/api/mail/messages') },
    'mail.retry one that failed': { target: () => seedMail('failed'), call: retryMail },
    'mail.retry one that was sent': { target: () => seedMail('sent'), call: retryMail },
    'mail.retry none there': { target: noneThere, call: retryMail },
    'system.facts': { call: get('/api/system') },
    'mail.test where mail is not set up': { call: (by) => by.post('/api/mail/test', { to: 'rosa@example.com' }) },
    'digests.own': { call: get('/api/digests') },
    'digests.choose': { call: (by) => by.put('/api/digests', { topic: 'reports', pace: 'daily' }) },
    'digests.usual': { call: get('/api/digests/usual') },
    'digests.set-usual': { call: (by) => by.put('/api/digests/usual', { clients: { reports: 'daily' } }) },
    'digests.end-page': { call: async (by) => by.get(`/api/digests/end?token=${await endsBystander()}`) },
    'digests.end': { call: async (by) => by.post(`/api/digests/end?token=${await endsBystander()}`) },
    'unopened.list shows a report in reach': { target: unopenedIn(nearReport, 'known'), call: listUnopened },
    'unopened.list shows a report of a type out of reach': {
      target: unopenedIn(nearOtherType, 'other'),
      call: listUnopened,
    },
    'unopened.remind where mail is not set up': { call: (by) => by.post('/api/unopened/reminders', {}) },
    'docs.openapi': { call: get('/api/openapi.json') },
    'docs.page': { call: get('/api/docs') },
  };

  /** A background job that no process takes here. */
  const seedJob = async (state: JobState) => (await insertTestJob(app.database, { state })).id;

  const endsBystander = () => endingLink(openSealer(app.config.secretsKeyFile), 'reports', bystander.id);

  /** A mail that nobody sends: mail is not set up here. */
  const seedMail = async (state: MailState) => (await insertTestMail(app.database, { state })).id;

  function retryMail(by: Caller, id: number) {
    return by.post(`/api/mail/messages/${id}/retry`);
  }

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

  const names = (row: TableRow) =>
    VIEWERS_ON[kind].filter((viewer) => isTried(row, viewer, table.indexOf(row)) && isToldApart(kind, row, viewer));
  const outcomes = new Map<string, string>();
  const act = async ({ about, expected }: TableRow, viewer: ViewerName, id: number) => {
    const attempt = attempts[about] as Attempt;
    outcomes.set(`${about} by ${viewer}`, await outcome(viewer, attempt, id, expected[viewer] ?? ''));
  };

  /** All that is refused, one cell after the other, before anything is allowed: what each is about is made first. */
  const refused = { before: {}, after: {}, unnoted: [] as string[] };
  async function refuseAll() {
    const cells: { row: TableRow; viewer: ViewerName; id: number }[] = [];
    for (const row of table) {
      for (const viewer of names(row).filter((name) => isRefusal(row.expected[name]))) {
        cells.push({ row, viewer, id: (await attempts[row.about]?.target?.(viewer)) ?? 0 });
      }
    }
    refused.before = await snapshot();
    const recorded = new Map<ViewerName, number>();
    for (const { row, viewer, id } of cells) {
      const before = recorded.get(viewer) ?? (await denials(viewer)).times;
      await act(row, viewer, id);
      const after = (await denials(viewer)).times;
      recorded.set(viewer, after);
      // What exists with SAFEGUARDS=on alone is no endpoint here.
      const { safeguardsOnly, action }: Endpoint = api[row.endpoint as EndpointName];
      // A public endpoint does not look at who asks.
      if (viewer === 'nobody' || safeguardsOnly || action === 'session.open') continue;
      const noted = after - before;
      const isNoted = ['403', '404'].includes(row.expected[viewer] ?? '');
      if (isNoted ? noted === 0 : noted !== 0) refused.unnoted.push(`${row.about} by ${viewer}: ${noted}`);
    }
    refused.after = await snapshot();
  }

  it.each(table)('$about', async (row) => {
    for (const viewer of names(row).filter((name) => !isRefusal(row.expected[name]))) {
      await act(row, viewer, (await attempts[row.about]?.target?.(viewer)) ?? 0);
    }
    const inOrder = Object.fromEntries(names(row).map((viewer) => [viewer, outcomes.get(`${row.about} by ${viewer}`)]));
    expect(inOrder).toEqual(Object.fromEntries(names(row).map((viewer) => [viewer, row.expected[viewer]])));
  });

  it('no refusal changed anything', () => {
    expect(refused.after).toEqual(refused.before);
  });

  async function denials(viewer: ViewerName) {
    const rows = await app.database.reader
      .selectFrom('security_events')
      .select(['times', 'detail'])
      .where('kind', '=', 'denied')
      .where('user_id', '=', userIds[viewer])
      .execute();
    return { times: rows.reduce((sum, { times }) => sum + times, 0), details: rows.map(({ detail }) => detail) };
  }

  it('G19: whatever is refused as forbidden or not found is recorded against anyone who asked', async () => {
    expect(refused.unnoted).toEqual([]);
    // In words that a person can read, never an endpoint's name.
    const { details } = await denials('Client');
    for (const detail of details) expect(detail).toMatch(/^[a-z][a-z ’-]+( \d+(, \d+)*)?( \(.+\))?$/);
    expect(details).toContain('change the permissions of a role');
    expect(details).toContain(`delete client ${NONE_THERE}`);
  });
});
