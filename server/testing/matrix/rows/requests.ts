// Who may call what about requests and reports that nobody opened: rows of `table.ts`, which says how they are read.

export const requestsRows = `
                                                     | nobody Client CPA  custom +clients +users +roles +types +reports +documents +delete +batches +clientlog +log Admin
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

unopened.list shows a report in reach                | 401    403    200+ 403    403      200+   403    403    403      403        403     403      200+       200+ 200+
unopened.list shows a report of a type out of reach  | 401    403    200- 403    403      200-   403    403    403      403        403     403      200-       200- 200+
unopened.remind where mail is not set up             | 401    403    409  403    403      403    403    403    409      403        403     403      403        403  409
`;
