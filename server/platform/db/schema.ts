// The tables as TypeScript sees them; `migrations.ts` creates them. Times are milliseconds since the epoch (UTC).
import type { ColumnType, Generated } from 'kysely';
import type { AccessAction, ActivityAction } from '#contract/activity-words.ts';
import type {
  BatchFileState,
  BatchState,
  DocumentState,
  LeftOutReason,
  UnreadableReason,
} from '#contract/batch-words.ts';
import type { ChangeTopic } from '#contract/changes.ts';
import type { Frequency } from '#contract/completeness-words.ts';
import type { DigestPace, DigestTopic } from '#contract/digest-words.ts';
import type { DocumentType, FileType } from '#contract/file-kinds.ts';
import type { HoldKind } from '#contract/hold-words.ts';
import type { JobState } from '#contract/job-states.ts';
import type { MailState } from '#contract/mail-states.ts';
import type { Capability, Reach, SystemRole } from '#contract/policy.ts';
import type { ItemState, RequestState } from '#contract/request-words.ts';
import type { Outcome } from '#contract/retention-words.ts';
import type { SecurityEventKind, SecurityTopic } from '#contract/security-events.ts';
import type { TrashKind } from '#contract/trash-kinds.ts';

/** Written once and never changed afterwards. */
type Fixed<T> = ColumnType<T, T, never>;

/** Computed by the database from other columns. */
type Computed<T> = ColumnType<T, never, never>;

/** When the row was last changed, and by whom; null where nobody has since it was made. */
interface LastChanged {
  changed_at: ColumnType<number | null, never, number>;
  changed_by_id: ColumnType<number | null, never, number>;
}

interface RoleTable extends LastChanged {
  id: Generated<number>;
  name: string;
  name_key: string;
  /** What the name looks like (`look-alike.ts`). */
  name_skeleton: string;
  /** The name as it is searched (`contract/search.ts`). */
  search_name: string;
  system_key: Fixed<SystemRole | null>;
  reach: Reach;
  created_at: Fixed<number>;
}

interface RoleCapabilityTable {
  role_id: Fixed<number>;
  capability: Fixed<Capability>;
}

interface UserTable extends LastChanged {
  id: Generated<number>;
  username: string;
  username_key: string;
  username_skeleton: string;
  full_name: string;
  full_name_key: string;
  full_name_skeleton: string;
  /** Full name and user name as they are searched, one a line. */
  search_name: string;
  /** Empty where nobody has said. */
  email: Generated<string>;
  /** Of somebody who was invited and has not joined, one that no password is behind. */
  password_hash: string;
  role_id: number;
  /** 1 where `user_clients` names every client: whoever adds a client adds it there. */
  all_clients: Generated<0 | 1>;
  /** 1 where sessions do nothing before the password is changed. */
  must_change_password: Generated<0 | 1>;
  created_at: Fixed<number>;
  /** From when on files are new to the person; null for the creation of the account. */
  news_since: ColumnType<number | null, number | null | undefined, never>;
}

/** People who were invited and have not chosen a password yet. */
interface InvitationTable {
  user_id: Fixed<number>;
  /** Null where the link was withdrawn. */
  token_hash: string | null;
  expires_at: number;
}

interface ClientTable extends LastChanged {
  id: Generated<number>;
  name: string;
  name_key: string;
  name_skeleton: string;
  search_name: string;
  address: string;
  phone: string;
  email: string;
  federal_id: string;
  state_id: string;
  employee_count: number;
  /** YYYY-MM-DD. */
  start_date: string;
  /** A JSON list of texts. */
  other_names: Generated<string>;
  /** Every searchable field as it is searched, one a line (docs/behaviour.md, Lists). */
  search_text: string;
  created_at: Fixed<number>;
}

interface ReportTypeTable extends LastChanged {
  id: Generated<number>;
  /** How long its files are kept, counted from the end of their period; null for ever. */
  retention_years: ColumnType<number | null, never, number | null>;
  name: string;
  name_key: string;
  name_skeleton: string;
  search_name: string;
  created_at: Fixed<number>;
}

