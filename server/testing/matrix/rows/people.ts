// Who may call what about sessions, people, roles and permissions: rows of `table.ts`, which says how they are read.

export const peopleRows = `
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
users.invite-anew                                    | 401    403    403  403    403      200    403    403    403      403        403     403      403        403  200
users.invite-anew of one who may do more             | 401    403    403  403    403      403    403    403    403      403        403     403      403        403  200
users.invite-anew of one who has joined              | 401    403    403  403    403      409    403    403    403      403        403     403      403        403  409
users.invite-anew of nobody there                    | 401    403    403  403    403      404    403    403    403      403        403     403      403        403  404
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
`;
