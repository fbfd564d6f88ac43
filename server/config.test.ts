// The environment as the server reads it: the defaults, and one line a fault that never shows a value.
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigFault, readConfig } from './config.ts';

/** The lines that an environment is refused with; none when it is taken. */
function linesOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigFault) return error.lines;
    throw error;
  }
}

/** Paths as an env file may leave them: each would name another place than is meant. */
const FRAYED = ['"/secret"', "'/secret'", '/secret ', '/secret\r', '/secret\n', '~/secret'];

describe('an environment', () => {
  it('may be empty', () => {
    const dataDir = resolve('data');
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      dataDir,
      databaseUrl: `sqlite:${resolve(dataDir, 'coffer.db')}`,
      blobUrl: `file:${resolve(dataDir, 'blobs')}`,
      adminUsername: 'admin',
      adminPassword: undefined,
      productName: 'Coffer',
      supportEmail: undefined,
      publicOrigin: undefined,
      mail: null,
      trashDays: 30,
      scrubDays: null,
      ocr: true,
      searchInside: true,
      fourEyes: false,
      trustProxy: undefined,
      logLevel: 'info',
      maxUploadBytes: 2 * 1024 ** 3,
      drainMs: 0,
      runsJobs: true,
      safeguards: false,
      passwordProfile: 'standard',
      passwordHash: { memoryKib: 19_456, passes: 2 },
      secretsKeyFile: resolve(dataDir, 'secrets.key'),
      encryption: 'on',
      keyFile: resolve(dataDir, 'files.keys'),
      blobKeys: undefined,
      backup: null,
    });
  });

  it('may set everything', () => {
    const config = readConfig({
      PORT: '8080',
      HOST: '::1',
      DATA_DIR: '/srv/coffer',
      DATABASE_URL: 'postgres://coffer@db.example.com/coffer',
      BLOB_URL: 's3://files/prefix?region=eu-central-1',
      ADMIN_USERNAME: ' owner ',
      ADMIN_PASSWORD: ' eight+ ',
      PRODUCT_NAME: 'Ledger & Co',
      SUPPORT_EMAIL: 'help@example.com',
      PUBLIC_ORIGIN: 'https://files.example.com',
      SMTP_URL: 'smtps://portal%40example.com:p%3A1%2F2@mail.example.com',
      MAIL_FROM: '"Ledger & Co" <portal@example.com>',
      TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,::1/128',
      LOG_LEVEL: 'warn',
      MAX_UPLOAD_BYTES: '1000',
      DRAIN_SECONDS: '3',
      TRASH_DAYS: '90',
      SCRUB_DAYS: '30',
      BACKUP_URL: '/mnt/backups',
      BACKUP_AT: '23:30',
      BACKUP_KEEP: '7d,4w,12m',
      OCR: 'off',
      SEARCH_INSIDE: 'off',
      FOUR_EYES: 'on',
      JOBS: 'off',
      SAFEGUARDS: 'on',
      SECRETS_KEY_FILE: '/srv/keys/coffer.key',
      ENCRYPTION: 'only',
      KEY_FILE: '/srv/keys/files.keys',
      BLOB_KEYS: '1:none',
      METRICS_TOKEN: 'm'.repeat(32),
      PASSWORD_MEMORY_KIB: '65536',
      PASSWORD_PASSES: '3',
    });
    expect(config).toEqual({
      port: 8080,
      host: '::1',
      dataDir: '/srv/coffer',
      databaseUrl: 'postgres://coffer@db.example.com/coffer',
      blobUrl: 's3://files/prefix?region=eu-central-1',
      adminUsername: 'owner',
      adminPassword: ' eight+ ',
      productName: 'Ledger & Co',
      supportEmail: 'help@example.com',
      publicOrigin: 'https://files.example.com',
      mail: {
        server: {
          host: 'mail.example.com',
          port: 465,
          tls: 'begins',
          account: { user: 'portal@example.com', password: 'p:1/2' },
        },
        from: { name: 'Ledger & Co', address: 'portal@example.com' },
      },
      trashDays: 90,
      scrubDays: 30,
      ocr: false,
      searchInside: false,
      fourEyes: true,
      trustProxy: ['127.0.0.1', '10.0.0.0/8', '::1/128'],
      logLevel: 'warn',
      maxUploadBytes: 1000,
      drainMs: 3_000,
      runsJobs: false,
      safeguards: true,
      passwordProfile: 'safeguards',
      passwordHash: { memoryKib: 65_536, passes: 3 },
      secretsKeyFile: '/srv/keys/coffer.key',
      encryption: 'only',
      keyFile: '/srv/keys/files.keys',
      blobKeys: '1:none',
      metricsToken: 'm'.repeat(32),
      backup: { url: '/mnt/backups', at: '23:30', keep: '7d,4w,12m' },
    });
  });

  it('says what is wrong with a daily backup', () => {
    const daily = (more: Record<string, string>) => () => readConfig({ BACKUP_URL: '/mnt/backups', ...more });
    expect(daily({})().backup).toEqual({ url: '/mnt/backups', at: '02:00', keep: null });
    expect(daily({ BACKUP_URL: 's3://bucket/backups?region=x' })().backup?.url).toBe('s3://bucket/backups?region=x');
    expect(daily({ BACKUP_URL: 'backups' })).toThrow(/^BACKUP_URL: must be a folder like \/mnt\/backups or s3:/);
    expect(daily({ BACKUP_URL: 's3://bucket/backups' })).toThrow(/^BACKUP_URL: the region is missing/);
    for (const BACKUP_AT of ['2:00', '24:00', 'noon'])
      expect(daily({ BACKUP_AT })).toThrow(/^BACKUP_AT: must be a time/);
    for (const BACKUP_KEEP of ['7', '0d', '7d, 4w,'])
      expect(daily({ BACKUP_KEEP })).toThrow(/^BACKUP_KEEP: must be like/);
    expect(() => readConfig({ BACKUP_AT: '02:00', BACKUP_KEEP: '7d' })).toThrow(
      'BACKUP_AT: needs BACKUP_URL\nBACKUP_KEEP: needs BACKUP_URL',
    );
  });

  it('may leave the jobs to workers on PostgreSQL alone', () => {
    expect(() => readConfig({ JOBS: 'off' })).toThrow(/^JOBS: may be off with PostgreSQL alone/);
    expect(() => readConfig({ JOBS: 'off', DATABASE_URL: 'sqlite:here.db' })).toThrow(/^JOBS: /);
    expect(readConfig({ DATABASE_URL: 'postgres://db.example.com/coffer' }).runsJobs).toBe(true);
  });

  it('may say by which clock a day begins', () => {
    for (const TZ of ['America/New_York', 'US/Eastern', 'EST5EDT', 'Etc/GMT+5', 'UTC', ':America/Port-au-Prince'])
      expect([TZ, ...linesOf({ TZ })]).toEqual([TZ]);
  });

  it('puts the database and the files into the data folder', () => {
    const config = readConfig({ DATA_DIR: '/srv/coffer' });
    expect([config.databaseUrl, config.blobUrl]).toEqual(['sqlite:/srv/coffer/coffer.db', 'file:/srv/coffer/blobs']);
    expect(readConfig({ DATA_DIR: 'here' }).dataDir).toBe(resolve('here'));
  });

  it('treats an empty variable as not set, and ignores unknown ones', () => {
    const empty = [
      'PORT',
      'HOST',
      'DATA_DIR',
      'DATABASE_URL',
      'ADMIN_PASSWORD',
      'TRUST_PROXY',
      'LOG_LEVEL',
      'SAFEGUARDS',
    ];
    expect(readConfig({ ...Object.fromEntries(empty.map((name) => [name, ''])), PATH: '/bin', NODE_ENV: 'x' })).toEqual(
      readConfig({}),
    );
  });

  it.each([
    ['JOBS', ['yes', 'secret', 'ON']],
    ['PORT', ['secret', '-1', '65536', '3000.5', '3e3', '0x10', ' 80', '٣٠٠٠', '9'.repeat(20)]],
    [
      'DATABASE_URL',
      ['mysql://secret@h/d', 'coffer.db', 'sqlite:', 'sqlite:/secret\r', 'postgres:', 'postgres://', 'http://secret'],
    ],
    [
      'BLOB_URL',
      ['ftp://secret/x', 'blobs', 'file:', 'file:/secret ', 's3://', 's3://secret', 's3://key:secret@bucket?region=x'],
    ],
    ['BACKUP_URL', ['secret', 'file:secret', '/secret\r', 's3://', 's3://secret', 's3://key:secret@bucket?region=x']],
    ['DATA_DIR', FRAYED],
    ['KEY_FILE', FRAYED],
    ['SECRETS_KEY_FILE', FRAYED],
    ['ADMIN_USERNAME', ['ab', 'x'.repeat(65), 'a\u0000bcd', 'line\nbreak']],
    ['ADMIN_PASSWORD', ['12345', 'secret'.repeat(50), 'secret word\r', 'secret word\n']],
    ['PRODUCT_NAME', ['   ', 'x'.repeat(61), 'two\nlines']],
    ['SUPPORT_EMAIL', ['secret', 'secret@', '@secret.example.com']],
    [
      'PUBLIC_ORIGIN',
      [
        'secret.example.com',
        'https://secret.example.com/',
        'https://secret.example.com/app',
        'ftp://secret.example.com',
      ],
    ],
    [
      'SMTP_URL',
      [
        'secret.example.com',
        'http://secret.example.com',
        'smtp://',
        'smtp://secret.example.com/inbox',
        'smtp://secret.example.com?tls=maybe',
        'smtp://secret.example.com?pool=true',
        'smtps://secret.example.com?tls=off',
        'smtp://user:secret@mail.example.com?tls=off',
        'smtp://:secret@mail.example.com',
      ],
    ],
    [
      'MAIL_FROM',
      [
        'secret',
        'Secret <secret>',
        'a@example.com, secret@example.com',
        'x\nBcc: secret@example.com',
        `${'x'.repeat(300)}@example.com`,
        'Se\u202ecret <a@example.com>',
        'secrét@example.com',
      ],
    ],
    [
      'TRUST_PROXY',
      ['1', 'true', 'secret.example.com', '10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0', '127.0.0.1,', '*'],
    ],
    ['LOG_LEVEL', ['secret', 'INFO', '30']],
    ['MAX_UPLOAD_BYTES', ['secret', '0', '-5', '2GB', '1.5', '1e9', '9'.repeat(16)]],
    ['SAFEGUARDS', ['secret', 'true', 'ON', '1', 'yes']],
    ['PASSWORD_MEMORY_KIB', ['secret', '0', '19455', '1048577', '2e4']],
    ['PASSWORD_PASSES', ['secret', '1', '21']],
    ['TZ', ['secret', 'America/New_Yrok', 'america/new_york', '+05:00', ':/secret', 'EST5EDT,M3.2.0,M11.1.0']],
    ['METRICS_TOKEN', ['secret', 's'.repeat(31), `${'s'.repeat(40)} secret`, 's'.repeat(201)]],
  ])('%s that is wrong is refused with one line that does not show it', (name, values) => {
    for (const value of values) {
      const lines = linesOf({ [name]: value });
      expect([value, lines.length]).toEqual([value, 1]);
      const [line = ''] = lines;
      expect(line).toMatch(new RegExp(`^${name}: \\S.{4,}$`));
      expect(line).not.toContain('secret');
    }
  });

  it('sets mail up by a server, a sender and the address of links, or not at all', () => {
    const SMTP_URL = 'smtp://mail.example.com';
    const [MAIL_FROM, PUBLIC_ORIGIN] = ['portal@example.com', 'https://files.example.com'];
    expect(linesOf({ SMTP_URL, PUBLIC_ORIGIN })).toEqual(['MAIL_FROM: must be set with SMTP_URL']);
    expect(linesOf({ MAIL_FROM, PUBLIC_ORIGIN })).toEqual(['SMTP_URL: must be set with MAIL_FROM']);
    expect(linesOf({ SMTP_URL, MAIL_FROM })).toEqual(['PUBLIC_ORIGIN: must be set with SMTP_URL: mails have links']);
    const serverOf = (url: string) => readConfig({ SMTP_URL: url, MAIL_FROM, PUBLIC_ORIGIN }).mail?.server;
    expect(serverOf(SMTP_URL)).toEqual({ host: 'mail.example.com', port: 587, tls: 'starttls', account: null });
    expect(serverOf('smtp://relay.example.com:2525/?tls=off')).toMatchObject({ port: 2525, tls: 'off' });
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      expect(serverOf(`smtp://a:b@${host}`)).toMatchObject({ port: 25, tls: 'off' });
      expect(serverOf(`smtp://a:b@${host}?tls=required`)).toMatchObject({ port: 587, tls: 'starttls' });
    }
    expect(readConfig({ SMTP_URL, MAIL_FROM, PUBLIC_ORIGIN }).mail?.from).toEqual({ name: '', address: MAIL_FROM });
    expect(linesOf({ SMTP_URL: '', MAIL_FROM: '' })).toEqual([]);
  });

  it('asks with SAFEGUARDS=on for the address that people use, unless nobody else reaches it', () => {
    const on = (more: Record<string, string>) => ({ SAFEGUARDS: 'on', ...more });
    for (const HOST of ['127.0.0.1', '127.8.8.8', '::1', 'localhost']) {
      expect(readConfig(on({ HOST })).publicOrigin).toBeUndefined();
    }
    for (const HOST of ['0.0.0.0', '::', '10.0.0.1', 'files.example.com']) {
      expect(linesOf(on({ HOST }))).toEqual([expect.stringMatching(/^PUBLIC_ORIGIN: must be set/)]);
    }
    expect(linesOf(on({ PUBLIC_ORIGIN: 'http://files.example.com' }))).toEqual([
      expect.stringMatching(/^PUBLIC_ORIGIN: must begin with https:/),
    ]);
    expect(readConfig(on({ PUBLIC_ORIGIN: 'http://localhost:8080' })).safeguards).toBe(true);
    expect(readConfig(on({ HOST: '::', PUBLIC_ORIGIN: 'https://files.example.com' })).safeguards).toBe(true);
    expect(linesOf(on({ ADMIN_PASSWORD: 'letmein123' }))).toEqual([expect.stringMatching(/^ADMIN_PASSWORD: \S/)]);
    expect(linesOf(on({ ADMIN_PASSWORD: 'seven77' }))).toHaveLength(1);
  });

  it('is refused with all its faults at once', () => {
    const lines = linesOf({ PORT: 'x', DATABASE_URL: 'x', LOG_LEVEL: 'x', SUPPORT_EMAIL: 'x', HOST: '127.0.0.1' });
    expect(lines.map((line) => line.split(':', 1)[0])).toEqual(['PORT', 'DATABASE_URL', 'SUPPORT_EMAIL', 'LOG_LEVEL']);
  });
});
