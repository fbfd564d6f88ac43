// What is wrong with the keys beside a database: those of its files, and the one that its secrets are sealed under.
import type { Config } from '../../config.ts';
import { sealedFor } from '../../mail/outbox.ts';
import { requireKeys } from '../../platform/blobs/encryption/firm-keys.ts';
import type { Database } from '../../platform/db/database.ts';
import { KeyFault } from '../../platform/key-file.ts';
import { openSealer, type Sealer } from '../../platform/sealed.ts';
import { totpPurpose } from './totp.ts';

export interface KeyMissing {
  readonly of: 'files' | 'secrets';
  /** What is wrong, in whole sentences. */
  readonly fault: string;
  /** Where the right one has to be, such as `at /srv/coffer/files.keys`. */
  readonly belongs: string;
  /** What there is not without it. */
  readonly without: string;
}

/** Throws KeyFault where the secrets in the database cannot be opened by it; one of them tells. */
export async function requireSecretsKey({ reader }: Pick<Database, 'reader'>, sealer: Sealer): Promise<void> {
  const row = await reader.selectFrom('totp_secrets').select(['user_id', 'sealed']).limit(1).executeTakeFirst();
  if (row !== undefined) await sealer.open(row.sealed, totpPurpose(row.user_id));
}

/** The same of the link in a mail that is not sent yet, the newest of them. */
async function requireKeyOfMails({ reader }: Pick<Database, 'reader'>, sealer: Sealer): Promise<void> {
  const row = await reader
    .selectFrom('mails')
    .select(['message_id', 'sealed'])
    .where('state', 'in', ['waiting', 'sending', 'failed'])
    .where('sealed', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row?.sealed) await sealer.open(row.sealed, sealedFor(row.message_id));
}

export async function keyFaults(
  config: Pick<Config, 'encryption' | 'keyFile' | 'blobKeys' | 'secretsKeyFile'>,
  database: Pick<Database, 'reader'>,
): Promise<KeyMissing[]> {
  const keys = [
    {
      of: 'files',
      belongs: config.blobKeys === undefined ? `at ${config.keyFile}` : 'in BLOB_KEYS',
      without: 'no server starts and no file can be opened',
      opens: () => requireKeys(config, database),
    },
    {
      of: 'secrets',
      belongs: `at ${config.secretsKeyFile}`,
      without: 'no server starts with SAFEGUARDS=on, and no authenticator app is believed',
      opens: () => requireSecretsKey(database, openSealer(config.secretsKeyFile)),
    },
    {
      of: 'secrets',
      belongs: `at ${config.secretsKeyFile}`,
      without: 'a mail that waits with a link in it is not sent',
      opens: () => requireKeyOfMails(database, openSealer(config.secretsKeyFile)),
    },
  ] as const;
  const found: KeyMissing[] = [];
  for (const { opens, ...key } of keys) {
    // Told of already, by what else it opens.
    if (found.some(({ of }) => of === key.of)) continue;
    try {
      await opens();
    } catch (error) {
      if (!(error instanceof KeyFault)) throw error;
      found.push({ ...key, fault: error.message });
    }
  }
  return found;
}
