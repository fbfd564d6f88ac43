// Every way a start fails: one clear line, which never shows a secret.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFault } from './start-fault.ts';
import { GREETING_OF_MYSQL, serverSaying } from './testing/false-postgres.ts';
import { newFolder } from './testing/new-folder.ts';
import { CHOSEN_PASSWORD, setUpApp } from './testing/sign-in.ts';
import { expectRefusal, STARTS_MS, startServer } from './testing/starts.ts';
import { openTestDatabase } from './testing/test-database.ts';

describe('a start that fails', { timeout: STARTS_MS }, () => {
  it.each<[string, (folder: string) => Record<string, string> | Promise<Record<string, string>>, RegExp]>([
    [
      'a data folder that is a file',
      (folder) => {
        writeFileSync(join(folder, 'file'), 'x');
        return { DATA_DIR: join(folder, 'file') };
      },
      /^Coffer cannot start: .*cannot be read or written.*DATA_DIR/,
    ],
    [
      'a data folder within a file',
      (folder) => {
        writeFileSync(join(folder, 'file'), 'x');
        return { DATA_DIR: join(folder, 'file', 'data') };
      },
      /^Coffer cannot start: .*cannot be read or written.*DATA_DIR/,
    ],
    [
      'a folder of files within a file',
      (folder) => {
        writeFileSync(join(folder, 'file'), 'x');
        return { DATA_DIR: join(folder, 'data'), BLOB_URL: `file:${join(folder, 'file', 'blobs')}` };
      },
      /^Coffer cannot start: .*cannot be read or written.*Check BLOB_URL/,
    ],
    [
      'a database file that is none',
      (folder) => {
        writeFileSync(join(folder, 'coffer.db'), 'these are no pages of a database at all, however long '.repeat(100));
        return { DATA_DIR: folder };
      },
      /^Coffer cannot start: the database file is not a database/,
    ],
    [
      'a database file that is a folder',
      (folder) => ({ DATA_DIR: folder, DATABASE_URL: `sqlite:${folder}` }),
      /^Coffer cannot start: the database file cannot be opened/,
    ],
    [
      'a database of a newer version',
      async (folder) => {
        const { database } = await openTestDatabase('sqlite', join(folder, 'coffer.db'));
        await database.migrate();
        const sql = `insert into kysely_migration values ('0099-from-the-future', '2099-01-01T00:00:00.000Z')`;
        await database.transaction(async (tx) => {
          await tx.executeQuery({ ...tx.selectFrom('users').selectAll().compile(), sql, parameters: [] });
        });
        await database.close();
        return { DATA_DIR: folder };
      },
      /^Coffer cannot start: The database was made by a newer Coffer/,
    ],
    [
      'a folder into which a restore has not ended',
      (folder) => {
        mkdirSync(join(folder, 'coffer.db.restoring'));
        return { DATA_DIR: folder };
      },
      /^Coffer cannot start: A restore into \S+coffer\.db has not ended\. Run it again: it goes on\. /,
    ],
    [
      'a database server that is down',
      (folder) => ({ DATA_DIR: folder, DATABASE_URL: 'postgres://coffer:secret@127.0.0.1:1/x' }),
      /^Coffer cannot start: the database does not answer\. Check DATABASE_URL/,
    ],
    [
      'a server that is no PostgreSQL',
      async (folder) => {
        const port = await serverSaying(GREETING_OF_MYSQL);
        return { DATA_DIR: folder, DATABASE_URL: `postgres://coffer:secret@127.0.0.1:${port}/x` };
      },
      /^Coffer cannot start: what answers at the address in DATABASE_URL is no PostgreSQL\. /,
    ],
    [
      'a certificate that is not where the address of the database says',
      (folder) => {
        const path = join(folder, 'none.pem');
        const query = `sslmode=verify-full&sslrootcert=${encodeURIComponent(path)}`;
        return { DATA_DIR: folder, DATABASE_URL: `postgres://coffer:secret@127.0.0.1:1/x?${query}` };
      },
      /^Coffer cannot start: \S+none\.pem cannot be read or written \(ENOENT\)\. Check DATABASE_URL and its rights\./,
    ],
    [
      'a folder where the certificate should be that the address of the database names',
      (folder) => {
        const query = `sslmode=verify-full&sslrootcert=${encodeURIComponent(folder)}`;
        return { DATA_DIR: folder, DATABASE_URL: `postgres://coffer:secret@127.0.0.1:1/x?${query}` };
      },
      /^Coffer cannot start: a folder was found where a file is to be read\. Look at sslrootcert, sslcert and sslkey in DATABASE_URL\./,
    ],
    [
      'a password that is not written as in an address',
      (folder) => ({ DATA_DIR: folder, DATABASE_URL: 'postgres://coffer:secret%ff@127.0.0.1:1/x' }),
      /^Coffer cannot start: the address in DATABASE_URL cannot be read: a % /,
    ],
    [
      'an address of a database that is none',
      (folder) => ({ DATA_DIR: folder, DATABASE_URL: 'postgres://secret@[nowhere/x' }),
      /^Coffer cannot start: .*DATABASE_URL/,
    ],
    [
      'an address of files that is none',
      (folder) => ({ DATA_DIR: folder, BLOB_URL: 's3://secret-bucket/prefix' }),
      /^Coffer cannot start: BLOB_URL: the region is missing/,
    ],
    [
      'the Safeguards profile without the address that people use',
      (folder) => ({ DATA_DIR: folder, SAFEGUARDS: 'on', HOST: '0.0.0.0' }),
      /^Coffer cannot start: PUBLIC_ORIGIN: must be set with SAFEGUARDS=on/,
    ],
    [
      'a key that is not the one of the database',
      async (folder) => {
        const SECRETS_KEY_FILE = join(folder, 'other.key');
        const environment = { DATA_DIR: folder, SAFEGUARDS: 'on', ADMIN_PASSWORD: CHOSEN_PASSWORD };
        const program = startServer(environment);
        await setUpApp(await program.serving());
        await program.end('SIGTERM');
        writeFileSync(SECRETS_KEY_FILE, Buffer.alloc(32, 7));
        return { ...environment, SECRETS_KEY_FILE };
      },
      /^Coffer cannot start: SECRETS_KEY_FILE: this is not the key/,
    ],
    [
      'a key that is gone',
      async (folder) => {
        const environment = { DATA_DIR: folder, SAFEGUARDS: 'on', ADMIN_PASSWORD: CHOSEN_PASSWORD };
        const program = startServer(environment);
        await setUpApp(await program.serving());
        await program.end('SIGTERM');
        rmSync(join(folder, 'secrets.key'));
        return environment;
      },
      /^Coffer cannot start: SECRETS_KEY_FILE: the key is missing/,
    ],
    [
      'a host that is not of this machine',
      (folder) => ({ DATA_DIR: folder, HOST: '203.0.113.7' }),
      /^Coffer cannot start: .*HOST/,
    ],
    [
      'a host that is no address',
      (folder) => ({ DATA_DIR: folder, HOST: 'secret..host' }),
      /^Coffer cannot start: .*HOST/,
    ],
  ])('prints one clear line about %s', async (_what, prepare, line) => {
    const program = startServer(await prepare(newFolder()));
    await expectRefusal(program, line);
    expect(program.err).not.toContain('secret');
  });

  it.each<[string, string | undefined, string, RegExp]>([
    [
      'a name that nobody finds now',
      'EAI_AGAIN',
      'getaddrinfo EAI_AGAIN secret',
      /does not answer\. Check DATABASE_URL/,
    ],
    [
      'a wrong password',
      '28P01',
      'password authentication failed for user "secret"',
      /user and password in DATABASE_URL/,
    ],
    ['no password', undefined, 'SASL: client password must be a string', /DATABASE_URL, or set PGPASSWORD/],
    ['no such database', '3D000', 'database "secret" does not exist', /does not exist\. Create it first/],
    [
      'a certificate of its own making',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'self-signed certificate',
      /is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .* DATABASE_URL \(sslrootcert=<file>\)/,
    ],
    [
      'a certificate of another host',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      "Hostname/IP does not match certificate's altnames: Host: secret. is not in the cert's altnames: DNS:db",
      /is for another host than DATABASE_URL names/,
    ],
    ['no TLS', undefined, 'The server does not support SSL connections', /speaks no TLS, and DATABASE_URL asks for it/],
    [
      'no PostgreSQL, asked for TLS',
      undefined,
      'There was an error establishing an SSL connection',
      /the address in DATABASE_URL is no PostgreSQL/,
    ],
    ['a user who may not make tables', '42501', 'permission denied for schema secret', /the owner of the database/],
  ])('says what to do about a database server: %s', (_what, code, message, line) => {
    const lines = startFault(Object.assign(new Error(message), code === undefined ? {} : { code }));
    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(lines[0]).not.toContain('secret');
  });

  it('names the setting that a path came from', () => {
    const environment = { DATA_DIR: '/srv/coffer', KEY_FILE: '/keys/files.keys', BLOB_URL: 'file:/mnt/files' };
    const told = (path: string) =>
      startFault(Object.assign(new Error('refused'), { code: 'EACCES', path }), environment)[0]?.split('). ')[1];
    expect(['/keys', '/keys/files.keys.3f1c'].map(told)).toEqual(Array(2).fill('Check KEY_FILE and its rights.'));
    expect(told('/mnt/files/staging')).toBe('Check BLOB_URL and its rights.');
    expect(['/srv', '/srv/coffer/secrets.key.3f1c'].map(told)).toEqual(Array(2).fill('Check DATA_DIR and its rights.'));
    expect(told('/mnt/backups/scratch')).toBe('Check that folder and the rights of this account to it.');
  });

  it.each([
    ['ENOSPC', undefined, /^there is no room left on the disk\. Make room/],
    ['ERR_SQLITE_ERROR', 13, /^there is no room left on the disk\. Make room/],
    ['ERR_SQLITE_ERROR', 5, /^another program holds the database file\. End it/],
  ])('says what to do about %s %s', (code, errcode, line) => {
    expect(startFault(Object.assign(new Error('refused'), { code, errcode }))).toEqual([expect.stringMatching(line)]);
  });

  it('prints one clear line about a port in use', async () => {
    const busy = createServer();
    await new Promise<void>((done) => busy.listen(0, '127.0.0.1', done));
    onTestFinished(() => new Promise<void>((done) => busy.close(() => done())));
    const PORT = String((busy.address() as { port: number }).port);
    const program = startServer({ DATA_DIR: newFolder(), ADMIN_PASSWORD: CHOSEN_PASSWORD, PORT });
    await expectRefusal(program, new RegExp(`^Coffer cannot start: port ${PORT} is in use`));
  });
});