interface ReportTypePhraseTable {
  id: Generated<number>;
  report_type_id: Fixed<number>;
  phrase: Fixed<string>;
  /** As recognition compares it. */
  phrase_key: Fixed<string>;
  created_at: Fixed<number>;
}

interface SuggestionTable {
  id: Generated<number>;
  kind: Fixed<'type' | 'client'>;
  owner_id: Fixed<number>;
  owner_name: Fixed<string>;
  /** Set for the kind 'type' alone. */
  report_type_id: Fixed<number | null>;
  /** Set for the kind 'client' alone. */
  client_id: Fixed<number | null>;
  words: Fixed<string>;
  /** As recognition compares them. */
  words_key: Fixed<string>;
  created_at: Fixed<number>;
}

interface UserClientTable {
  user_id: Fixed<number>;
  client_id: Fixed<number>;
}

interface UserReportTypeTable {
  user_id: Fixed<number>;
  report_type_id: Fixed<number>;
}

interface FileTable {
  id: Generated<number>;
  original_name: string;
  name_key: string;
  search_name: string;
  /** A pay date, a month, a quarter or a year (`contract/period.ts`); null where nobody has said. */
  period: string | null;
  /** `periodKey` of the period; of a file without one, the day of its upload (UTC). */
  period_key: string;
  /** 32 random hexadecimal digits: the row of `blobs` with the bytes. */
  storage_key: Fixed<string>;
  size_bytes: Fixed<number>;
  sha256: Fixed<string>;
  content_type: Fixed<string>;
  file_type: FileType;
  document_type: DocumentType | null;
  client_id: number;
  report_type_id: number | null;
  /** The report type; 0 for a report without one; -1 for a company document. */
  access_key: ColumnType<number, number | undefined, number>;
  /** Null once the uploader's account is deleted; `uploader_name` stays. */
  uploaded_by_id: number | null;
  uploader_name: string;
  uploaded_at: Fixed<number>;
  idempotency_key: Fixed<string | null>;
  /** The file of the same client that this one corrects; `server/files/corrections.ts` keeps the rules. */
  corrects_id: Generated<number | null>;
  /** 1 where its uploader was a Client user then. */
  sent_by_client: ColumnType<0 | 1, 0 | 1 | undefined, never>;
  /** When somebody of the client's people, its uploader aside, last opened it; null where nobody has (`server/audit/file-opens.ts`). */
  opened_by_client_at: Generated<number | null>;
}

/** `staged`: published and waiting for what claims it; `live`: claimed by a row that refers to it. */
export type BlobState = 'staged' | 'live';
/** What the bytes are: of a file as it was uploaded, of a ZIP of many, or of what was dropped into a batch. */
export type BlobPurpose = 'file' | 'archive' | 'batch';

/** Every blob, in the store under its key. Rows with bytes refer to it. */
interface BlobTable {
  storage_key: Fixed<string>;
  size_bytes: Fixed<number>;
  sha256: Fixed<string>;
  state: BlobState;
  purpose: Fixed<BlobPurpose>;
  created_at: Fixed<number>;
  /** The key it is encrypted under, as last seen; 0 in plain or not looked at yet, -1 damaged. */
  key_version: Generated<number>;
}

/** The keys that stored files are encrypted under, told by their fingerprints. */
interface BlobKeyTable {
  version: Fixed<number>;
  /** 32 hexadecimal digits. */
  fingerprint: Fixed<string>;
  created_at: Fixed<number>;
}

/** Blobs that nothing claims any more, until their bytes are gone. */
interface ReleasedBlobTable {
  storage_key: Fixed<string>;
  released_at: Fixed<number>;
}

/** The log stores ids and names without foreign keys, so that it outlives what it describes. */
interface ActivityTable {
  id: Generated<number>;
  action: Fixed<ActivityAction>;
  file_id: Fixed<number | null>;
  file_name: Fixed<string | null>;
  details: ColumnType<string | null, string | null, string>;
  user_id: Fixed<number | null>;
  user_name: Fixed<string>;
  client_id: Fixed<number | null>;
  client_name: Fixed<string | null>;
  /** Details, file, user and client as they are searched, one a line. */
  search_text: string;
  at: Fixed<number>;
  /** When the browser said it would open the file, and when the server served it: one access, one entry. */
  announced_at: number | null;
  served_at: number | null;
}

