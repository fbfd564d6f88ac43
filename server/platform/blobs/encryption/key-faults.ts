// What is wrong with the keys beside a database: those of its files, and the one that its secrets are sealed under.
import { existsSync } from 'node:fs';
import type { Config } from '../../../config.ts';
import type { Database } from '../../db/database.ts';
import { KeyFault } from '../../key-file.ts';
import { requireKeys } from './firm-keys.ts';

export interface KeyMissing {
  readonly of: 'files' | 'secrets';
  /** What is wrong, in whole sentences. */
  readonly fault: string;
  readonly path: string;
  /** What there is not without it. */
  readonly without: string;
}

export async function keyFaults(
  config: Pick<Config, 'encryption' | 'keyFile' | 'blobKeys' | 'secretsKeyFile'>,
  database: Pick<Database, 'reader'>,
): Promise<KeyMissing[]> {
  const found: KeyMissing[] = [];
  try {
    await requireKeys(config, database);
  } catch (error) {
    if (!(error instanceof KeyFault)) throw error;
    const without = 'no server starts and no file can be opened';
    found.push({ of: 'files', fault: error.message, path: config.keyFile, without });
  }
  const sealed = await database.reader.selectFrom('totp_secrets').select('user_id').limit(1).executeTakeFirst();
  if (sealed !== undefined && !existsSync(config.secretsKeyFile)) {
    const without = 'no authenticator app is believed';
    found.push({ of: 'secrets', fault: 'secrets.key is missing.', path: config.secretsKeyFile, without });
  }
  return found;
}
