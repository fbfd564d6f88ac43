// Keys in files that only their owner reads: made whole or not at all, and changed whole or not at all.
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A key is missing, unreadable or not the one that the data was sealed with. The message is for the operator. */
export class KeyFault extends Error {
  override readonly name = 'KeyFault';
}

/** One key of several is missing: what was sealed under the others can be read. */
export class MissingKey extends KeyFault {}

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Makes the file with `content`; where another process was faster, its file stays. */
export async function makeKeyFile(path: string, content: Uint8Array | string): Promise<void> {
  await withDraft(path, content, async (draft) => {
    try {
      await link(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  });
}

export async function replaceKeyFile(path: string, content: Uint8Array | string): Promise<void> {
  await withDraft(path, content, (draft) => rename(draft, path));
}

async function withDraft(
  path: string,
  content: Uint8Array | string,
  place: (draft: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx', FILE_MODE);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await place(draft);
  } finally {
    // What has been placed is there no more; on a full disk what could not be written is.
    await rm(draft, { force: true });
  }
  const directory = await open(folder, 'r');
  // Not every system can flush a folder; the key is then as safe as that system makes it.
  await directory.sync().catch(() => {});
  await directory.close();
}