interface SessionTable {
  id: Generated<number>;
  user_id: Fixed<number>;
  /** SHA-256 of the bearer token, in hexadecimal. */
  token_hash: string;
  /** SHA-256 of the cookie that opens files by GET and does nothing else. */
  cookie_hash: string;
  created_at: Fixed<number>;
  last_seen_at: number;
  user_agent: Fixed<string>;
  address: Fixed<string>;
  /** When a second factor was last shown in this session; null where the password alone opened it. */
  stepped_up_at: number | null;
  /** Of a look: the person looked at, and the session that it was opened from, of the user `user_id`; else null. */
  looks_at_id: ColumnType<number | null, number | undefined, never>;
  opened_from_id: ColumnType<number | null, number | undefined, never>;
}

/** Sign-ins whose password was right and whose second factor is still missing. */
interface SignInTable {
  id: Generated<number>;
  user_id: Fixed<number>;
  token_hash: Fixed<string>;
  /** 1 where the user had no second factor and sets up the first one with this token. */
  enrols: Fixed<0 | 1>;
  /** Tries at the second factor, counted before they are looked at. */
  tries: number;
  expires_at: Fixed<number>;
}

/** The secrets of authenticator apps: at most one in use for a user, and one that waits to be confirmed. */
interface TotpSecretTable {
  user_id: Fixed<number>;
  waiting: 0 | 1;
  sealed: Fixed<string>;
  created_at: Fixed<number>;
  /** The newest 30-second step whose code was accepted: no code of this or an earlier step is accepted again. */
  last_step: number;
}

interface PasskeyTable {
  id: Generated<number>;
  user_id: Fixed<number>;
  name: Fixed<string>;
  credential_id: Fixed<string>;
  /** COSE, in base64url. */
  public_key: Fixed<string>;
  counter: number;
  /** Separated by spaces. */
  transports: Fixed<string>;
  created_at: Fixed<number>;
  last_used_at: number | null;
}

/** Passkey challenges; each can be answered once. */
interface PasskeyChallengeTable {
  challenge_hash: Fixed<string>;
  user_id: Fixed<number>;
  purpose: Fixed<'sign-in' | 'step-up' | 'enrol'>;
  created_at: Fixed<number>;
}

/** Unused recovery codes: a used one is deleted. */
interface RecoveryCodeTable {
  user_id: Fixed<number>;
  code_hash: Fixed<string>;
}

/** Account events. Ids and names have no foreign keys, so that the log outlives what it describes. */
interface SecurityEventTable {
  id: Generated<number>;
  at: Fixed<number>;
  /** How often within an hour, for refusals, and when last; `at` is the first time. */
  times: Generated<number>;
  repeated_at: number | null;
  last_at: Computed<number>;
  /** Of one account, kind, network and endpoint, for the hour in which repeats still join this entry; then null. */
  open_key: string | null;
  kind: Fixed<SecurityEventKind>;
  /** As `topicOf` says. */
  about: Computed<SecurityTopic>;
  /** Whose account; null where the name that was tried belongs to nobody. */
  user_id: Fixed<number | null>;
  username: Fixed<string | null>;
  /** Who did it; null where nobody is known. */
  actor_id: Fixed<number | null>;
  actor_name: Fixed<string | null>;
  /** Of the last time. */
  address: string | null;
  user_agent: string | null;
  detail: string | null;
}

/** Tries at secrets, by the keys of `tries.ts`. */
interface AttemptTable {
  key: Fixed<string>;
  tries: number;
  since: number;
  blocked_until: number;
}

/** From which networks a person has signed in, and when last. */
interface KnownNetworkTable {
  user_id: Fixed<number>;
  network: Fixed<string>;
  signed_in_at: number;
}

interface PreferenceTable {
  user_id: Fixed<number>;
  /** JSON: the contract's `Preferences`. */
  choices: string;
}

