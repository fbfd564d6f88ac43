// Who may call what about batches and what is suggested from them: rows of `table.ts`, which says how they are read.

export const batchesRows = `
                                                     | nobody Client CPA  custom +clients +users +roles +types +reports +documents +delete +batches +clientlog +log Admin
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
batches.stop of one's own                            | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
batches.stop of another's                            | 401    403    404  403    403      403    403    403    403      403        403     404      403        403  200
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
batches.stop of a colleague's                        | 401    403    200  403    403      403    403    403    403      403        403     200      403        403  200
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
`;
