// One good row of every table, for tests of what a table accepts and of what happens to its rows.
import { randomBytes } from 'node:crypto';
import type { Schema } from '../db/schema.ts';

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$dGFndGFndGFndGFndGFndGFndGFndGFndGFndGFndGFndGE';

/** The rows that others refer to. */
export interface RowIds {
  readonly role: number;
  readonly user: number;
  readonly client: number;
  readonly type: number;
  readonly file: number;
  readonly session: number;
  /** The key of a blob that no file has yet. */
  claimableBlob(): string;
}

/** Each call makes another row: a table without one here does not compile. */
export function goodRows(ids: RowIds) {
  return {
    roles: () => ({
      name: 'R',
      name_key: randomBytes(8).toString('hex'),
      system_key: null,
      reach: 'lists',
      created_at: 1,
    }),
    role_capabilities: () => ({ role_id: ids.role, capability: 'activity.read' }),
    users: () => ({
      username: 'u',
      username_key: randomBytes(8).toString('hex'),
      full_name: 'U',
      full_name_key: 'u',
      password_hash: HASH,
      role_id: ids.role,
      created_at: 1,
    }),
    clients: () => ({
      name: 'Co',
      name_key: 'co',
      address: 'a',
      phone: 'p',
      email: 'e',
      federal_id: 'f',
      state_id: 's',
      employee_count: 0,
      start_date: '2026-01-31',
      search_text: 'co',
      created_at: 1,
    }),
    report_types: () => ({ name: 'T', name_key: randomBytes(8).toString('hex'), created_at: 1 }),
    user_clients: () => ({ user_id: ids.user, client_id: ids.client }),
    user_report_types: () => ({ user_id: ids.user, report_type_id: ids.type }),
    files: () => ({
      original_name: 'f',
      name_key: 'f',
      storage_key: ids.claimableBlob(),
      size_bytes: 1,
      sha256: randomBytes(32).toString('hex'),
      content_type: 'text/plain',
      file_type: 'report',
      document_type: null,
      client_id: ids.client,
      report_type_id: ids.type,
      uploaded_by_id: ids.user,
      uploader_name: 'U',
      uploaded_at: 1,
      idempotency_key: null,
    }),
    blobs: () => ({
      storage_key: randomBytes(16).toString('hex'),
      size_bytes: 1,
      sha256: randomBytes(32).toString('hex'),
      state: 'live',
      purpose: 'file',
      created_at: 1,
    }),
    released_blobs: () => ({ storage_key: randomBytes(16).toString('hex'), released_at: 1 }),
    activity: () => ({
      action: 'view',
      file_id: 999,
      file_name: 'f',
      details: 'd',
      user_id: 999,
      user_name: 'U',
      client_id: 999,
      client_name: 'C',
      at: 1,
      search_text: 'd',
      announced_at: null,
      served_at: null,
    }),
    sessions: () => ({
      user_id: ids.user,
      token_hash: randomBytes(32).toString('hex'),
      cookie_hash: randomBytes(32).toString('hex'),
      created_at: 1,
      last_seen_at: 1,
      user_agent: '',
      address: '',
      stepped_up_at: null,
    }),
    view_tickets: () => ({
      ticket_hash: randomBytes(32).toString('hex'),
      session_id: ids.session,
      file_id: ids.file,
      created_at: 1,
      opened_at: null,
    }),
    file_counts: () => ({
      client_id: ids.client,
      access_key: Number.parseInt(randomBytes(4).toString('hex'), 16),
      owner_id: 0,
      document_type: '',
      n: 0,
    }),
    activity_counts: () => ({ user_id: 0, client_id: 0, action: 'view', n: 0 }),
    jobs: () => ({
      kind: 'test',
      state: 'waiting',
      payload: '{}',
      attempts: 0,
      attempts_max: 1,
      run_at: 1,
      cancel_requested: 0,
      created_at: 1,
    }),
    attempts: () => ({ key: randomBytes(8).toString('hex'), tries: 0, since: 1, blocked_until: 0 }),
    known_networks: () => ({ user_id: ids.user, network: randomBytes(4).toString('hex'), signed_in_at: 1 }),
    sign_ins: () => ({
      user_id: ids.user,
      token_hash: randomBytes(32).toString('hex'),
      enrols: 0,
      tries: 0,
      expires_at: 1,
    }),
    totp_secrets: () => ({ user_id: ids.user, waiting: 0, sealed: 'v1.x', created_at: 1, last_step: 0 }),
    passkeys: () => ({
      user_id: ids.user,
      name: 'Key',
      credential_id: randomBytes(16).toString('hex'),
      public_key: 'x',
      counter: 0,
      transports: '',
      created_at: 1,
      last_used_at: null,
    }),
    passkey_challenges: () => ({
      challenge_hash: randomBytes(32).toString('hex'),
      user_id: ids.user,
      purpose: 'sign-in',
      created_at: 1,
    }),
    recovery_codes: () => ({ user_id: ids.user, code_hash: randomBytes(32).toString('hex') }),
    security_events: () => ({
      at: 1,
      times: 1,
      repeated_at: null,
      open_key: randomBytes(8).toString('hex'),
      kind: 'signed_in',
      user_id: 1,
      username: 'x',
      actor_id: 1,
      actor_name: 'x',
      address: 'x',
      user_agent: 'x',
      detail: 'x',
    }),
  } satisfies Record<keyof Schema, () => Record<string, unknown>>;
}
