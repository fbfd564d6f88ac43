// The keys of a firm: opened as configured, and compared with those that its database knows, so that no server writes what the
// others cannot read.
import type { Config } from '../../../config.ts';
import type { Database } from '../../db/database.ts';
import { KeyFault } from '../../key-file.ts';
import type { EncryptionOptions } from './encrypted-store.ts';
import { GivenKeys, KeyFile, type MasterKeys } from './master-keys.ts';

type KeyConfig = Pick<Config, 'encryption' | 'keyFile' | 'blobKeys'>;

interface FirmEncryption extends EncryptionOptions {
  /** The key file was made just now: somebody has to keep a copy. */
  readonly isNew: boolean;
}

/** How the store of a firm encrypts, and its keys compared with its database; a firm that has none yet gets its first. */
export async function encryptionOf(config: KeyConfig, database: Database): Promise<FirmEncryption> {
  const options = configuredEncryption(config);
  let isNew = false;
  const known = await knownVersions(database);
  if (options.keys instanceof KeyFile && known.size === 0 && !(await options.keys.isThere())) {
    if (options.writes === 'plain') return { ...options, isNew };
    await options.keys.make();
    isNew = true;
  }
  await enterKeys(database, options.keys);
  return { ...options, isNew };
}

/** What the process that has made the first key tells whoever started it. */
export const newKeysLines = (keyFile: string): readonly string[] => [
  `The keys of the stored files were made: ${keyFile}`,
  'Without them no file can be read. Keep a copy apart from the backups.',
];

/** As configured, without a look at the database. */
export function configuredEncryption({ encryption, keyFile, blobKeys }: KeyConfig): EncryptionOptions {
  return {
    keys: blobKeys === undefined ? new KeyFile(keyFile) : new GivenKeys(blobKeys),
    writes: encryption === 'off' ? 'plain' : 'encrypted',
    readsPlain: encryption !== 'only',
  };
}

async function knownVersions({ reader }: Pick<Database, 'reader'>): Promise<ReadonlyMap<number, string>> {
  const rows = await reader.selectFrom('blob_keys').select(['version', 'fingerprint']).execute();
  return new Map(rows.map(({ version, fingerprint }) => [version, fingerprint]));
}

/** Enters keys that the database does not know. Throws KeyFault where one is missing, or is another one. */
async function enterKeys(database: Database, keys: MasterKeys): Promise<void> {
  const mine = await keys.fingerprints();
  const fresh = [...mine].map(([version, fingerprint]) => ({ version, fingerprint, created_at: Date.now() }));
  await database.transaction((tx) =>
    tx
      .insertInto('blob_keys')
      .values(fresh)
      .onConflict((conflict) => conflict.column('version').doNothing())
      .execute(),
  );
  assertSame(await knownVersions(database), mine);
}

function assertSame(known: ReadonlyMap<number, string>, mine: ReadonlyMap<number, string>): void {
  for (const [version, fingerprint] of known) {
    const own = mine.get(version);
    if (own === undefined) {
      throw new KeyFault(
        `Key ${version} of the stored files is missing. Copy KEY_FILE (or BLOB_KEYS) from another server of this firm, or restore it.`,
      );
    }
    if (own !== fingerprint) {
      throw new KeyFault(
        `Key ${version} in KEY_FILE (or BLOB_KEYS) is not the one that the files of this firm are encrypted under. Put the right one back.`,
      );
    }
  }
}

/** Throws KeyFault where the configured keys are not those of the database; writes nothing, and asks for none where it has none. */
export async function requireKeys(config: KeyConfig, database: Pick<Database, 'reader'>): Promise<void> {
  const known = await knownVersions(database);
  if (known.size > 0) assertSame(known, await configuredEncryption(config).keys.fingerprints());
}

/** Adds a key, under which new files are encrypted from now on and all others soon. Returns its version. */
export async function rotateKeys(config: KeyConfig, database: Database): Promise<number> {
  const { keys } = await encryptionOf(config, database);
  if (!(keys instanceof KeyFile)) {
    throw new KeyFault('The keys are in BLOB_KEYS: add one there with the next version, and restart the servers.');
  }
  // One that is missing was told of above.
  if (!(await keys.isThere())) {
    throw new KeyFault(
      'This firm has no key yet: its files are stored in plain (ENCRYPTION=off). The first key is made when a server starts with ENCRYPTION=on.',
    );
  }
  const version = await keys.add();
  await enterKeys(database, keys);
  return version;
}

export interface KeyUse {
  readonly version: number;
  readonly files: number;
}

/** How many stored files are under which key, by the last look: version 0 are those in plain or not looked at, -1 damaged ones. */
export async function keyUses({ reader }: Database): Promise<readonly KeyUse[]> {
  return reader
    .selectFrom('blobs')
    .select(({ fn }) => ['key_version as version', fn.countAll<number>().as('files')])
    .groupBy('key_version')
    .orderBy('key_version')
    .execute();
}