interface ViewTicketTable {
  id: Generated<number>;
  ticket_hash: Fixed<string>;
  session_id: Fixed<number>;
  file_id: Fixed<number>;
  /** Set where it opens an earlier version of that file, and nothing else. */
  version_id: Generated<number | null>;
  created_at: Fixed<number>;
  opened_at: number | null;
}

/** How many files are under a client and access key. Triggers keep it with every row of `files`. */
interface FileCountTable {
  client_id: Computed<number>;
  access_key: Computed<number>;
  /** The uploader of reports without a type; 0 for all else. */
  owner_id: Computed<number>;
  /** '' where there is none. */
  document_type: Computed<string>;
  n: Computed<number>;
}

/** How many log entries are about a user (0: none) and a client (0: none). */
interface ActivityCountTable {
  user_id: Fixed<number>;
  client_id: Fixed<number>;
  action: Fixed<ActivityAction>;
  n: number;
}

/**
 * What changed in the last hours, one row a change. Triggers write it, whoever changes something: enough of a row to say who
 * reached it, also where it is gone.
 */
interface ChangeTable {
  /** Increasing by commit: on SQLite of the row, on PostgreSQL of its transaction. */
  position: Computed<number>;
  at: Computed<number>;
  topic: Computed<ChangeTopic>;
  kind: Computed<'added' | 'changed' | 'removed'>;
  file_id: Computed<number | null>;
  client_id: Computed<number | null>;
  /** As in `files`. */
  access_key: Computed<number | null>;
  owner_id: Computed<number | null>;
  user_id: Computed<number | null>;
  role_id: Computed<number | null>;
  report_type_id: Computed<number | null>;
}

/** Which files Client users have opened, and which documents of theirs staff have, as long as files are new (`server/audit/file-opens.ts`). */
interface FileOpenTable {
  file_id: Fixed<number>;
  user_id: Fixed<number>;
  at: Fixed<number>;
}

/** Background jobs. The person acted for has no foreign key: the job of a deleted person is refused, not run as the server's own. */
interface JobTable {
  id: Generated<number>;
  kind: Fixed<string>;
  state: JobState;
  /** JSON, by the schema of its kind. */
  payload: Fixed<string>;
  /** Null where the job acts for the server itself. */
  acting_user_id: Fixed<number | null>;
  acting_user_name: Fixed<string | null>;
  /** Held by one job that has not ended; then null. */
  open_key: string | null;
  /** How often it was started. Also distinguishes the runs: an earlier run can no longer end the job. */
  attempts: Generated<number>;
  attempts_max: number;
  run_at: number;
  /** When it was handed to the engine; null until it is due, and where no engine is used. */
  delivered_at: number | null;
  /** Until when its process is believed to live. */
  lease_until: number | null;
  cancel_requested: Generated<0 | 1>;
  /** Per cent. */
  progress: number | null;
  result: string | null;
  error: string | null;
  created_at: Fixed<number>;
  started_at: number | null;
  ended_at: number | null;
}

/** ZIPs prepared in the background. The owner has no foreign key: maintenance removes what belongs to nobody. */
interface ArchiveTable {
  id: Generated<number>;
  owner_id: Fixed<number>;
  /** JSON: the `ArchiveOrder`. */
  asked: Fixed<string>;
  files_asked: Fixed<number>;
  /** The latest job that prepares it; null for the moment in which it is ordered. */
  job_id: number | null;
  /** Of the ZIP; null until it is made, and again once what it holds is out of date. */
  storage_key: string | null;
  /** The three are of the ZIP that was made. */
  name: string | null;
  /** JSON: the ids of the files in it. */
  file_ids: string | null;
  ready_at: number | null;
  /** Why it could not be made, in a sentence. */
  fault: string | null;
  created_at: Fixed<number>;
  expires_at: number;
}

