// The environment, read once. Every fault is one line that names the variable and never its value.

import { isAbsolute, resolve, sep } from 'node:path';
import { z } from 'zod';
import { textLine } from '#contract/fields.ts';
import { newPassword, type PasswordProfile } from '#contract/passwords.ts';
import { parseBlobUrl, pathFault } from './platform/blobs/open-blob-store.ts';
import { isLoopback } from './platform/loopback.ts';
import { type MailAddress, type MailServer, readMailServer, readSender } from './platform/mail-server.ts';
import { isAddressOrCidr, isClock } from './setting-rules.ts';

/** What a hash costs to make or to guess: memory in KiB and passes over it. */
export interface PasswordHashCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/** OWASP's floor for Argon2id on one lane; nothing cheaper is ever stored. */
export const PASSWORD_HASH_FLOOR: PasswordHashCost = { memoryKib: 19_456, passes: 2 };

const GIB = 1024 ** 3;

function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
}

/** What is wrong with the address of a place for bytes; null where nothing is. */
function placeFault(text: string): string | null {
  try {
    parseBlobUrl(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function backupFault(text: string): string | null {
  if (isAbsolute(text)) return pathFault(text);
  if (text.startsWith('s3://')) return placeFault(text);
  return 'must be a folder like /mnt/backups or s3://bucket/prefix?region=…&endpoint=…';
}

/** An address or a path, as it is written. */
const place = (faultOf: (text: string) => string | null) =>
  z.string().transform((text, context) => {
    const fault = faultOf(text);
    if (fault === null) return text;
    context.addIssue(fault);
    return z.NEVER;
  });

/** Where a database is. */
export const DatabaseUrl = place((text) => {
  if (/^sqlite:./.test(text)) return pathFault(text.slice('sqlite:'.length));
  const isServer = /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text);
  return isServer ? null : 'must be sqlite:<path> or postgres://user:password@host/database';
});

const isPostgres = (url: string | undefined) => url !== undefined && /^postgres(ql)?:/.test(url);

const Environment = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().min(1, 'must name an address').default('127.0.0.1'),
  DATA_DIR: place(pathFault).default('./data'),
  DATABASE_URL: DatabaseUrl.optional(),
  BLOB_URL: place(placeFault).optional(),
  ADMIN_USERNAME: textLine({ min: 3, max: 64, message: 'must have at least 3 characters' }).default('admin'),
  // A line end comes from a file, and nobody can type it when they sign in.
  ADMIN_PASSWORD: newPassword('standard')
    .refine((text) => !/[\r\n]/.test(text), 'must have no line end in it')
    .optional(),
  PRODUCT_NAME: textLine({ min: 1, max: 60, message: 'must not be empty' }).default('Coffer'),
  SUPPORT_EMAIL: z.email('must be a mail address').optional(),
  PUBLIC_ORIGIN: z
    .string()
    .refine(
      (text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text,
      'must be an origin like https://files.example.com, with no slash or path after it',
    )
    .optional(),
  SMTP_URL: z
    .string()
    .transform(readMailServer)
    .transform((server, context) => {
      if (typeof server !== 'string') return server;
      context.addIssue(server);
      return z.NEVER;
    })
    .optional(),
  MAIL_FROM: z
    .string()
    .transform(readSender)
    .refine((sender) => sender !== null, 'must be a mail address, alone or as Name <address>')
    .optional(),
  TRUST_PROXY: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts) => parts.every(isAddressOrCidr), 'must list addresses or CIDRs, such as 127.0.0.1,10.0.0.0/8')
    .optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
  MAX_UPLOAD_BYTES: wholeNumber(1, 1024 * GIB).default(2 * GIB),
  PASSWORD_MEMORY_KIB: wholeNumber(PASSWORD_HASH_FLOOR.memoryKib, 1_048_576).default(PASSWORD_HASH_FLOOR.memoryKib),
  PASSWORD_PASSES: wholeNumber(PASSWORD_HASH_FLOOR.passes, 20).default(PASSWORD_HASH_FLOOR.passes),
  SECRETS_KEY_FILE: place(pathFault).optional(),
  ENCRYPTION: z.enum(['off', 'on', 'only'], { error: 'must be off, on or only' }).default('on'),
  KEY_FILE: place(pathFault).optional(),
  BLOB_KEYS: z.string().optional(),
  DRAIN_SECONDS: wholeNumber(0, 300).default(0),
  BACKUP_URL: place(backupFault).optional(),
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day like 02:00')
    .optional(),
  BACKUP_KEEP: z
    .string()
    .regex(/^[1-9]\d{0,2}[dwmy](,[1-9]\d{0,2}[dwmy])*$/, 'must be like 7d,4w,12m')
    .optional(),
  // Node itself goes by it; here it is judged alone.
  TZ: z.string().refine(isClock, 'must be a time zone like America/New_York, with its capitals').optional(),
  TRASH_DAYS: wholeNumber(1, 365).default(30),
  SCRUB_DAYS: wholeNumber(1, 365).optional(),
  OCR: z.enum(['off', 'on'], { error: 'must be off or on' }).default('on'),
  SEARCH_INSIDE: z.enum(['off', 'on'], { error: 'must be off or on' }).default('on'),
  FOUR_EYES: z.enum(['off', 'on'], { error: 'must be off or on' }).default('off'),
  JOBS: z.enum(['off', 'on'], { error: 'must be off or on' }).default('on'),
  SAFEGUARDS: z.enum(['off', 'on'], { error: 'must be off or on' }).default('off'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9._~+/=-]{32,200}$/, 'must have 32 to 200 characters: letters, digits and . _ ~ + / = -')
    .optional(),
});

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly blobUrl: string;
  readonly adminUsername: string;
  readonly adminPassword: string | undefined;
  readonly productName: string;
  readonly supportEmail: string | undefined;
  readonly publicOrigin: string | undefined;
  /** Null where the portal sends no mail. */
  readonly mail: MailSetUp | null;
  /** Addresses whose forwarding headers are believed; none by default. */
  readonly trustProxy: readonly string[] | undefined;
  readonly logLevel: string;
  readonly maxUploadBytes: number;
  /** For how many days what is deleted can be restored; what is in the trash already keeps its day. */
  readonly trashDays: number;
  /** In so many days every stored file is read again; null where none is. */
  readonly scrubDays: number | null;
  /** Whether the words of scanned pages and pictures are read in batches. */
  readonly ocr: boolean;
  /** Whether the text of files is read and kept, so that they are found by it. */
  readonly searchInside: boolean;
  /** Whether documents of batches are always released by somebody else than who accepted them; else the firm decides. */
  readonly fourEyes: boolean;
  /** How long the server still listens after it was asked to end, while its proxy goes over to the other processes. */
  readonly drainMs: number;
  /** Whether the server's process runs background jobs itself; off where `npm run worker` does, on PostgreSQL only. */
  readonly runsJobs: boolean;
  /** The FTC Safeguards profile: a second factor for everyone, short sessions, stricter passwords. */
  readonly safeguards: boolean;
  readonly passwordProfile: PasswordProfile;
  readonly passwordHash: PasswordHashCost;
  /** Path of the key that seals the secrets of authenticator apps. */
  readonly secretsKeyFile: string;
  /** Whether stored files are encrypted; `only`: files that are not are refused. */
  readonly encryption: 'off' | 'on' | 'only';
  /** Path of the keys that stored files are encrypted under. */
  readonly keyFile: string;
  /** The keys themselves, in place of the file. */
  readonly blobKeys: string | undefined;
  /** What a monitor on another machine shows to read `/metrics`; without it only this machine does. */
  readonly metricsToken: string | undefined;
  /** The daily backup; null where none is made. `at` is HH:MM by the clock of this machine, `keep` as in `7d,4w,12m`. */
  readonly backup: { readonly url: string; readonly at: string; readonly keep: string | null } | null;
}

