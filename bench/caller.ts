// Somebody signed in who calls the API, and short ways to drop batches and to wait for what comes of them.
import { setTimeout } from 'node:timers/promises';
import type { BatchFileAdded, BatchRow } from '#contract/batches.ts';
import type { Server } from './children.ts';
import { Broken } from './load.ts';
import { ms } from './report.ts';

const ASK_EVERY_MS = 200;
const GIVE_UP_MS = 180_000;

export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export class Caller {
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ origin }: Pick<Server, 'origin'>, token: string) {
    this.#origin = origin;
    this.#headers = { authorization: `Bearer ${token}` };
  }

  get headers() {
    return this.#headers;
  }

  /** Throws Broken where the answer is no success. */
  async send(method: string, path: string, body?: unknown): Promise<Response> {
    const isForm = body instanceof FormData;
    const send = () =>
      fetch(new URL(path, this.#origin), {
        method,
        headers:
          isForm || body === undefined ? this.#headers : { ...this.#headers, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
    // Once more, as browsers do: the server may close a connection that was free for seconds just when it is used.
    const answer = await send().catch(() =>
      send().catch((error: Error) => {
        throw new Broken(`${method} ${path}: ${error.message}, ${error.cause}`);
      }),
    );
    if (!answer.ok) throw new Broken(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  async ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    return (await (await this.send(method, path, body)).json()) as Body;
  }

  async upload<Body>(
    path: string,
    { name, bytes }: NamedBytes,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<Body> {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    form.append('file', new Blob([bytes]), name);
    return await this.ask<Body>('POST', path, form);
  }
}

/** How long it takes until `isOver`, asked again and again, in ms. */
export async function timeUntil(isOver: () => Promise<boolean>, giveUpMs = GIVE_UP_MS): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const isDone = await isOver();
    const tookMs = performance.now() - startedAt;
    if (isDone) return tookMs;
    if (tookMs > giveUpMs) throw new Broken(`Not done after ${ms(tookMs)} ms`);
    await setTimeout(ASK_EVERY_MS);
  }
}

/** Asks for the batch until `isOver`; answers how long that took, in ms. */
export function timeBatch(
  by: Caller,
  id: number,
  isOver: (batch: BatchRow) => boolean,
  giveUpMs?: number,
): Promise<number> {
  return timeUntil(async () => {
    const { batch } = await by.ask<{ batch: BatchRow }>('GET', `/api/batches/${id}`);
    if (batch.fault !== null) throw new Broken(batch.fault);
    return isOver(batch);
  }, giveUpMs);
}

/** A new batch with these files, not read yet; answers its id. */
export async function addBatch(by: Caller, files: readonly NamedBytes[]): Promise<number> {
  const { id } = await by.ask<BatchRow>('POST', '/api/batches', { name: files[0]?.name ?? '' });
  for (const file of files) await by.upload<BatchFileAdded>(`/api/batches/${id}/files`, file);
  return id;
}
