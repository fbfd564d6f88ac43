// The operator's commands, which work with or without a running server.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { openSource, runBackup, runKeepDry, runList, runVerify } from './backup/backup-command.ts';
import { BackupRefusal } from './backup/backup-refusal.ts';
import { runRestore } from './backup/restore-command.ts';
import { type Config, readConfig, WordsFault } from './config.ts';
import { forgetTexts, readAllAgain } from './files/texts/all-texts.ts';
import { openOutbox } from './mail/outbox.ts';
import { testByOperator } from './mail/sending/operator-test.ts';
import { createPasswordHasher } from './people/auth/password-hasher.ts';
import { resetPassword, resetSecondFactor } from './people/auth/reset-password.ts';
import { keyUses, requireKeys, rotateKeys } from './platform/blobs/encryption/firm-keys.ts';
import type { Database } from './platform/db/database.ts';
import { runMove } from './platform/move/move-command.ts';
import { openSealer } from './platform/sealed.ts';
import { newPassword } from './platform/secrets.ts';
import { outliveReaders, startFault } from './start-fault.ts';
import { runDoctor } from './system/doctor.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What was written after a command's name. */
interface Words {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** How it is written, and what it does, in lines as they are shown. */
type Usage = readonly [words: string, ...does: readonly string[]];

interface Command {
  readonly usage: readonly Usage[];
  readonly options: Options;
  /** Returns the exit code, or null where the arguments make no sense. */
  run(words: Words): Promise<number> | null;
}

interface BackupOptions {
  readonly keep?: string;
  readonly 'dry-run'?: boolean;
  readonly 'with-keys'?: boolean;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

/** What looks at a place with backups. A folder that is called so is written `./list`. */
const LOOKS = new Map([
  ['list', runList],
  ['verify', runVerify],
]);

/** Meant as a command where `backup` is followed by it, and no folder either. */
const NO_FOLDERS = ['help', 'restore'];

/** Where the server backs up to. */
function ownPlace(look: string): string {
  const { backup } = readConfig();
  if (backup !== null) return backup.url;
  throw new WordsFault([
    `backup ${look}: name the place, such as /mnt/backups/coffer, or set BACKUP_URL. A folder that is called so is ./${look}.`,
  ]);
}

/** A command for one user; `act` returns what to print, or null where there is no such user. */
function ofUser(
  does: readonly string[],
  act: (database: Database, username: string, config: Config) => Promise<string[] | null>,
): Command {
  const run = async (username: string) => {
    const config = readConfig();
    const database = await openSource(config);
    try {
      const lines = await act(database, username, config);
      if (lines === null) {
        process.stderr.write(`There is no user named ${username}.\n`);
        return 1;
      }
      lines.forEach(say);
      return 0;
    } finally {
      await database.close();
    }
  };
  return {
    usage: [['<user name>', ...does]],
    options: {},
    run: ({ positionals: [username, ...rest] }) => (username === undefined || rest.length > 0 ? null : run(username)),
  };
}

async function reindex(config: Config): Promise<number> {
  const grouped = new Intl.NumberFormat('en-US');
  const database = await openSource(config);
  try {
    if (config.searchInside) {
      const files = await readAllAgain(database);
      say(`${grouped.format(files)} files will be read in the background, while the server or a worker runs.`);
    } else {
      const pages = await forgetTexts(database);
      say(`The text of ${grouped.format(pages)} pages is forgotten.`);
    }
    return 0;
  } finally {
    await database.close();
  }
}

async function keys(config: Config, act: string): Promise<number> {
  const grouped = new Intl.NumberFormat('en-US');
  const database = await openSource(config);
  try {
    if (act === 'rotate') {
      const version = await rotateKeys(config, database);
      const use =
        config.encryption === 'off'
          ? 'With ENCRYPTION=off nothing is encrypted under it: new files are stored in plain, and all others stay as they are.'
          : 'New files are encrypted under it, and all others by a background job.';
      say(`Key ${version} is added to ${config.keyFile}. ${use}`);
      say('Keep a copy of the file apart from the backups, and copy it to every other server of this firm.');
      return 0;
    }
    // It asks, and makes no key where there is none.
    await requireKeys(config, database);
    const uses = await keyUses(database);
    if (uses.length === 0) say('No file is stored yet.');
    for (const { version, files } of uses) say(`${describeKey(version)}: ${grouped.format(files)}`);
    return 0;
  } finally {
    await database.close();
  }
}

async function doctor(config: Config): Promise<number> {
  const database = await openSource(config);
  try {
    return await runDoctor(config, database, say);
  } finally {
    await database.close();
  }
}

function describeKey(version: number): string {
  if (version > 0) return `Files under key ${version}`;
  return version === 0 ? 'Files in plain, or not looked at yet' : 'Files whose bytes are missing or damaged';
}

/** The person is told by whatever process sends mails. */
const outboxOf = (config: Config) => openOutbox(config, openSealer(config.secretsKeyFile));

const commands: Readonly<Record<string, Command>> = {
  'reset-password': ofUser(
    [
      'give a user a new password, shown once, and sign the user out everywhere;',
      'the next sign-in asks for another one;',
      'whoever was locked out by too many attempts can sign in at once',
    ],
    async (database, username, config) => {
      const password = newPassword();
      const passwordHash = await createPasswordHasher(config.passwordHash).hash(password);
      const done = await resetPassword(database, outboxOf(config), { username, passwordHash, at: Date.now() });
      return done ? [`New password for ${username}: ${password}`, 'Every session of this user has ended.'] : null;
    },
  ),
  'reset-second-factor': ofUser(
    ["remove a user's second factors and sign the user out everywhere;", 'the next sign-in sets up a new one'],
    async (database, username, config) => {
      const done = await resetSecondFactor(database, outboxOf(config), { username, at: Date.now() });
      return done ? [`The second factors of ${username} are removed.`, 'Every session of this user has ended.'] : null;
    },
  ),
  reindex: {
    usage: [
      [
        '',
        'have the text of every file read that has none yet, so that files are found by what',
        'stands on their pages; with SEARCH_INSIDE=off, forget what was read',
      ],
    ],
    options: {},
    run: ({ positionals }) => (positionals.length > 0 ? null : reindex(readConfig())),
  },
  keys: {
    usage: [
      [
        'rotate | status',
        'encrypt all files under a new key, while the server runs; or say how many files',
        'are under which key',
      ],
    ],
    options: {},
    run: ({ positionals: [act, ...rest] }) =>
      rest.length > 0 || (act !== 'rotate' && act !== 'status') ? null : keys(readConfig(), act),
  },
  mail: {
    usage: [['test <address>', 'send a test mail now, and say what the mail server answers']],
    options: {},
    run: ({ positionals: [act, address, ...rest] }) =>
      act !== 'test' || address === undefined || rest.length > 0 ? null : testByOperator(readConfig(), address, say),
  },
  doctor: {
    usage: [
      [
        '',
        'say how the portal fares, and what is wrong with it and what to do; changes nothing, and',
        'ends with 1 where something is wrong',
      ],
    ],
    options: {},
    run: ({ positionals }) => (positionals.length > 0 ? null : doctor(readConfig())),
  },
  move: {
    usage: [
      [
        '--to-database <DATABASE_URL> --to-blobs <BLOB_URL>',
        'copy the firm to an empty database, an empty store, or both, while no server',
        'runs; when it is interrupted, the same command goes on',
      ],
    ],
    options: { 'to-database': { type: 'string' }, 'to-blobs': { type: 'string' } },
    run({ positionals, options }) {
      const { 'to-database': database, 'to-blobs': blobs } = options as Record<string, string | undefined>;
      if (positionals.length > 0 || (database === undefined && blobs === undefined)) return null;
      return runMove(readConfig(), { database, blobs }, say);
    },
  },
  backup: {
    usage: [
      [
        '<folder or s3://...>',
        'copy the firm as it is now, while the server runs: only what is not there yet;',
        '--with-keys: the two key files too; --keep 7d,4w,12m: remove all older ones but',
        'the last of so many days, weeks, months (--dry-run: only say which)',
      ],
      [
        'list | verify [<place>]',
        'name the backups at a place, that of BACKUP_URL unless it is named; or read all of them',
        'again; ends with 1 where something is missing or damaged, 3 where the place is another',
        'one than it has to be, 4 where another backup runs, 5 where there is no room',
      ],
    ],
    options: { 'with-keys': { type: 'boolean' }, keep: { type: 'string' }, 'dry-run': { type: 'boolean' } },
    run({ positionals, options }) {
      const [first, second, ...rest] = positionals;
      if (first === undefined || rest.length > 0) return null;
      const look = LOOKS.get(first);
      if (look !== undefined) return Object.keys(options).length > 0 ? null : look(second ?? ownPlace(first), say);
      if (second !== undefined || NO_FOLDERS.includes(first)) return null;
      const { keep, 'dry-run': dry, 'with-keys': withKeys } = options as BackupOptions;
      if (dry) return keep === undefined || withKeys ? null : runKeepDry(first, keep, say);
      return runBackup(readConfig(), first, { withKeys: withKeys === true, keep }, say);
    },
  },
  restore: {
    usage: [
      [
        '<folder or s3://...>',
        'restore the newest backup, or the one named by --at, into the empty place that',
        'DATA_DIR, DATABASE_URL and BLOB_URL name; ends as backup does',
      ],
    ],
    options: { at: { type: 'string' } },
    run({ positionals: [where, ...rest], options }) {
      if (where === undefined || rest.length > 0) return null;
      return runRestore(readConfig(), where, options['at'] as string | undefined, say);
    },
  },
};

/** The column in which it is said what a command does. */
const DOES_AT = 36;

function usageLines(name: string, [words, ...does]: Usage): string[] {
  const head = `  ${name} ${words}`.trimEnd();
  const indented = does.map((line) => `${' '.repeat(DOES_AT)}${line}`);
  // What is longer has its own line.
  if (head.length > DOES_AT - 2) return [head, ...indented];
  return [`${head.padEnd(DOES_AT)}${does[0] ?? ''}`, ...indented.slice(1)];
}

const usage = () =>
  [
    'Usage: npm run admin -- <command>      (in a release: ./coffer admin <command>)',
    '',
    ...Object.entries(commands).flatMap(([name, { usage }]) => usage.flatMap((form) => usageLines(name, form))),
  ]
    .map((line) => `${line}\n`)
    .join('');

const HELP = ['--help', '-h'];

const asksForHelp = (name: string, args: readonly string[]) =>
  name === 'help' || [name, ...args].some((word) => HELP.includes(word));

/** What is said of words with which nothing can be done; null where there are none. */
function wordsFault(name: string, isThere: boolean): string | null {
  if (name === '') return null;
  return isThere ? `The words after ${name} are not those it takes` : `There is no command ${name}`;
}

/** The fault of what was written, in one sentence; null where `error` is something else. */
function writingFault(error: unknown): string | null {
  const { code = '', message } = error as { code?: string; message: string };
  return code.startsWith('ERR_PARSE_ARGS_') ? (message.split(/\. |\.?\n|\.$/)[0] ?? message) : null;
}

async function run([name = '', ...args]: readonly string[]): Promise<number> {
  if (asksForHelp(name, args)) {
    process.stdout.write(usage());
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  let fault = wordsFault(name, command !== undefined);
  try {
    const words = command && parseArgs({ args, allowPositionals: true, strict: true, options: command.options });
    // An empty word is a variable of the shell that is not set.
    const isWhole = words !== undefined && ![...words.positionals, ...Object.values(words.values)].includes('');
    const running = isWhole ? command?.run({ positionals: words.positionals, options: words.values }) : null;
    if (running) return await running;
  } catch (error) {
    fault = writingFault(error);
    if (fault === null) throw error;
  }
  process.stderr.write(`${fault === null ? '' : `${fault}.\n\n`}${usage()}`);
  return 2;
}

outliveReaders();
run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    for (const line of startFault(error)) process.stderr.write(`${line}\n`);
    process.exitCode = error instanceof BackupRefusal ? error.exitCode : error instanceof WordsFault ? 2 : 1;
  },
);