/** Every fault of the environment, a line each. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** What was written after a command is wrong, and nothing else. */
export class WordsFault extends ConfigFault {}

/** The mail server and the sender that mails name; null where mail is not set up. */
export interface MailSetUp {
  readonly server: MailServer;
  readonly from: MailAddress;
}

/** Mail needs all of it: a server, a sender, and the address that links in mails lead to. */
function readMail({
  SMTP_URL: server,
  MAIL_FROM: from,
  PUBLIC_ORIGIN: origin,
}: z.output<typeof Environment>): MailSetUp | null {
  if (server === undefined && from === undefined) return null;
  if (server === undefined) throw new ConfigFault(['SMTP_URL: must be set with MAIL_FROM']);
  if (!from) throw new ConfigFault(['MAIL_FROM: must be set with SMTP_URL']);
  if (origin === undefined) throw new ConfigFault(['PUBLIC_ORIGIN: must be set with SMTP_URL: mails have links']);
  return { server, from };
}

/** What the Safeguards profile requires of the other variables. */
function safeguardFaults(values: z.output<typeof Environment>): string[] {
  const faults: string[] = [];
  const { PUBLIC_ORIGIN: origin, ADMIN_PASSWORD: password } = values;
  if (origin === undefined) {
    // Passkeys are bound to a name, and nothing else says which name people use.
    if (!isLoopback(values.HOST))
      faults.push('PUBLIC_ORIGIN: must be set with SAFEGUARDS=on, unless HOST is a loopback');
  } else {
    const { protocol, hostname } = new URL(origin);
    if (protocol !== 'https:' && hostname !== 'localhost') {
      faults.push('PUBLIC_ORIGIN: must begin with https: with SAFEGUARDS=on');
    }
  }
  for (const { message } of newPassword('safeguards').optional().safeParse(password).error?.issues ?? []) {
    faults.push(`ADMIN_PASSWORD: ${message}`);
  }
  return faults;
}

/** The folder that DATA_DIR names, undefined where it is not set: for a command with a default of its own. */
export function namedDataDir(environment: Readonly<Record<string, string | undefined>> = process.env) {
  return environment.DATA_DIR || undefined;
}