/** A deleted file or client; what belonged to it is in `trashed_rows`. Without references: what it names may be gone. */
interface TrashTable {
  id: Generated<number>;
  /** A `version` is not deleted: another file took its place, and it is kept with that one. */
  kind: Fixed<TrashKind | 'version'>;
  /** The id that it had and gets back. */
  item_id: Fixed<number>;
  name: Fixed<string>;
  name_key: Fixed<string>;
  /** Name and client as they are searched, one a line. */
  search_text: Fixed<string>;
  /** A client's own id, too. */
  client_id: Fixed<number>;
  client_name: Fixed<string>;
  /** 1 for a file that went with its client and comes back with it, and for a version, which is no entry of the list either. */
  with_client: Fixed<0 | 1>;
  /** As in `files`, and so are the next three; null for a client. */
  access_key: Fixed<number | null>;
  uploaded_by_id: Fixed<number | null>;
  sha256: Fixed<string | null>;
  storage_key: Fixed<string | null>;
  /** What went with a client; null for a file. */
  files: Fixed<number | null>;
  users: Fixed<number | null>;
  deleted_at: Fixed<number>;
  deleted_by_id: Fixed<number>;
  deleted_by_name: Fixed<string>;
  /** From then on nobody restores it, and it is purged. */
  gone_at: Fixed<number>;
  /** Of a version: the file that is the newest of them all, the one that took its place, and why. `deleted_at` is when. */
  version_of: Generated<number | null>;
  replaced_by_id: Generated<number | null>;
  replaced_because: Generated<string | null>;
}

/** A hold on a file or client. Without references: what it names may be in the trash, and one that was lifted outlives it. */
interface HoldTable {
  id: Generated<number>;
  kind: Fixed<HoldKind>;
  item_id: Fixed<number>;
  /** As it was called when it was put on hold, and so is the client, whose own name and id stand in both places. */
  name: Fixed<string>;
  client_id: Fixed<number>;
  client_name: Fixed<string>;
  reason: Fixed<string>;
  placed_by_id: Fixed<number>;
  placed_by_name: Fixed<string>;
  placed_at: Fixed<number>;
  lifted_by_name: ColumnType<string | null, string | null | undefined, string>;
  /** Null while it is in force. */
  lifted_at: ColumnType<number | null, number | null | undefined, number>;
}

/** An order to dispose of files whose years are over. Kept for good. */
interface DisposalTable {
  id: Generated<number>;
  ordered_by_id: Fixed<number>;
  ordered_by_name: Fixed<string>;
  ordered_at: Fixed<number>;
  /** Null while files wait. */
  ended_at: ColumnType<number | null, number | null | undefined, number>;
}

/** One of its files as it was then, and what became of it. Without references: it is gone. */
interface DisposalFileTable {
  disposal_id: Fixed<number>;
  file_id: Fixed<number>;
  name: Fixed<string>;
  client_id: Fixed<number>;
  client_name: Fixed<string>;
  report_type_id: Fixed<number | null>;
  /** The report type, or the document type; empty where there is neither. */
  type_name: Fixed<string>;
  period: Fixed<string | null>;
  size_bytes: Fixed<number>;
  sha256: Fixed<string>;
  uploaded_at: Fixed<number>;
  /** YYYY-MM-DD. */
  due_on: Fixed<string>;
  /** By which rule, in words. */
  rule: Fixed<string>;
  outcome: Outcome;
  /** Why it was left. */
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  decided_at: ColumnType<number | null, number | null | undefined, number>;
}

/** The rows that a deletion took, each as a JSON object by the names of its columns. */
interface TrashedRowTable {
  id: Generated<number>;
  trash_id: Fixed<number>;
  table_name: Fixed<string>;
  content: Fixed<string>;
}

interface BatchTable {
  id: Generated<number>;
  name: string;
  owner_id: Fixed<number>;
  owner_name: Fixed<string>;
  state: BatchState;
  /** The job that reads it. */
  job_id: number | null;
  created_at: Fixed<number>;
  released_at: number | null;
  /** How many of the files that were dropped did not come into it. */
  left_out: Generated<number>;
}

interface BatchFileTable {
  id: Generated<number>;
  batch_id: Fixed<number>;
  name: string;
  content_type: string;
  size_bytes: number;
  /** A batch has the same bytes once. */
  sha256: string;
  storage_key: string;
  state: BatchFileState;
  unreadable: UnreadableReason | null;
  pages: number | null;
  created_at: Fixed<number>;
}

