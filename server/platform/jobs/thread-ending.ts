// When a thread may be ended: wherever it is, but never while it makes what the engine cannot clean up half made. A number that both sides see says so.
import { Worker, type WorkerOptions } from 'node:worker_threads';

const FREE = 0;
const BUSY = 1;
/** Busy, and to be ended as soon as it is not. */
const AWAITED = 2;
/** To be ended now: it makes nothing any more. */
const OVER = 3;

/** What a thread is busy with takes microseconds. One that got no processor for so long is ended all the same. */
const AWAITED_MS = 1_000;

/** One of the four above, in memory that both sides share. */
export type EndingState = Int32Array<SharedArrayBuffer>;

/** In the thread: runs what must not be cut short. It must be short itself, since meanwhile nobody can end the thread. */
export function uninterrupted<Made>(state: EndingState, make: () => Made): Made {
  const before = Atomics.compareExchange(state, 0, FREE, BUSY);
  if (before === OVER) waitForTheEnd(state);
  // Within what is uninterrupted already.
  if (before !== FREE) return make();
  try {
    return make();
  } finally {
    if (Atomics.compareExchange(state, 0, BUSY, FREE) === AWAITED) {
      Atomics.store(state, 0, OVER);
      Atomics.notify(state, 0);
      waitForTheEnd(state);
    }
  }
}

function waitForTheEnd(state: EndingState): void {
  Atomics.wait(state, 0, OVER);
}

/** A thread that `terminate` ends at a moment when nothing is half made. It finds the state in its `workerData` as `ending`. */
export class EndableWorker extends Worker {
  readonly #state: EndingState;

  constructor(url: URL, { workerData, ...options }: WorkerOptions & { readonly workerData: object }) {
    const state: EndingState = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    super(url, { ...options, workerData: { ...workerData, ending: state } });
    this.#state = state;
  }

  override async terminate(): Promise<number> {
    const state = this.#state;
    const hasBecomeFree = () => Atomics.compareExchange(state, 0, BUSY, AWAITED) === FREE;
    while (Atomics.compareExchange(state, 0, FREE, OVER) === BUSY && hasBecomeFree());
    await Atomics.waitAsync(state, 0, AWAITED, AWAITED_MS).value;
    return super.terminate();
  }
}
