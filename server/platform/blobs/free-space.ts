// What a disk may still take: its free space, less the floor, less what open uploads were promised and have not written yet.
import { statfs } from 'node:fs/promises';
import { refuse } from '#contract/errors.ts';

const MIB = 1024 * 1024;
/** What stays free on a disk unless a store is given another floor. */
export const KEPT_FREE_BYTES = 256 * MIB;
/** What an upload of unknown length is promised at a time. */
export const STEP_BYTES = 16 * MIB;
/** An upload looks again after as many bytes, since others than uploads fill a disk too. */
const LOOK_EVERY_BYTES = 64 * MIB;

/** Of the disk on which the folder is. */
export async function freeBytesAt(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** One per disk and process: two processes on one disk do not know each other's promises. */
export class FreeSpace {
  readonly #askFreeBytes: () => Promise<number>;
  readonly #floorBytes: number;
  #promisedBytes = 0;
  /** Of all uploads, ever: what is written while the system is asked may be missing in its answer. */
  #writtenBytes = 0;

  /** `floorBytes` stay free whatever is asked for. */
  constructor(askFreeBytes: () => Promise<number>, floorBytes: number) {
    this.#askFreeBytes = askFreeBytes;
    this.#floorBytes = floorBytes;
  }

  /** Refuses `storage_full` where `bytes` more would not leave the floor. Promises nothing. */
  ensure(bytes: number): Promise<void> {
    return this.#compare(bytes, 0);
  }

  /** Promises room for `expectedBytes`, or for as much as comes, a step at a time. Refuses `storage_full`. */
  async promise(expectedBytes = STEP_BYTES): Promise<Room> {
    const room = new Room(this);
    await room.grow(expectedBytes);
    return room;
  }

  /** For `Room` alone. */
  take(bytes: number): Promise<void> {
    return this.#compare(bytes, bytes);
  }

  /** For `Room` alone: `bytes` of a promise are on the disk, or no longer wanted. */
  giveBack(bytes: number, how: 'written' | 'unwanted'): void {
    this.#promisedBytes -= bytes;
    if (how === 'written') this.#writtenBytes += bytes;
  }

  /** Nothing is awaited between the comparison and the promise, so that two never get the same bytes. */
  async #compare(neededBytes: number, promisedBytes: number): Promise<void> {
    const writtenBefore = this.#writtenBytes;
    const freeBytes = (await this.#askFreeBytes()) - (this.#writtenBytes - writtenBefore);
    if (freeBytes - this.#promisedBytes - this.#floorBytes < neededBytes) throw refuse('storage_full');
    this.#promisedBytes += promisedBytes;
  }
}

/** What one upload was promised and has not written yet. To be left however the upload ends. */
export class Room {
  readonly #space: FreeSpace;
  #leftBytes = 0;
  #sinceLookBytes = 0;

  constructor(space: FreeSpace) {
    this.#space = space;
  }

  async grow(bytes: number): Promise<void> {
    await this.#space.take(bytes);
    this.#leftBytes += bytes;
    this.#sinceLookBytes = 0;
  }

  /** To be awaited before `bytes` are written. Refuses `storage_full`. */
  async ensure(bytes: number): Promise<void> {
    this.#sinceLookBytes += bytes;
    if (this.#leftBytes < bytes) await this.grow(Math.max(STEP_BYTES, bytes));
    else if (this.#sinceLookBytes >= LOOK_EVERY_BYTES) await this.grow(0);
  }

  /** To be called once `bytes` are written. */
  written(bytes: number): void {
    this.#leftBytes -= bytes;
    this.#space.giveBack(bytes, 'written');
  }

  leave(): void {
    this.#space.giveBack(this.#leftBytes, 'unwanted');
    this.#leftBytes = 0;
  }
}