/** The environment of another process for the same firm, whose database is at `databaseUrl`. */
export const environmentFor = (config: Config, databaseUrl: string): Record<string, string | undefined> => ({
  ...process.env,
  DATA_DIR: config.dataDir,
  DATABASE_URL: databaseUrl,
  BLOB_URL: config.blobUrl,
  SECRETS_KEY_FILE: config.secretsKeyFile,
  KEY_FILE: config.keyFile,
});

/** Whether somebody has said which firm is meant, rather than left it to the folder that the program is in. */
export const namesFirm = (environment: Readonly<Record<string, string | undefined>> = process.env): boolean =>
  [environment['DATA_DIR'], environment['DATABASE_URL']].some((value) => value !== undefined && value !== '');

/** The setting that `path` came from; null where none did. What has its usual place in the data folder came from DATA_DIR. */
export function settingOf(
  path: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | null {
  const file = (name: string, scheme = '') => {
    const value = environment[name];
    return value?.startsWith(scheme) && value !== scheme ? [{ name, place: resolve(value.slice(scheme.length)) }] : [];
  };
  const places = [
    ...file('KEY_FILE'),
    ...file('SECRETS_KEY_FILE'),
    ...file('BLOB_URL', 'file:'),
    ...file('DATABASE_URL', 'sqlite:'),
  ];
  // Certificates that the address of a PostgreSQL names.
  const url = environment['DATABASE_URL'] ?? '';
  const query = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();
  if (['sslrootcert', 'sslcert', 'sslkey'].some((name) => query.get(name) === path)) return 'DATABASE_URL';
  const isAbove = (one: string, other: string) => `${other}${sep}`.startsWith(`${one}${sep}`);
  const dataDir = resolve(environment['DATA_DIR'] || './data');
  // What is made beside a file begins like it.
  const named = places.find(({ place }) => path.startsWith(place));
  if (named !== undefined) return named.name;
  if (isAbove(dataDir, path) || isAbove(path, dataDir)) return 'DATA_DIR';
  return places.find(({ place }) => isAbove(path, place))?.name ?? null;
}

/** Reads the configuration from `environment`; an empty variable counts as not set. Throws ConfigFault. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const set = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = Environment.safeParse(set);
  if (!result.success) {
    throw new ConfigFault(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const values = result.data;
  const safeguards = values.SAFEGUARDS === 'on';
  const faults = safeguards ? safeguardFaults(values) : [];
  if (faults.length > 0) throw new ConfigFault(faults);
  const idle = (['BACKUP_AT', 'BACKUP_KEEP'] as const).filter((name) => !values.BACKUP_URL && values[name]);
  if (idle.length > 0) throw new ConfigFault(idle.map((name) => `${name}: needs BACKUP_URL`));
  const runsJobs = values.JOBS === 'on';
  if (!runsJobs && !isPostgres(values.DATABASE_URL)) {
    throw new ConfigFault(['JOBS: may be off with PostgreSQL alone, where workers of their own run them']);
  }
  const dataDir = isAbsolute(values.DATA_DIR) ? values.DATA_DIR : resolve(values.DATA_DIR);
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir,
    databaseUrl: values.DATABASE_URL ?? `sqlite:${resolve(dataDir, 'coffer.db')}`,
    blobUrl: values.BLOB_URL ?? `file:${resolve(dataDir, 'blobs')}`,
    adminUsername: values.ADMIN_USERNAME,
    adminPassword: values.ADMIN_PASSWORD,
    productName: values.PRODUCT_NAME,
    supportEmail: values.SUPPORT_EMAIL,
    publicOrigin: values.PUBLIC_ORIGIN,
    mail: readMail(values),
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    maxUploadBytes: values.MAX_UPLOAD_BYTES,
    trashDays: values.TRASH_DAYS,
    scrubDays: values.SCRUB_DAYS ?? null,
    ocr: values.OCR === 'on',
    searchInside: values.SEARCH_INSIDE === 'on',
    fourEyes: values.FOUR_EYES === 'on',
    drainMs: values.DRAIN_SECONDS * 1_000,
    runsJobs,
    safeguards,
    passwordProfile: safeguards ? 'safeguards' : 'standard',
    passwordHash: { memoryKib: values.PASSWORD_MEMORY_KIB, passes: values.PASSWORD_PASSES },
    secretsKeyFile: resolve(values.SECRETS_KEY_FILE ?? resolve(dataDir, 'secrets.key')),
    encryption: values.ENCRYPTION,
    keyFile: resolve(values.KEY_FILE ?? resolve(dataDir, 'files.keys')),
    blobKeys: values.BLOB_KEYS,
    metricsToken: values.METRICS_TOKEN,
    backup:
      values.BACKUP_URL === undefined
        ? null
        : { url: values.BACKUP_URL, at: values.BACKUP_AT ?? '02:00', keep: values.BACKUP_KEEP ?? null },
  };
}
