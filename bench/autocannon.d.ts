// Types for what the benchmark uses of autocannon, which has none of its own.
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  /** One connection, as `setupClient` gets it. */
  export interface Connection {
    /** The answers awaited on this connection; each received piece of a body goes through `addBody`. */
    pipelinedRequests: { addBody(piece: Buffer): void };
    /** Sends these from now on, one after the other, starting over after the last. */
    setRequests(requests: readonly LoadRequest[]): void;
  }

  export interface LoadRequest {
    readonly method?: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Buffer;
  }

  export interface LoadOptions {
    readonly url: string;
    readonly connections: number;
    readonly duration: number;
    /** In milliseconds; the end of a run is noticed at a sample. */
    readonly sampleInt: number;
    /** In seconds. */
    readonly timeout: number;
    readonly requests: readonly LoadRequest[];
    /** Requests a second of all connections together; as many as come where it is left out. */
    readonly overallRate?: number;
    readonly setupClient: (connection: Connection) => void;
  }

  /** Emits `response` (connection, status, bytes received, milliseconds) and `reqError`; resolves when the run is over. */
  // biome-ignore lint/style/noDefaultExport: it is CommonJS, and its one export is what a default import gets
  export default function autocannon(options: LoadOptions): EventEmitter & PromiseLike<unknown>;
}
