// Makes of a PDF that asks for a password one that does not. The password is in this call and in its thread, and nowhere else.
import { movable, Thread, ThreadLimit } from '#server/platform/jobs/thread.ts';
import type { UnlockAnswer, UnlockQuestion } from './unlock-thread.ts';

const THREAD = new URL('./unlock-thread.ts', import.meta.url);
const WITHIN_MS = 60_000;
const MEMORY_BYTES = 256 * 1024 * 1024;
/** The bytes, what is made of them, and the copy that is written. */
const COPIES = 4;

export type Unlocked =
  | { readonly copy: Uint8Array }
  /** `password`: it is a wrong one. `damaged`, `tooLong`: it may be right, and no copy can be made without it. */
  | { readonly cannot: 'password' | 'damaged' | 'tooLong' };

/** `bytes` are gone from this side afterwards. */
export async function unlockPdf(bytes: Uint8Array, password: string): Promise<Unlocked> {
  await using thread = new Thread<UnlockQuestion, UnlockAnswer>(THREAD, {
    memoryBytes: MEMORY_BYTES + COPIES * bytes.length,
    isAwaited: true,
  });
  try {
    const open = movable(bytes);
    const answer = await thread.ask({ bytes: open, password }, { withinMs: WITHIN_MS, transfer: [open.buffer] });
    return 'copy' in answer ? answer : { cannot: answer.unreadable };
  } catch (error) {
    if (error instanceof ThreadLimit) return { cannot: 'tooLong' };
    throw error;
  }
}