/** A file as it was dropped, where the batch has another made of it: without its password, or a PDF of its pages. */
interface BatchOriginalTable {
  batch_file_id: Fixed<number>;
  name: Fixed<string>;
  content_type: Fixed<string>;
  size_bytes: Fixed<number>;
  sha256: Fixed<string>;
  storage_key: Fixed<string>;
}

/** A file that was dropped and did not come into the batch. Only so many of a batch are named. */
interface BatchLeftOutTable {
  id: Generated<number>;
  batch_id: Fixed<number>;
  name: Fixed<string>;
  reason: Fixed<LeftOutReason>;
}

/** What was read of a file, while its batch is being read (capture/kept-readings.ts). */
interface BatchReadingTable {
  batch_file_id: Fixed<number>;
  stage: Fixed<0 | 1>;
  page: Fixed<number>;
  content: string;
}

interface BatchDocumentTable {
  id: Generated<number>;
  batch_id: Fixed<number>;
  batch_file_id: Fixed<number>;
  /** From 1; both 0 for a file without pages. */
  from_page: number;
  to_page: number;
  state: DocumentState;
  client_id: number | null;
  report_type_id: number | null;
  period: string | null;
  form: string | null;
  correction: 0 | 1;
  /** JSON: what speaks for the proposal, and what against it. */
  proposal: string;
  fault: string | null;
  /** Who releases it, while its state is 'releasing' and afterwards. */
  releasing_by_id: number | null;
  released_file_id: number | null;
  /** The file that goes to the trash when this document is released. */
  replaces_file_id: number | null;
  /** The file that stays, and is marked as corrected by what this document becomes; never together with the one above. */
  corrects_file_id: number | null;
  /** Of its last recall. */
  recall_reason: string | null;
  recalled_by_name: string | null;
  recalled_at: number | null;
  /** Who decided or changed something last. */
  reviewed_by_id: number | null;
  reviewed_by_name: string | null;
  /** Set by accepting alone; null again once it is no longer accepted. */
  accepted_by_id: number | null;
  version: number;
}

/** When somebody last began to look at a file of a batch, or saved it: what comes soon after belongs to the same entry of the log. */
interface BatchFileOpenTable {
  batch_file_id: Fixed<number>;
  user_id: Fixed<number>;
  action: Fixed<AccessAction>;
  at: number;
}

/** What stands on one page of a file. Its words are in the engine's own index. */
interface DocumentTextTable {
  /** `textId` of the file and the page. */
  id: Fixed<number>;
  file_id: Fixed<number>;
  page: Fixed<number>;
  text: Fixed<string>;
}

/** A file whose text is still to be read. */
interface FileToReadTable {
  file_id: Fixed<number>;
  /** How often its reading was begun. */
  attempts: number;
  /** Whose turn it is; 0 where nobody is known. */
  person_id: Generated<number>;
  /** What is left to recognise of a file whose text is kept already (`server/files/texts/text-rows.ts`). */
  scans: string | null;
  /** 1: it has pictures to recognise, or took longer than most, and is read beside the others. */
  takes_long: Generated<number>;
}

/** A file that was stored and names another client than its own. */
interface FileMarkTable {
  file_id: Fixed<number>;
  /** Null where it names several, and once that client is gone. */
  named_client_id: number | null;
  state: 'open' | 'settled';
  /** Who said that the file is right where it is, or filed it there. */
  settled_by_id: number | null;
  settled_by_name: string | null;
  settled_at: number | null;
  created_at: number;
}

/** A file of which nobody knows yet whom it names. */
interface FileToJudgeTable {
  file_id: Fixed<number>;
  /** How often its reading was begun. */
  attempts: number;
  /** By no federal id: its sender does not see them whole. */
  by_names_alone: Generated<0 | 1>;
  /** Whose turn it is; 0 where nobody is known. */
  person_id: Generated<number>;
}

