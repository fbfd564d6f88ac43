// The keys of a firm: in a backup where the operator wants them there, and beside the firm that is restored.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { keyFaults } from '../people/auth/key-faults.ts';
import type { Database } from '../platform/db/database.ts';
import { makeKeyFile } from '../platform/key-file.ts';
import type { Target } from './target.ts';

const KEYS = 'keys';

const keyFilesOf = (config: Config) => [
  { name: 'files.keys', variable: 'KEY_FILE', path: config.keyFile, opens: 'no file can be opened' },
  {
    name: 'secrets.key',
    variable: 'SECRETS_KEY_FILE',
    path: config.secretsKeyFile,
    opens: 'no authenticator app is believed',
  },
];

export async function keepKeys(config: Config, { objects }: Target, withKeys: boolean): Promise<string[]> {
  const there = keyFilesOf(config).filter(({ path }) => existsSync(path));
  const given =
    config.blobKeys === undefined
      ? []
      : ['The keys of the files are in BLOB_KEYS and never in a backup: keep a copy of them.'];
  if (withKeys) {
    for (const { name, path } of there) await objects.write(`${KEYS}/${name}`, await readFile(path));
    const names = there.map(({ name }) => name).join(' and ');
    if (there.length === 0) return given;
    return [
      ...given,
      `${names} ${there.length === 1 ? 'is' : 'are'} in the backup: whoever can read it can read every file of the firm.`,
    ];
  }
  if ((await objects.list(KEYS)).length > 0) {
    return [
      ...given,
      `${KEYS}/ there was left by an earlier --with-keys: whoever can read the backups can read every file of the firm. Remove it, or use --with-keys again.`,
    ];
  }
  if (there.length === 0) return given;
  return [
    ...given,
    'Not in the backup, because with them in one place the encryption protects nothing. Keep a copy of each somewhere else:',
    ...there.map(({ path, opens }) => `  ${path}   (without it ${opens})`),
  ];
}

/** Where the backup has them, and there are none yet. */
export async function bringKeys(config: Config, { objects }: Target): Promise<void> {
  for (const { name, path } of keyFilesOf(config)) {
    const key = existsSync(path) ? null : await objects.read(`${KEYS}/${name}`);
    if (key !== null) await makeKeyFile(path, key);
  }
}

export async function missingKeys(config: Config, database: Database): Promise<string[]> {
  const missing = (await keyFaults(config, database)).map(
    ({ fault, belongs, without }) => `${fault} It belongs ${belongs}: without it ${without}.`,
  );
  return missing.length === 0 ? [] : ['', 'Before you start a server:', ...missing.map((line) => `  ${line}`)];
}
