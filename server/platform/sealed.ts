// Secrets that must be read again are stored encrypted, under a key that is next to the database and not in it.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { KeyFault, makeKeyFile } from './key-file.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORM = 'v1';

export interface Sealer {
  /** AES-256-GCM. What is sealed for one `purpose` opens for no other. */
  seal(secret: Uint8Array, purpose: string): Promise<string>;
  /** Throws KeyFault where the key is another one, or the sealed text or its purpose was changed. */
  open(sealed: string, purpose: string): Promise<Buffer>;
}

async function readKey(path: string, make: boolean): Promise<Buffer> {
  const key = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new KeyFault(`SECRETS_KEY_FILE: cannot be read (${error.code}).`);
  });
  if (key === null) {
    if (!make) throw new KeyFault('SECRETS_KEY_FILE: the key is missing. Put the copy of it back.');
    await makeKeyFile(path, randomBytes(KEY_BYTES));
    return readKey(path, false);
  }
  if (key.length !== KEY_BYTES) throw new KeyFault(`SECRETS_KEY_FILE: must hold exactly ${KEY_BYTES} bytes.`);
  return key;
}

/** Seals under the key in the file `path`, which is created with the first secret and readable by its owner only. */
export function openSealer(path: string): Sealer {
  let known: Buffer | undefined;
  const keyFor = async (make: boolean) => {
    known ??= await readKey(path, make);
    return known;
  };
  return {
    async seal(secret, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', await keyFor(true), nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(purpose));
      const bytes = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
      return `${FORM}.${bytes.toString('base64url')}`;
    },
    async open(sealed, purpose) {
      const [form, text = ''] = sealed.split('.');
      if (form !== FORM) throw new KeyFault('A sealed secret is in a form that this version does not know.');
      const bytes = Buffer.from(text, 'base64url');
      const key = await keyFor(false);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(Buffer.from(purpose));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      } catch {
        throw new KeyFault('SECRETS_KEY_FILE: this is not the key of this database. Put the right one back.');
      }
    },
  };
}
