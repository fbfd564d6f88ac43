// The tables as TypeScript sees them; `migrations.ts` creates them. Times are milliseconds since the epoch (UTC).
import type { ColumnType, Generated } from 'kysely';
import type { ActivityAction } from '#contract/activity.ts';
import type { DocumentType, FileType } from '#contract/files.ts';
import type { JobState } from '#contract/jobs.ts';
import type { Capability, Reach, SystemRole } from '#contract/policy.ts';
import type { SecurityEventKind, SecurityTopic } from '#contract/security-events.ts';

/** Written once and never changed afterwards. */
type Fixed<T> = ColumnType<T, T, never>;

/** Computed by the database from other columns. */
type Computed<T> = ColumnType<T, never, never>;

interface RoleTable {
  id: Generated<number>;
  name: string;
  name_key: string;
  /** What the name looks like (`look-alike.ts`). */
  name_skeleton: string;
  system_key: Fixed<SystemRole | null>;
  reach: Reach;
  created_at: Fixed<number>;
}

interface RoleCapabilityTable {
  role_id: Fixed<number>;
  capability: Fixed<Capability>;
}

interface UserTable {
  id: Generated<number>;
  username: string;
  username_key: string;
  username_skeleton: string;
  full_name: string;
  full_name_key: string;
  full_name_skeleton: string;
  password_hash: string;
  role_id: number;
  created_at: Fixed<number>;
}

interface ClientTable {
  id: Generated<number>;
  name: string;
  name_key: string;
  name_skeleton: string;
  address: string;
  phone: string;
  email: string;
  federal_id: string;
  state_id: string;
  employee_count: number;
  /** YYYY-MM-DD. */
  start_date: string;
  /** Every searchable field, folded, one a line (docs/behaviour.md, Lists). */
  search_text: string;
  created_at: Fixed<number>;
}

interface ReportTypeTable {
  id: Generated<number>;
  name: Fixed<string>;
  name_key: Fixed<string>;
  name_skeleton: Fixed<string>;
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
  original_name: Fixed<string>;
  name_key: Fixed<string>;
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
}

/** `staged`: published and waiting for what claims it; `live`: claimed by a row that refers to it. */
export type BlobState = 'staged' | 'live';
/** What the bytes are: of a file as it was uploaded. */
export type BlobPurpose = 'file';

/** Every blob, in the store under its key. Rows with bytes refer to it. */
interface BlobTable {
  storage_key: Fixed<string>;
  size_bytes: Fixed<number>;
  sha256: Fixed<string>;
  state: BlobState;
  purpose: Fixed<BlobPurpose>;
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
  /** Details, file, user and client, folded, one a line: the searchable text. */
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

interface ViewTicketTable {
  id: Generated<number>;
  ticket_hash: Fixed<string>;
  session_id: Fixed<number>;
  file_id: Fixed<number>;
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

export interface Schema {
  roles: RoleTable;
  role_capabilities: RoleCapabilityTable;
  users: UserTable;
  clients: ClientTable;
  report_types: ReportTypeTable;
  user_clients: UserClientTable;
  user_report_types: UserReportTypeTable;
  blobs: BlobTable;
  released_blobs: ReleasedBlobTable;
  files: FileTable;
  activity: ActivityTable;
  sessions: SessionTable;
  attempts: AttemptTable;
  known_networks: KnownNetworkTable;
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
}
