// The master keys, under which the key of each stored file is wrapped. A key service of another kind stands in behind `MasterKeys`.
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { KeyFault, MissingKey, makeKeyFile, replaceKeyFile } from '../../key-file.ts';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES;
/** A key that was added by another process is known this much later at most. */
const LOOKED_AT_MS = 2_000;

export interface WrappedKey {
  readonly version: number;
  /** `WRAPPED_BYTES` long. */
  readonly bytes: Buffer;
}

export interface MasterKeys {
  /** The version that new keys are wrapped under; it only grows. */
  currentVersion(): Promise<number>;
  /** Under the current version. What is wrapped with one `context` is unwrapped with no other. */
  wrap(key: Buffer, context: Buffer): Promise<WrappedKey>;
  /** Null where the bytes or the context were changed. Throws MissingKey where the version is not known. */
  unwrap(wrapped: WrappedKey, context: Buffer): Promise<Buffer | null>;
  /** What tells each known version from any other key, and does not tell the key. */
  fingerprints(): Promise<ReadonlyMap<number, string>>;
}

type Keys = ReadonlyMap<number, Buffer>;

const LINE = /^key (\d{1,9}) ([A-Za-z0-9+/]{43}=)$/;
const HEAD =
  '# The keys of the stored files of one firm. Without them no file can be read: keep a copy apart from the backups.';

const lineOf = (version: number, key: Buffer) => `key ${version} ${key.toString('base64')}`;

function textOf(keys: Keys): string {
  return `${[HEAD, ...[...keys].map(([version, key]) => lineOf(version, key))].join('\n')}\n`;
}

/** What is said of the nth key of a variable, where it is none. */
const NO_KEY = {
  KEY_FILE: (nth: number) => `line ${nth} is no key. A line is 'key', a version, and 32 bytes as base64.`,
  BLOB_KEYS: (nth: number) =>
    `key ${nth} is none. Each is a version, a colon and 32 bytes as base64, with commas between.`,
} as const;

function keysOf(lines: readonly string[], where: keyof typeof NO_KEY): Keys {
  const keys = new Map<number, Buffer>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, version = '', key = ''] = LINE.exec(line.trim()) ?? [];
    if (key === '' || Number(version) < 1 || keys.has(Number(version))) {
      throw new KeyFault(`${where}: ${NO_KEY[where](index + 1)}`);
    }
    keys.set(Number(version), Buffer.from(key, 'base64'));
  }
  if (keys.size === 0) throw new KeyFault(`${where}: there is no key in it.`);
  return new Map([...keys].sort(([one], [other]) => one - other));
}

abstract class KnownKeys implements MasterKeys {
  /** The known keys; with `anew` those of this moment. */
  protected abstract keys(anew?: boolean): Promise<Keys>;

  async currentVersion(): Promise<number> {
    return Math.max(...(await this.keys()).keys());
  }

  async wrap(key: Buffer, context: Buffer): Promise<WrappedKey> {
    const version = await this.currentVersion();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', await this.#master(version), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(contextOf(version, context));
    return { version, bytes: Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]) };
  }

  async unwrap({ version, bytes }: WrappedKey, context: Buffer): Promise<Buffer | null> {
    const decipher = createDecipheriv('aes-256-gcm', await this.#master(version), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(contextOf(version, context));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch {
      return null;
    }
  }

  async fingerprints(): Promise<ReadonlyMap<number, string>> {
    return new Map([...(await this.keys(true))].map(([version, key]) => [version, fingerprintOf(key)]));
  }

  async #master(version: number): Promise<Buffer> {
    const key = (await this.keys()).get(version) ?? (await this.keys(true)).get(version);
    if (key === undefined) {
      throw new MissingKey(`Key ${version} of the stored files is missing. Put it back into KEY_FILE or BLOB_KEYS.`);
    }
    return key;
  }
}

const contextOf = (version: number, context: Buffer) => Buffer.concat([Buffer.from(`master ${version} `), context]);

const fingerprintOf = (key: Buffer) =>
  hash('sha256', Buffer.concat([Buffer.from('coffer master key '), key]), 'hex').slice(0, 32);

const unreadable = ({ code }: NodeJS.ErrnoException) => new KeyFault(`KEY_FILE: cannot be read (${code}).`);

/** Keys in a file, which is made with the first one. */
export class KeyFile extends KnownKeys {
  readonly #path: string;
  #known: Keys | null = null;
  #knownOf = '';
  #lookedAtMs = 0;

  constructor(path: string) {
    super();
    this.#path = path;
  }

  async isThere(): Promise<boolean> {
    return (await this.#stamp()) !== null;
  }

  async make(): Promise<void> {
    await makeKeyFile(this.#path, textOf(new Map([[1, randomBytes(KEY_BYTES)]])));
  }

  /** Adds a key, which is the current one from now on; returns its version. */
  async add(): Promise<number> {
    const keys = await this.keys(true);
    const version = Math.max(...keys.keys()) + 1;
    await replaceKeyFile(this.#path, textOf(new Map([...keys, [version, randomBytes(KEY_BYTES)]])));
    this.#known = null;
    return version;
  }

  protected override async keys(anew = false): Promise<Keys> {
    const nowMs = performance.now();
    if (this.#known !== null && !anew && nowMs - this.#lookedAtMs < LOOKED_AT_MS) return this.#known;
    const stamp = await this.#stamp();
    if (stamp === null) {
      throw new KeyFault(
        'KEY_FILE: the keys of the stored files are missing. Copy the file from another server of this firm, or restore it.',
      );
    }
    if (this.#known === null || anew || stamp !== this.#knownOf) {
      const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw unreadable(error);
      });
      this.#known = keysOf(text.split(/\r?\n/), 'KEY_FILE');
      this.#knownOf = stamp;
    }
    this.#lookedAtMs = nowMs;
    return this.#known;
  }

  /** Says whether the file is the one that was read; null where there is none. */
  async #stamp(): Promise<string | null> {
    try {
      const { mtimeMs, size, ino } = await stat(this.#path);
      return `${mtimeMs} ${size} ${ino}`;
    } catch (error) {
      const fault = error as NodeJS.ErrnoException;
      if (fault.code === 'ENOENT') return null;
      throw unreadable(fault);
    }
  }
}

/** Keys from the environment: `1:<32 bytes as base64>,2:<...>`. */
export class GivenKeys extends KnownKeys {
  readonly #keys: Keys;

  constructor(text: string) {
    super();
    this.#keys = keysOf(
      text.split(',').map((part) => `key ${part.trim().replace(':', ' ')}`),
      'BLOB_KEYS',
    );
  }

  protected override async keys(): Promise<Keys> {
    return this.#keys;
  }
}
