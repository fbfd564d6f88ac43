// What the steps of the schema make of files, batches and texts that were there.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { storeTexts, textsHeld } from '../../files/texts/text-rows.ts';
import { clientWord } from '../../files/texts/words.ts';
import { addOneFile, databaseBefore, describeSchema } from '../../testing/older-database.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';

describe.each(DATABASE_KINDS)('the schema on %s', (kind) => {
  it('files get the day of their upload as their place among periods, and texts are searched by every word', async () => {
    const database = await databaseBefore(kind, '0009-blobs', [
      `insert into clients (name, name_key, address, phone, email, federal_id, state_id, employee_count, start_date,
         search_text, created_at) values ('Café & Söhne', 'café & söhne', '1 Main St', '', '', '00-1234567', '', 0, '2026-01-31',
         'café & söhne\n\n\n00-1234567\n\n1 main st', 1)`,
      `insert into roles (name, name_key, reach, created_at) values ('R', 'r', 'lists', 0)`,
      `insert into users (username, username_key, full_name, full_name_key, password_hash, role_id, created_at)
         select 'o.brien', 'o.brien', 'Ann O''Brien', 'ann o''brien', '$argon2id$x', min(id), 1 from roles`,
      `insert into files (original_name, name_key, storage_key, size_bytes, sha256, content_type, file_type, client_id,
         uploader_name, uploaded_at) values ('Q1-25 Café.pdf', 'q1-25 café.pdf', '${'a'.repeat(32)}', 1, '${'a'.repeat(64)}',
         'text/plain', 'report', (select id from clients), 'U', ${Date.UTC(2026, 0, 31, 23, 59)})`,
      `insert into activity (action, user_name, search_text, at) values ('view', 'U', 'viewed file: q1-25 café.pdf\n\nu\n', 1)`,
    ]);
    await database.migrate();
    const db = database.reader;
    const files = await db.selectFrom('files').select(['search_name', 'period', 'period_key']).execute();
    expect(files).toEqual([{ search_name: 'q125 cafepdf', period: null, period_key: '2026-01-31' }]);
    expect(await db.selectFrom('clients').select(['search_name', 'search_text']).execute()).toEqual([
      { search_name: 'cafe sohne', search_text: 'cafe sohne\n\n\n001234567\n\n1 main st' },
    ]);
    expect(await db.selectFrom('users').select('search_name').execute()).toEqual([
      { search_name: 'ann obrien\nobrien' },
    ]);
    expect(await db.selectFrom('activity').select('search_text').execute()).toEqual([
      { search_text: 'viewed file q125 cafepdf\n\nu\n' },
    ]);
    const jobs = await db.selectFrom('jobs').select(['kind', 'state', 'payload']).execute();
    expect(jobs).toEqual([{ kind: 'files.periods', state: 'waiting', payload: '{}' }]);
  });
});

