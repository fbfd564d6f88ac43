// Somebody who listens to the stream of changes, and what was heard.
import { ChangeMessage } from '#contract/changes.ts';
import { eventually } from './eventually.ts';
import type { Caller } from './test-app.ts';

/** Waits until something is so. */
export const until = (isSo: () => boolean) =>
  eventually(() => {
    if (!isSo()) throw new Error(`It does not come about: ${isSo}`);
  });

export interface Heard {
  readonly event: string;
  readonly id: string;
  /** Of a change; null for other messages. */
  readonly change: ChangeMessage | null;
}

export function readMessages(text: string): Heard[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .filter((block) => !block.startsWith(':'))
    .map((block) => {
      const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
      const event = fields.get('event') ?? '';
      const data = fields.get('data') ?? '';
      // Strict: what the contract does not name must not be there.
      const change = event === 'change' ? ChangeMessage.strict().parse(JSON.parse(data)) : null;
      if (event !== 'change' && data !== '') throw new Error(`${event} says ${data}`);
      return { event, id: fields.get('id') ?? '', change };
    });
}

export class Listener {
  text = '';
  over = false;
  readonly response: Response;
  readonly #stopper: AbortController;

  private constructor(response: Response, stopper: AbortController) {
    this.response = response;
    this.#stopper = stopper;
    void this.#read();
  }

  /** Resolves once the stream has begun, or was refused. */
  static async open(caller: Caller, lastEventId?: string): Promise<Listener> {
    const stopper = new AbortController();
    const headers = {
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    const response = await caller.fetch('/api/events', { headers, signal: stopper.signal });
    const listener = new Listener(response, stopper);
    if (response.status === 200) await until(() => listener.messages.length > 0);
    return listener;
  }

  async #read(): Promise<void> {
    try {
      const decoder = new TextDecoder();
      for await (const chunk of this.response.body ?? [])
        this.text += decoder.decode(chunk as Uint8Array, { stream: true });
    } catch {
      // It was stopped, or the server went.
    }
    this.over = true;
  }

  get messages(): Heard[] {
    return readMessages(this.text);
  }

  /** What was heard of changes, together. */
  get changes(): ChangeMessage[] {
    return this.messages.flatMap(({ change }) => (change === null ? [] : [change]));
  }

  get newFileIds(): number[] {
    return this.changes.flatMap(({ files }) => files.flatMap(({ id, kind }) => (kind === 'added' ? [id] : [])));
  }

  stop(): void {
    this.#stopper.abort();
  }
}
