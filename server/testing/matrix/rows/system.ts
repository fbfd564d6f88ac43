// Who may call what about the log, the stream of changes, jobs, mail and the system: rows of `table.ts`, which says how they are read.

export const systemRows = `
                                                     | nobody Client CPA  custom +clients +users +roles +types +reports +documents +delete +batches +clientlog +log Admin
activity.list shows one's own                        | 401    200+   200+ 200+   200+     200+   200+   200+   200+     200+       200+    200+     200+       200+ 200+
activity.list shows another's on a client in reach   | 401    200-   200+ 200-   200-     200-   200-   200-   200-     200-       200-    200-     200+       200+ 200+
activity.list shows another's on one out of reach    | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200+ 200+
activity.list shows another's on no client           | 401    200-   200- 200-   200-     200-   200-   200-   200-     200-       200-    200-     200-       200+ 200+
activity.export                                      | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
activity.announce in reach                           | 401    201    201  201    201      201    201    201    201      201        201     201      201        201  201
activity.announce out of reach                       | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  201
activity.announce under another client               | 401    404    404  404    404      404    404    404    404      404        404     404      404        404  404

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
mail.retry-all                                       | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
mail.test where mail is not set up                   | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  409

digests.own                                          | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
digests.choose                                       | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
digests.usual                                        | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
digests.set-usual                                    | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
digests.end-page                                     | 200    200    200  200    200      200    200    200    200      200        200     200      200        200  200
digests.end                                          | 204    204    204  204    204      204    204    204    204      204        204     204      204        204  204

system.facts                                         | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200

docs.openapi                                         | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
docs.page                                            | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
`;
