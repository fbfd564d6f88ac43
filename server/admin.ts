// The operator's commands, run beside a server or without one.
import { parseArgs } from 'node:util';
import { readConfig } from './config.ts';
import { openDatabase } from './db/connect.ts';
import { resetPassword } from './db/reset-password.ts';
import { createPasswordHasher } from './password-hasher.ts';
import { newPassword } from './secrets.ts';
import { startFault } from './start-fault.ts';

const USAGE = `Usage: npm run admin -- <command>

  reset-password <user name>   give a user a new password, shown once, and sign the user out everywhere
`;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function resetPasswordCommand(username: string): Promise<number> {
  const database = await openDatabase(readConfig().databaseUrl);
  try {
    await database.migrate();
    const password = newPassword();
    const passwordHash = await createPasswordHasher().hash(password);
    if (!(await resetPassword(database, { username, passwordHash, at: Date.now() }))) {
      process.stderr.write(`There is no user named ${username}.\n`);
      return 1;
    }
    say(`New password for ${username}: ${password}`);
    say('Every session of this user has ended.');
    return 0;
  } finally {
    await database.close();
  }
}

async function run(): Promise<number> {
  const { positionals } = parseArgs({ allowPositionals: true, strict: true, options: {} });
  const [command, subject, ...rest] = positionals;
  if (command === 'reset-password' && subject !== undefined && rest.length === 0) return resetPasswordCommand(subject);
  process.stderr.write(USAGE);
  return 2;
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
