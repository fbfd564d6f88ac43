// The tables by which people get in: invitations, sessions, second factors, tries, links and tickets.
import type { ColumnType, Generated } from 'kysely';
import type { Fixed } from './columns.ts';

/** People who were invited and have not chosen a password yet. */
interface InvitationTable {
  user_id: Fixed<number>;
  /** Null where the link was withdrawn. */
  token_hash: string | null;
  expires_at: number;
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

/** By which people choose a new password who have forgotten theirs; the row is gone once it is used. */
interface PasswordLinkTable {
  user_id: Fixed<number>;
  token_hash: string;
  expires_at: number;
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

export interface TablesOfAuth {
  invitations: InvitationTable;
  sessions: SessionTable;
  sign_ins: SignInTable;
  totp_secrets: TotpSecretTable;
  passkeys: PasskeyTable;
  passkey_challenges: PasskeyChallengeTable;
  recovery_codes: RecoveryCodeTable;
  attempts: AttemptTable;
  known_networks: KnownNetworkTable;
  password_links: PasswordLinkTable;
  view_tickets: ViewTicketTable;
}
