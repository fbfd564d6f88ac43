// Who may call what about files: rows of `table.ts`, which says how they are read.

export const filesRows = `
                                                     | nobody Client CPA  custom +clients +users +roles +types +reports +documents +delete +batches +clientlog +log Admin
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
`;