/** One row, or none as long as nothing is decided. */
interface FirmSettingsTable {
  id: Fixed<1>;
  /** A document of a batch is released by somebody else than who accepted it. */
  four_eyes: 0 | 1;
  /** Where people write to who need help; empty where the firm names nobody. */
  support_email: Generated<string>;
  /** 1 where the guide through an empty firm was put away. */
  first_steps_dismissed: Generated<0 | 1>;
  /** How long files without a report type are kept; null for ever. */
  untyped_retention_years: ColumnType<number | null, number | null | undefined, number | null>;
  /** By which the firm knows its own backups; null before the first one. */
  firm_id: string | null;
  /** What the firm shows of itself; each empty where it has said nothing. */
  name: Generated<string>;
  accent: Generated<string>;
  address: Generated<string>;
  phone: Generated<string>;
  welcome: Generated<string>;
  changed_at: number | null;
  changed_by_id: number | null;
  /** Another one for other bytes; null where there is no logo. */
  logo_id: string | null;
  logo_width: number | null;
  logo_height: number | null;
  /** A PNG that this program wrote, as base64. */
  logo: string | null;
  /** JSON: how often people hear by mail of what who have not chosen (`server/mail/digests/choices.ts`); null as at first. */
  digests: ColumnType<string | null, string | null | undefined, string | null>;
}

/** How each backup ended that was begun. */
interface BackupRunTable {
  id: Generated<number>;
  /** Where it was written: an address without credentials. */
  place: Fixed<string>;
  /** That of the backup; null where it came to none. */
  name: Fixed<string | null>;
  begun_at: Fixed<number>;
  ended_at: Fixed<number>;
  files: Fixed<number>;
  size_bytes: Fixed<number>;
  /** How many files were missing or damaged at the source already. */
  damaged: Fixed<number>;
  /** Why it came to none, in one line; null where it did. */
  fault: Fixed<string | null>;
}

/** Which reports are expected of a client (`server/files/completeness/windows.ts`). */
interface ExpectationTable {
  id: Generated<number>;
  client_id: Fixed<number>;
  report_type_id: Fixed<number>;
  frequency: Frequency;
  /** How many days after the end of its period a report is due. */
  due_days: number;
  /** YYYY-MM-DD: the first day of the first period; null for the client's start date. */
  starts: string | null;
  /** On which of 7 or 14 days its weeks begin; 0 for all else. */
  phase: number;
}

/** What people have chosen to hear of by mail: one row a person and topic. */
interface DigestChoiceTable {
  user_id: Fixed<number>;
  topic: Fixed<DigestTopic>;
  /** Null for somebody who has gone back to what is usual. */
  pace: DigestPace | null;
  chosen_at: number;
  /** What came until then was told before the choice, or was not to be. */
  told_until: number;
}

/** When people were last reminded of a report that nobody of its client had opened. */
interface FileReminderTable {
  file_id: Fixed<number>;
  reminded_at: number;
}

/** Until when there were digests, one row a pace. */
interface DigestRoundTable {
  pace: Fixed<DigestPace>;
  done_until: number;
}

/** Mails on their way and those of the last thirty days. The person has no foreign key: the mail of a deleted one is dropped, and the list says so. */
interface MailTable {
  id: Generated<number>;
  kind: Fixed<string>;
  /** Whom it is written to, or who asked for it. */
  user_id: Fixed<number | null>;
  to_name: Fixed<string>;
  to_address: Fixed<string>;
  /** JSON, by the schema of its kind; no secret. */
  facts: Fixed<string>;
  /** What a link in it opens with, encrypted; null once it is sent. */
  sealed: string | null;
  message_id: Fixed<string>;
  state: MailState;
  /** How often it was begun. Also distinguishes the tries. */
  attempts: Generated<number>;
  due_at: number;
  /** Until when the process that sends it is believed to live. */
  claimed_until: number | null;
  /** When a try last said all but the dot that makes the server take it. */
  last_step_at: number | null;
  give_up_at: number;
  error: string | null;
  created_at: Fixed<number>;
  ended_at: number | null;
}

