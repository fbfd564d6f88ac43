// Small files with names in a place for bytes, such as the notes of what else is stored there.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeKeyFile, replaceKeyFile } from '../key-file.ts';

/** A name may have folders, with slashes. What is written is there whole or not at all, and readable by its owner alone. */
export interface NamedObjects {
  /** Null where there is none. */
  read(name: string): Promise<Buffer | null>;
  /** Replaces what is there. */
  write(name: string, content: Uint8Array | string): Promise<void>;
  /** Where there is one already, it stays: read it to know. */
  writeNew(name: string, content: Uint8Array | string): Promise<void>;
  /** A missing one is no fault. */
  remove(name: string): Promise<void>;
  /** The names of what lies in `folder`, without it; of the place itself where it is empty. Sorted. */
  list(folder: string): Promise<string[]>;
  close(): Promise<void>;
}

/** What a disk or a share says that knows no hard links, such as exFAT. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

export class FolderObjects implements NamedObjects {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  read(name: string): Promise<Buffer | null> {
    return readFile(join(this.#root, name)).catch(nothing(null));
  }

  write(name: string, content: Uint8Array | string): Promise<void> {
    return replaceKeyFile(join(this.#root, name), content);
  }

  async writeNew(name: string, content: Uint8Array | string): Promise<void> {
    const path = join(this.#root, name);
    try {
      await makeKeyFile(path, content);
    } catch (error) {
      if (!NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      // Whoever reads it at this very moment may find the beginning of it.
      await writeFile(path, content, { flag: 'wx', mode: 0o600, flush: true }).catch((fault: NodeJS.ErrnoException) => {
        if (fault.code !== 'EEXIST') throw fault;
      });
    }
  }

  remove(name: string): Promise<void> {
    return rm(join(this.#root, name), { force: true });
  }

  async list(folder: string): Promise<string[]> {
    return (await readdir(join(this.#root, folder)).catch(nothing<string[]>([]))).sort();
  }

  async close(): Promise<void> {
    // Every file is opened and closed by the call that needs it.
  }
}

const nothing =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