describe.each(DATABASE_KINDS)('a database with rows on %s', (kind) => {
  it('G54: has the words of pages made anew from the text that is kept', async () => {
    const database = await databaseBefore(kind, '0032-turns-of-reading', []);
    await addOneFile(database, async (tx, file) => {
      await tx.deleteFrom('files_to_read').execute();
      const page = { id: file * 4_096 + 1, file_id: file, page: 1, text: 'sandpiper' };
      await tx.insertInto('document_texts').values(page).execute();
    });
    await database.migrate();
    const { client_id, uploaded_by_id, id } = await database.reader
      .selectFrom('files')
      .select(['id', 'client_id', 'uploaded_by_id'])
      .executeTakeFirstOrThrow();
    const waiting = await database.reader.selectFrom('files_to_read').selectAll().execute();
    expect(waiting).toEqual([{ file_id: id, attempts: 0, person_id: uploaded_by_id, scans: null, takes_long: 0 }]);
    await storeTexts(database, id, await textsHeld(database, id));
    const word = clientWord(client_id);
    const { rows } = await (kind === 'postgres'
      ? sql`select id from document_texts where words @@ cast(${`'sandpiper' & '${word}'`} as tsquery)`
      : sql`select rowid from document_words where document_words match ${`"sandpiper" AND "${word}"`}`
    ).execute(database.reader);
    expect(rows).toHaveLength(1);
  });

  it('tells of documents that were recalled before what the log says of each', async () => {
    const entry = (file: number, details: string, user: string) =>
      `insert into activity (action, file_id, file_name, details, user_name, search_text, at)
        values ('delete', ${file}, 'a ${file}.pdf', '${details}', '${user}', '', ${file})`;
    const recalled = (file: number, batch: string, reason: string) =>
      `Recalled file: a ${file}.pdf, released from batch: ${batch}. Reason: ${reason}`;
    const document = (file: number | null) =>
      `insert into batch_documents (batch_id, batch_file_id, from_page, to_page, state, correction, proposal, released_file_id, version)
        select batch_id, id, 1, 1, 'recalled', 0, '{}', ${file}, 1 from batch_files`;
    const database = await databaseBefore(kind, '0033-told-of-batches', [
      `insert into batches (name, owner_id, owner_name, state, recall_reason, created_at) values ('Run', 1, 'O', 'review', 'Last', 1)`,
      `insert into blobs (storage_key, size_bytes, sha256, state, purpose, created_at)
        values ('${'a'.repeat(32)}', 1, '${'b'.repeat(64)}', 'stored', 'batch', 1)`,
      `insert into batch_files (batch_id, name, content_type, size_bytes, sha256, storage_key, state, created_at)
        select id, 'f', 'text/plain', 1, '${'b'.repeat(64)}', '${'a'.repeat(32)}', 'read', 1 from batches`,
      ...[7, 8, 9, null].map(document),
      entry(7, recalled(7, 'Run', 'Wrong. Reason: week'), 'Ann'),
      entry(8, recalled(8, 'Other', 'Not of this batch'), 'Bob'),
      entry(9, 'Deleted file: a 9.pdf', 'Bob'),
    ]);
    await database.migrate();
    const rows = await database.reader
      .selectFrom('batch_documents')
      .select(['recall_reason', 'recalled_by_name', 'recalled_at'])
      .orderBy('id')
      .execute();
    const nothing = { recall_reason: null, recalled_by_name: null, recalled_at: null };
    expect(rows).toEqual([
      { recall_reason: 'Wrong. Reason: week', recalled_by_name: 'Ann', recalled_at: 7 },
      nothing,
      nothing,
      nothing,
    ]);
    expect(await database.reader.selectFrom('batches').select('left_out').execute()).toEqual([{ left_out: 0 }]);
  });

  it('knows who sent and who opened the files that were there, those in the trash too', async () => {
    const days = 24 * 60 * 60_000;
    const lately = Date.now() - 10 * days;
    const person = (name: string, role: string) =>
      `insert into users (username, username_key, username_skeleton, full_name, full_name_key, full_name_skeleton, search_name, password_hash, role_id, created_at)
        select '${name}', '${name}', '${name}', '${name}', '${name}', '${name}', '${name}', '$argon2id$x', id, 5 from roles where name = '${role}'`;
    const role = (name: string, key: string) =>
      `insert into roles (name, name_key, name_skeleton, search_name, system_key, reach, created_at) values ('${name}', '${name}', '${name}', '${name}', ${key}, 'lists', 0)`;
    const idOf = (table: string, column: string, value: string) =>
      `(select id from ${table} where ${column} = '${value}')`;
    const file = (name: string, kind: string, by: string, at = lately) => [
      `insert into blobs (storage_key, size_bytes, sha256, state, purpose, created_at)
        values ('${name.padEnd(32, '0')}', 1, '${'0'.repeat(64)}', 'live', 'file', 0)`,
      `insert into files (original_name, name_key, search_name, period_key, storage_key, size_bytes, sha256, content_type, file_type, client_id,
         uploaded_by_id, uploader_name, uploaded_at) values ('${name}', '${name}', '${name}', '2026-01-31', '${name.padEnd(32, '0')}', 1, '${'0'.repeat(64)}',
         'text/plain', '${kind}', ${idOf('clients', 'name', 'Co')}, ${idOf('users', 'username', by)}, 'U', ${at})`,
    ];
    const access = (
      name: string,
      by: string,
      at: number,
      { announced = 'null', served = 'null', client = 'Co' } = {},
    ) =>
      `insert into activity (action, file_id, user_id, user_name, client_id, search_text, at, announced_at, served_at)
        values ('view', ${idOf('files', 'original_name', name)}, ${idOf('users', 'username', by)}, 'U', ${idOf('clients', 'name', client)}, '',
          ${at}, ${announced}, ${served})`;
    const client = (name: string) =>
      `insert into clients (name, name_key, name_skeleton, search_name, address, phone, email, federal_id, state_id, employee_count, start_date,
         search_text, created_at) values ('${name}', '${name}', '${name}', '${name}', '', '', '', '', '', 0, '2026-01-31', 'co', 1)`;
    const database = await databaseBefore(kind, '0036-who-opened', [
      role('client', "'client'"),
      role('staff', 'null'),
      ...['ann', 'ben'].map((name) => person(name, 'client')),
      person('sue', 'staff'),
      client('Co'),
      client('Other'),
      ...file('aa', 'report', 'sue'),
      access('aa', 'ann', 100, { announced: '90', served: '110' }),
      access('aa', 'ben', 300),
      access('aa', 'ann', 400, { announced: '400' }),
      access('aa', 'sue', 500, { served: '500' }),
      access('aa', 'ann', 600, { served: '600', client: 'Other' }),
      ...file('bb', 'report', 'sue'),
      ...file('cc', 'company_document', 'ann'),
      access('cc', 'ann', 100, { served: '100' }),
      access('cc', 'sue', lately + 2, { served: `${lately + 2}` }),
      access('cc', 'sue', lately + 1, { served: `${lately + 1}` }),
      ...file('dd', 'company_document', 'ann', lately - 60 * days),
      access('dd', 'sue', lately, { served: `${lately}` }),
      `insert into trash (kind, item_id, name, name_key, search_text, client_id, client_name, with_client, access_key, uploaded_by_id, sha256, storage_key,
         deleted_at, deleted_by_id, deleted_by_name, gone_at)
        select 'file', id, 'aa', 'aa', 'aa', client_id, 'Co', 0, 0, uploaded_by_id, sha256, storage_key, 1, 1, 'U', 2 from files where original_name in ('aa', 'cc')`,
      `insert into trashed_rows (trash_id, table_name, content)
        select trash.id, 'files', '{"id":' || files.id || ',"client_id":' || files.client_id || ',"uploaded_by_id":' || files.uploaded_by_id || '}'
        from trash join files on files.id = trash.item_id`,
    ]);
    await database.migrate();
    const files = await database.reader
      .selectFrom('files')
      .select(['original_name', 'sent_by_client', 'opened_by_client_at'])
      .orderBy('original_name')
      .execute();
    expect(files.map((row) => Object.values(row))).toEqual([
      ['aa', 0, 300],
      ['bb', 0, null],
      ['cc', 1, null],
      ['dd', 1, null],
    ]);
    const kept = await database.reader.selectFrom('trashed_rows').select('content').orderBy('trash_id').execute();
    expect(kept.map(({ content }) => JSON.parse(content))).toEqual([
      expect.objectContaining({ sent_by_client: 0, opened_by_client_at: 300 }),
      expect.objectContaining({ sent_by_client: 1, opened_by_client_at: null }),
    ]);
    const opens = await database.reader.selectFrom('file_opens').select(['at']).orderBy('at').execute();
    expect(opens).toEqual([{ at: 100 }, { at: lately + 1 }]);
  });

  it('gets a blob for every file and no checks on lists of words, and stays the same otherwise', async () => {
    const keys = ['b', 'a', 'c'].map((digit) => digit.repeat(32));
    const database = await databaseBefore(kind, '0009-blobs', [
      `insert into clients (name, name_key, address, phone, email, federal_id, state_id, employee_count, start_date,
         search_text, created_at) values ('Co', 'co', '', '', '', '', '', 0, '2026-01-31', 'co', 1)`,
      ...keys.map(
        (
          key,
          nth,
        ) => `insert into files (original_name, name_key, storage_key, size_bytes, sha256, content_type, file_type,
          client_id, uploader_name, uploaded_at) values ('f', 'f', '${key}', ${nth}, '${key.repeat(2)}', 'text/plain',
          'report', (select id from clients), 'U', ${100 + nth})`,
      ),
      `insert into activity (action, user_name, search_text, at) values ('view', 'U', '', 1)`,
    ]);
    const rowsOf = async (table: 'files' | 'clients' | 'activity') =>
      database.reader.selectFrom(table).selectAll().orderBy('id').execute();
    const were = [await rowsOf('files'), await rowsOf('clients'), await rowsOf('activity')];
    const tables = await describeSchema(database);

    await database.migrate();
    // Later steps add columns and tables of their own.
    expect([await rowsOf('files'), await rowsOf('clients'), await rowsOf('activity')]).toMatchObject(were);
    const now = new Map((await describeSchema(database)) as [string, unknown[]][]);
    for (const [name, columns] of tables as [string, unknown[]][]) {
      // SQLite's index of words is made anew for other texts.
      if (name.startsWith('file_words')) continue;
      expect([name, now.get(name)]).toEqual([name, expect.arrayContaining(columns)]);
    }
    const entered = await database.reader.selectFrom('blobs').selectAll().orderBy('size_bytes').execute();
    expect(entered).toMatchObject(
      keys.map((key, nth) => ({
        storage_key: key,
        size_bytes: nth,
        sha256: key.repeat(2),
        state: 'live',
        purpose: 'file',
        created_at: 100 + nth,
      })),
    );
    await expect(database.transaction((tx) => tx.deleteFrom('blobs').execute())).rejects.toThrow(/foreign key/i);

    const checks =
      kind === 'sqlite'
        ? await sql<{ text: string }>`select sql as text from sqlite_schema where sql is not null`.execute(
            database.reader,
          )
        : await sql<{ text: string }>`select pg_get_constraintdef(oid) as text from pg_constraint
              where contype = 'c' and connamespace = current_schema()::regnamespace`.execute(database.reader);
    expect(checks.rows.length).toBeGreaterThan(10);
    expect(checks.rows.filter(({ text }) => /check[^,]* in \('|array\['/i.test(text))).toEqual([]);
    if (kind === 'sqlite') {
      const check = async (name: string) => (await sql`pragma ${sql.raw(name)}`.execute(database.reader)).rows;
      expect([await check('integrity_check'), await check('foreign_key_check')]).toEqual([
        [{ integrity_check: 'ok' }],
        [],
      ]);
      // What only a migration may do.
      const tampering = database.transaction(async (tx) => {
        await sql`pragma writable_schema = on`.execute(tx);
        await sql`update sqlite_schema set sql = '' where name = 'files'`.execute(tx);
      });
      await expect(tampering).rejects.toThrow(/may not be modified/);
    }
  });
});
