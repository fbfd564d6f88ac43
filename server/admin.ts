// The operator's commands, run beside a server or without one.
import { parseArgs } from 'node:util';
import { createPasswordHasher } from './auth/password-hasher.ts';
import { resetPassword, resetSecondFactor } from './auth/reset-password.ts';
import { newPassword } from './auth/secrets.ts';
import { type Config, readConfig } from './config.ts';
import { openDatabase } from './db/connect.ts';
import type { Database } from './db/database.ts';
import { startFault } from './start-fault.ts';

const USAGE = `Usage: npm run admin -- <command>

  reset-password <user name>        give a user a new password, shown once, and sign the user out everywhere;
                                    whoever was locked out by too many attempts can sign in at once
  reset-second-factor <user name>   remove a user's second factors and sign the user out everywhere;
                                    the next sign-in sets up a new one
`;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Each command answers what to say, or null where there is no such user. */
const commands: Readonly<
  Record<string, (database: Database, username: string, config: Config) => Promise<string[] | null>>
> = {
  'reset-password': async (database, username, config) => {
    const password = newPassword();
    const passwordHash = await createPasswordHasher(config.passwordHash).hash(password);
    const done = await resetPassword(database, { username, passwordHash, at: Date.now() });
    return done ? [`New password for ${username}: ${password}`, 'Every session of this user has ended.'] : null;
  },
  'reset-second-factor': async (database, username) => {
    const done = await resetSecondFactor(database, { username, at: Date.now() });
    return done ? [`The second factors of ${username} are removed.`, 'Every session of this user has ended.'] : null;
  },
};

async function run(): Promise<number> {
  const { positionals } = parseArgs({ allowPositionals: true, strict: true, options: {} });
  const [name = '', username, ...rest] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined || username === undefined || rest.length > 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  const config = readConfig();
  const database = await openDatabase(config.databaseUrl);
  try {
    await database.migrate();
    const lines = await command(database, username, config);
    if (lines === null) {
      process.stderr.write(`There is no user named ${username}.\n`);
      return 1;
    }
    lines.forEach(say);
    return 0;
  } finally {
    await database.close();
  }
}

run().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    for (const line of startFault(error)) process.stderr.write(`${line}\n`);
    process.exitCode = 1;
  },
);