/** By which people choose a new password who have forgotten theirs; the row is gone once it is used. */
interface PasswordLinkTable {
  user_id: Fixed<number>;
  token_hash: string;
  expires_at: number;
}

/** What staff ask a client for. Whatever is done with its items changes its row too. */
interface RequestTable {
  id: Generated<number>;
  client_id: Fixed<number>;
  title: string;
  message: string;
  /** YYYY-MM-DD; null where the client may take its time. */
  due_on: string | null;
  state: RequestState;
  /** How many items there are, how many wait for the client, and how many for staff. */
  items: number;
  owed: number;
  to_review: number;
  /** Without a foreign key: the request outlives the account. */
  asked_by_id: Fixed<number>;
  asked_by_name: Fixed<string>;
  created_at: Fixed<number>;
  changed_at: number;
}

interface RequestItemTable extends LastChanged {
  id: Generated<number>;
  request_id: Fixed<number>;
  position: number;
  name: string;
  note: string;
  state: ItemState;
  /** 1 where the client's last answer was that it does not apply. */
  said_not: 0 | 1;
  /** What the client wrote to that. */
  answer: string;
  /** Why it was sent back last; empty where it was not. */
  reason: string;
  /** When it came into its state, and by whom; null where nobody has moved it. */
  state_at: Generated<number | null>;
  state_by_id: Generated<number | null>;
}

interface RequestItemFileTable {
  item_id: Fixed<number>;
  /** Without a foreign key: what was sent stays told, also where the file is gone. */
  file_id: Fixed<number>;
  name: Fixed<string>;
  sent_at: Fixed<number>;
  sent_by_name: Fixed<string>;
}

interface RequestTemplateTable extends LastChanged {
  id: Generated<number>;
  name: string;
  name_key: string;
  /** A JSON list of names with notes. */
  items: string;
}

export interface Schema {
  roles: RoleTable;
  role_capabilities: RoleCapabilityTable;
  users: UserTable;
  clients: ClientTable;
  report_types: ReportTypeTable;
  report_type_phrases: ReportTypePhraseTable;
  suggestions: SuggestionTable;
  user_clients: UserClientTable;
  user_report_types: UserReportTypeTable;
  blobs: BlobTable;
  blob_keys: BlobKeyTable;
  released_blobs: ReleasedBlobTable;
  files: FileTable;
  archives: ArchiveTable;
  activity: ActivityTable;
  sessions: SessionTable;
  attempts: AttemptTable;
  known_networks: KnownNetworkTable;
  preferences: PreferenceTable;
  invitations: InvitationTable;
  sign_ins: SignInTable;
  totp_secrets: TotpSecretTable;
  passkeys: PasskeyTable;
  passkey_challenges: PasskeyChallengeTable;
  recovery_codes: RecoveryCodeTable;
  security_events: SecurityEventTable;
  view_tickets: ViewTicketTable;
  file_counts: FileCountTable;
  activity_counts: ActivityCountTable;
  jobs: JobTable;
  mails: MailTable;
  password_links: PasswordLinkTable;
  digest_choices: DigestChoiceTable;
  digest_rounds: DigestRoundTable;
  file_reminders: FileReminderTable;
  changes: ChangeTable;
  file_opens: FileOpenTable;
  batches: BatchTable;
  batch_files: BatchFileTable;
  batch_originals: BatchOriginalTable;
  batch_left_out: BatchLeftOutTable;
  batch_readings: BatchReadingTable;
  batch_documents: BatchDocumentTable;
  batch_file_opens: BatchFileOpenTable;
  firm_settings: FirmSettingsTable;
  backup_runs: BackupRunTable;
  document_texts: DocumentTextTable;
  files_to_read: FileToReadTable;
  file_marks: FileMarkTable;
  files_to_judge: FileToJudgeTable;
  expectations: ExpectationTable;
  requests: RequestTable;
  request_items: RequestItemTable;
  request_item_files: RequestItemFileTable;
  request_templates: RequestTemplateTable;
  trash: TrashTable;
  holds: HoldTable;
  disposals: DisposalTable;
  disposal_files: DisposalFileTable;
  trashed_rows: TrashedRowTable;
}
