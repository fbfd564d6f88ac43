// The rooms of the server and the parts of the web from the lowest to the highest, and what each room hands out. `.dependency-cruiser.mjs` makes walls of them.

/** A room uses those named before it, and none after. A folder within a room is part of it, unless it is named itself. */
export const FLOORS = [
  'platform', // clock, csv, key files, sheets of PDF, secrets: what knows no noun
  'platform/names', // how names are folded and compared
  'platform/db', // the engines
  'platform/admission', // who may have how much in flight
  'people/access', // who sees which row
  'platform/jobs', // work in the background, with a person's rights or the server's own
  'platform/blobs', // the bytes of files
  'platform/http', // headers, bytes and endings of HTTP
  'platform/move', // a firm to another database or store
  'audit', // what happened
  'mail', // mails: the outbox, what they say, the conversation with the mail server
  'people/auth', // sign-in, sessions, second factors, invitations
  'api', // the contract mounted on HTTP
  'mail/digests', // what people hear of, and how often
  'mail/sending', // the job that sends, the operator's test
  'firm/names', // names that look alike are refused
  'batches/reading', // pages as text: PDF, pictures, TIFF, XLSX
  'files', // list, upload, re-filing, deletion, trash, archives, texts, retention
  'audit/activity', // the log as people read it
  'audit/changes', // the stream of changes
  'batches', // recognition, splitting, review, release, the guard
  'requests', // what the firm asks its clients for
  'firm/clients',
  'firm/report-types',
  'firm/settings',
  'firm/overview',
  'people/permissions',
  'people/roles',
  'people/session',
  'people/users',
  'system', // how the portal fares
  'backup', // a firm as of one moment, and back
];

/** What screens share, in the same way: a part uses those named before it, and none after. */
export const PARTS = [
  'parts/clients',
  'parts/periods',
  'parts/report-types',
  'parts/retention',
  'parts/trash',
  'parts/users',
  'parts/firm',
  'parts/import',
  'parts/second-factor',
  'parts/suggestions',
  'parts/activity',
  'parts/completeness',
  'parts/files',
  'parts/requests',
  'parts/viewer',
  'parts/uploads',
];

/** What another room may use of these, as regular expressions on paths; all else of them is their own. `server/*.ts` compose, and may use anything. */
export const DOORS = {
  api: '(file-cookie|idempotency-key|if-match|origin|read-input|receive-upload|left-for-sweep|route|send-document)',
  audit: '(access-log|activity-list|backup-runs|change-feed|file-opens|record|security-events)',
  backup: '(?!)',
  batches: '(reading/.+|lost-documents|report-type-phrases)',
  files:
    '(deletion|find|ingest|other-clients|put-back|versions|list/list|trash/(client-rows|entries|holds|kept-rows|trashed-clients))',
  firm: 'names/.+',
  mail: '(outbox|tell|mail-rows|kinds/(invitation|password-link)|digests/(hearers|redated|reminder-mail))',
  people: '(access/.+|auth/(attempts|hourly-count|key-faults|session-lookup|view-tickets))',
  requests: '(?!)',
  system: '(?!)',
};
