// Who may call what about clients, report types and the firm: rows of `table.ts`, which says how they are read.

export const firmRows = `
                                                     | nobody Client CPA  custom +clients +users +roles +types +reports +documents +delete +batches +clientlog +log Admin
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

firm-settings.get                                    | 401    403    200  403    403      403    200    403    403      403        403     200      403        403  200
firm-settings.update                                 | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200

overview.get                                         | 401    200    200  200    200      200    200    200    200      200        200     200      200        200  200
overview.first-steps                                 | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
overview.dismiss-first-steps                         | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
`;
