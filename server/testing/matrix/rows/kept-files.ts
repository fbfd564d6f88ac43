// Who may call what about archives, the trash, holds, retention and completeness: rows of `table.ts`, which says how they are read.

export const keptFilesRows = `
                                                     | nobody Client CPA  custom +clients +users +roles +types +reports +documents +delete +batches +clientlog +log Admin
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
`;
