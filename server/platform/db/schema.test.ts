// The tables: strict by themselves, whatever a program writes.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { type Table, tryTables } from '../../testing/tried-tables.ts';
import { knownNetworks } from './migrations/0005-known-networks.ts';

describe.each(DATABASE_KINDS)('the tables on %s', (kind) => {
  const tables = tryTables(kind);
  const { good, ids, add, trial } = tables;

  it.each(Object.keys(good) as Table[])('%s take a good row', async (table) =>
    expect(await trial(table, good[table]())).toBeNull(),
  );

  it.each(Object.keys(good) as Table[])('%s have every column filled that must be', async (table) => {
    const optional = {
      roles: ['system_key'],
      files: ['period', 'document_type', 'report_type_id', 'uploaded_by_id', 'idempotency_key'],
      activity: ['file_id', 'file_name', 'details', 'user_id', 'client_id', 'client_name', 'announced_at', 'served_at'],
      view_tickets: ['opened_at'],
      batch_files: ['pages'],
      file_marks: ['named_client_id'],
      batch_documents: ['client_id', 'report_type_id'],
      sessions: ['stepped_up_at'],
      invitations: ['token_hash'],
      digest_choices: ['pace'],
      requests: ['due_on'],
      disposals: ['ended_at'],
      disposal_files: ['report_type_id', 'period', 'decided_at'],
      passkeys: ['last_used_at'],
      security_events: [
        'repeated_at',
        'open_key',
        'user_id',
        'username',
        'actor_id',
        'actor_name',
        'address',
        'user_agent',
        'detail',
      ],
    }[table as string];
    for (const column of Object.keys(good[table]())) {
      const error = await trial(table, { ...good[table](), [column]: null });
      expect([column, error === null]).toEqual([column, optional?.includes(column) ?? false]);
    }
  });

  it.each<[Table, Record<string, unknown>]>([
    ['roles', { name: '' }],
    ['roles', { name: 'x'.repeat(101) }],
    ['role_capabilities', { role_id: 999_999 }],
    ['users', { role_id: 999_999 }],
    ['users', { username: '' }],
    ['users', { username: 'x'.repeat(65) }],
    ['users', { full_name: '' }],
    ['users', { password_hash: 'plain text' }],
    ['clients', { name: 'x' }],
    ['clients', { employee_count: -1 }],
    ['clients', { start_date: '2026-1-1' }],
    ['report_types', { name: '' }],
    ['user_clients', { user_id: 999_999 }],
    ['user_clients', { client_id: 999_999 }],
    ['user_report_types', { user_id: 999_999 }],
    ['user_report_types', { report_type_id: 999_999 }],
    ['files', { client_id: 999_999 }],
    ['files', { report_type_id: 999_999 }],
    ['files', { uploaded_by_id: 999_999 }],
    ['files', { size_bytes: -1 }],
    ['files', { sha256: 'abc' }],
    ['files', { storage_key: '../../etc/passwd' }],
    ['files', { storage_key: 'f'.repeat(32) }],
    ['files', { original_name: '' }],
    ['files', { file_type: 'company_document' }],
    ['files', { document_type: 'Tax Return' }],
    ['sessions', { user_id: 999_999 }],
    ['view_tickets', { session_id: 999_999 }],
    ['view_tickets', { file_id: 999_999 }],
    ['file_counts', { client_id: 999_999 }],
    ['file_counts', { n: -1 }],
    ['activity_counts', { n: -1 }],
    ['blobs', { storage_key: 'abc' }],
    ['blobs', { size_bytes: -1 }],
    ['blobs', { sha256: 'abc' }],
    ['attempts', { tries: -1 }],
    ['known_networks', { user_id: 999_999 }],
    ['known_networks', { network: '' }],
    ['preferences', { user_id: 999_999 }],
    ['invitations', { user_id: 999_999 }],
    ['sign_ins', { user_id: 999_999 }],
    ['sign_ins', { enrols: 2 }],
    ['sign_ins', { tries: -1 }],
    ['totp_secrets', { user_id: 999_999 }],
    ['totp_secrets', { waiting: 2 }],
    ['passkeys', { user_id: 999_999 }],
    ['passkeys', { name: '' }],
    ['passkeys', { counter: -1 }],
    ['passkey_challenges', { user_id: 999_999 }],
    ['recovery_codes', { user_id: 999_999 }],
    ['security_events', { times: 0 }],
    ['trash', { storage_key: 'f'.repeat(32) }],
    ['trash', { with_client: 2 }],
    ['trashed_rows', { trash_id: 999_999 }],
    ['report_type_phrases', { report_type_id: 999_999 }],
    ['report_type_phrases', { phrase_key: '' }],
    ['expectations', { client_id: 999_999 }],
    ['expectations', { report_type_id: 999_999 }],
    ['expectations', { phase: 14 }],
    ['expectations', { due_days: 367 }],
    ['expectations', { starts: '2026' }],
    ['batch_files', { batch_id: 999_999 }],
    ['batch_files', { storage_key: 'f'.repeat(32) }],
    ['batch_readings', { batch_file_id: 999_999 }],
    ['batch_readings', { page: -1 }],
    ['batch_documents', { batch_file_id: 999_999 }],
    ['batch_documents', { from_page: 2, to_page: 1 }],
    ['batch_documents', { state: 'released' }],
    ['batch_documents', { client_id: 999_999 }],
    ['batch_documents', { corrects_file_id: 1, replaces_file_id: 1 }],
    ['files', { corrects_id: 999_999 }],
    ['batch_file_opens', { batch_file_id: 999_999 }],
    ['document_texts', { file_id: 999_999 }],
    ['document_texts', { page: 0 }],
    ['files_to_read', { file_id: 999_999 }],
    ['file_marks', { file_id: 999_999 }],
    ['file_marks', { named_client_id: 999_999 }],
    ['file_marks', { state: 'gone' }],
    ['file_marks', { state: 'settled' }],
    ['file_marks', { settled_at: 1 }],
    ['files_to_judge', { file_id: 999_999 }],
    ['files_to_judge', { attempts: -1 }],
    ['files_to_judge', { by_names_alone: 2 }],
    ['requests', { client_id: 999_999 }],
    ['requests', { title: '' }],
    ['requests', { due_on: '2026' }],
    ['requests', { owed: 2 }],
    ['request_items', { request_id: 999_999 }],
    ['request_items', { name: '' }],
    ['request_items', { said_not: 2 }],
    ['request_item_files', { item_id: 999_999 }],
    ['request_templates', { name_key: '' }],
    ['firm_settings', { id: 2 }],
    ['firm_settings', { four_eyes: 2 }],
    ['firm_settings', { first_steps_dismissed: 2 }],
  ])('%s refuse %j', async (table, wrong) => {
    const error = await trial(table, { ...good[table](), ...wrong });
    expect(error).not.toBeNull();
    expect(String(error)).toMatch(/constraint/i);
  });

  it.each<[Table, Record<string, unknown>]>([
    ['roles', { reach: 'some' }],
    ['roles', { system_key: 'owner' }],
    ['role_capabilities', { capability: 'everything' }],
    ['files', { file_type: 'invoice', report_type_id: null }],
    ['files', { file_type: 'company_document', report_type_id: null, document_type: 'Poem' }],
    ['activity', { action: 'think' }],
    ['file_counts', { document_type: 'Poem' }],
    ['activity_counts', { action: 'think' }],
    ['passkey_challenges', { purpose: 'fun' }],
    ['security_events', { kind: 'thought' }],
    ['blobs', { state: 'held', purpose: 'page' }],
  ])('%s take a word that no earlier version knew: %j', async (table, word) => {
    expect(await trial(table, { ...good[table](), ...word })).toBeNull();
  });

  it.each<[Table, string[]]>([
    ['roles', ['name_key']],
    ['role_capabilities', ['role_id', 'capability']],
    ['users', ['username_key']],
    ['report_types', ['name_key']],
    ['user_clients', ['user_id', 'client_id']],
    ['user_report_types', ['user_id', 'report_type_id']],
    ['files', ['storage_key']],
    ['blobs', ['storage_key']],
    ['blob_keys', ['version']],
    ['released_blobs', ['storage_key']],
    ['sessions', ['token_hash']],
    ['sessions', ['cookie_hash']],
    ['view_tickets', ['ticket_hash']],
    ['file_counts', ['client_id', 'access_key', 'owner_id', 'document_type']],
    ['activity_counts', ['user_id', 'client_id', 'action']],
    ['attempts', ['key']],
    ['known_networks', ['user_id', 'network']],
    ['preferences', ['user_id']],
    ['invitations', ['user_id']],
    ['invitations', ['token_hash']],
    ['sign_ins', ['token_hash']],
    ['totp_secrets', ['user_id', 'waiting']],
    ['passkeys', ['credential_id']],
    ['passkey_challenges', ['challenge_hash']],
    ['recovery_codes', ['user_id', 'code_hash']],
    ['security_events', ['open_key']],
    ['trash', ['kind', 'item_id']],
    ['request_item_files', ['item_id', 'file_id']],
    ['request_templates', ['name_key']],
  ])('%s hold %j once', async (table, columns) => {
    const [first, second]: Record<string, unknown>[] = [good[table](), good[table]()];
    const same = Object.fromEntries(columns.map((column) => [column, first?.[column]]));
    const error = await trial(table, first ?? {}, { ...second, ...same });
    expect(String(error)).toMatch(/unique/i);
  });

  it('files hold an upload once under one key and person, and any number without a key', async () => {
    const keyed = () => ({ ...good.files(), idempotency_key: 'k' });
    expect(String(await trial('files', keyed(), keyed()))).toMatch(/unique/i);
    expect(await trial('files', keyed(), { ...keyed(), uploaded_by_id: null })).toBeNull();
    expect(await trial('files', good.files(), good.files())).toBeNull();
  });

  it('requests hold one for a client under one key and person, and any number without a key', async () => {
    const keyed = () => ({ ...good.requests(), idempotency_key: 'k' });
    expect(String(await trial('requests', keyed(), keyed()))).toMatch(/unique/i);
    expect(await trial('requests', keyed(), { ...keyed(), asked_by_id: 999_999 })).toBeNull();
    expect(await trial('requests', good.requests(), good.requests())).toBeNull();
  });

  it('roles hold one of each system key', async () => {
    const admin = () => ({ ...good.roles(), system_key: 'admin' });
    expect(String(await trial('roles', admin(), admin()))).toMatch(/unique/i);
  });

  it.each([
    ['a role that somebody holds', 'roles', 'role'],
    ['a client that has files', 'clients', 'client'],
    ['a report type that files have', 'report_types', 'type'],
  ] as const)('do not let %s go', async (_what, table, key) => {
    const removal = tables.database.transaction((tx) => tx.deleteFrom(table).where('id', '=', ids[key]).execute());
    await expect(removal).rejects.toThrow(/foreign key/i);
  });

  it.each([
    'roles',
    'users',
    'clients',
    'report_types',
    'files',
    'activity',
    'sessions',
    'view_tickets',
    'trash',
  ] as const)('%s never give an id twice', async (table) => {
    const first = await add(table);
    await tables.database.transaction((tx) => tx.deleteFrom(table).where('id', '=', first.id).execute());
    const second = await add(table);
    expect(second.id).toBeGreaterThan(first.id);
    await tables.database.transaction((tx) => tx.deleteFrom(table).where('id', '=', second.id).execute());
    expect((await add(table)).id).toBeGreaterThan(second.id);
  });

  it('G6: know after the upgrade where open sessions were opened, except for IPv6, whose networks are recorded again', async () => {
    const { id } = await add('users');
    for (const [address, at] of [
      ['192.0.2.7', 5],
      ['192.0.2.7', 9],
      ['198.51.100.4', 3],
      ['2001:db8::7', 4],
      ['', 6],
    ] as const) {
      await add('sessions', { ...good.sessions(), user_id: id, address, created_at: at });
    }
    await tables.database.transaction(async (tx) => {
      await sql`drop table known_networks`.execute(tx);
      await knownNetworks(tx, { engine: kind, id: '', text: 'text', keyedTable: '', computed: 'stored' });
    });
    const known = await tables.database.reader
      .selectFrom('known_networks')
      .select(['network', 'signed_in_at'])
      .where('user_id', '=', id)
      .orderBy('network')
      .execute();
    expect(known).toEqual([
      { network: '192.0.2.7', signed_in_at: 9 },
      { network: '198.51.100.4', signed_in_at: 3 },
    ]);
  });

  it('keep a deleted user’s files and drop the sessions, tickets and list entries', async () => {
    const { id } = await add('users');
    const { id: sessionId } = await add('sessions', { ...good.sessions(), user_id: id });
    await add('view_tickets', { ...good.view_tickets(), session_id: sessionId });
    const file = await add('files', { ...good.files(), uploaded_by_id: id });
    await tables.database.transaction((tx) =>
      tx.insertInto('user_clients').values({ user_id: id, client_id: ids.client }).execute(),
    );
    await tables.database.transaction((tx) => tx.deleteFrom('users').where('id', '=', id).execute());
    const { reader } = tables.database;
    expect(await reader.selectFrom('sessions').select('id').where('id', '=', sessionId).execute()).toEqual([]);
    expect(await reader.selectFrom('view_tickets').select('id').where('session_id', '=', sessionId).execute()).toEqual(
      [],
    );
    expect(await reader.selectFrom('user_clients').selectAll().where('user_id', '=', id).execute()).toEqual([]);
    const kept = await reader
      .selectFrom('files')
      .select(['uploaded_by_id', 'uploader_name'])
      .where('id', '=', file.id)
      .execute();
    expect(kept).toEqual([{ uploaded_by_id: null, uploader_name: 'U' }]);
  });

  if (kind === 'sqlite') {
    it('are written with every commit flushed to disk and every reference checked', async () => {
      const pragma = (name: string) =>
        tables.database.transaction(
          async (tx) => Object.values((await sql<object>`pragma ${sql.raw(name)}`.execute(tx)).rows[0] ?? {})[0],
        );
      expect([await pragma('journal_mode'), await pragma('synchronous'), await pragma('foreign_keys')]).toEqual([
        'wal',
        2,
        1,
      ]);
      // The other connection cannot write at all.
      const writing = sql`delete from activity`.execute(tables.database.reader);
      await expect(writing).rejects.toThrow(/readonly/);
    });
  }
});
