// What the log says of requests: one line of each, except that strangers who are refused again are counted by network.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '#contract/errors.ts';
import { networkOf } from '../platform/admission/network.ts';
import { type Clock, MINUTE_MS } from '../platform/clock.ts';
import { isRead } from '../platform/http/reads.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `answerError`. */
    refusedAs?: ErrorCode;
  }
}

/** So many networks are kept apart. */
const NETWORKS_MAX = 1_000;
const FURTHER_NETWORKS = 'further networks';
/** The log levels at which successful reads are logged. */
const LEVELS_WITH_READS: ReadonlySet<string> = new Set(['trace', 'debug']);

/** The status of the answer, or that its sender left before it was sent. */
export type Outcome = number | 'left';

interface CountLine {
  readonly network: string;
  readonly count: number;
  readonly byStatus: Readonly<Record<string, number>>;
}

/** What has not been written of a network in the minute that is on. */
interface Counts {
  readonly byStatus: Record<string, number>;
  readonly stop: () => void;
}

/** Lets one line of a network pass in a minute and counts the others: a flood of refusals would fill the disk with lines. */
class CountedLines {
  readonly #networks = new Map<string, Counts>();
  readonly #clock: Clock;
  readonly #write: (line: CountLine) => void;
  #closed = false;

  constructor(clock: Clock, write: (line: CountLine) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  /** Whether the line is to be written now. */
  passes(address: string | undefined, outcome: Outcome): boolean {
    if (this.#closed) return true;
    const network = this.#nameOf(address);
    const counts = this.#networks.get(network);
    if (counts === undefined) {
      this.#begin(network);
      return true;
    }
    counts.byStatus[outcome] = (counts.byStatus[outcome] ?? 0) + 1;
    return false;
  }

  /** Writes what was counted; from now on every line passes. */
  close(): void {
    this.#closed = true;
    for (const [network, { stop }] of this.#networks) {
      stop();
      this.#end(network);
    }
  }

  #nameOf(address: string | undefined): string {
    const network = address === undefined ? 'unknown' : networkOf(address);
    return this.#networks.has(network) || this.#networks.size < NETWORKS_MAX ? network : FURTHER_NETWORKS;
  }

  #begin(network: string): void {
    const stop = this.#clock.after(MINUTE_MS, () => {
      // What is written now is the line of the minute that begins.
      if (this.#end(network)) this.#begin(network);
    });
    this.#networks.set(network, { byStatus: {}, stop });
  }

  /** Whether there was anything to write. */
  #end(network: string): boolean {
    const byStatus = this.#networks.get(network)?.byStatus ?? {};
    this.#networks.delete(network);
    const count = Object.values(byStatus).reduce((sum, some) => sum + some, 0);
    if (count > 0) this.#write({ network, count, byStatus });
    return count > 0;
  }
}

/** Of what was still to be written to a connection that we closed ourselves. */
const CUT_BY_US = 'ECANCELED';

/** Whether the answer was not sent because the other side closed the connection, and not because we did. */
function hasLeft({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): boolean {
  if (raw.writableFinished) return false;
  const fault: (Error & { readonly code?: string }) | null = socket.errored;
  return socket.readableEnded || (fault instanceof Error && fault.code !== CUT_BY_US);
}

/** Whether a stranger was turned away, or left: what anybody can have happen as often as they like. */
const isOfStranger = ({ viewer, refusedAs }: FastifyRequest, outcome: Outcome) =>
  viewer === null && (outcome === 'left' || (outcome >= 400 && outcome < 500) || refusedAs === 'busy');

function levelOf(request: FastifyRequest, outcome: Outcome): 'error' | 'info' | 'debug' {
  if (outcome === 'left') return isRead(request) && request.viewer !== null ? 'debug' : 'info';
  if (outcome >= 500) return 'error';
  return isRead(request) && outcome < 400 ? 'debug' : 'info';
}

/** To be called before anything that may refuse a request. `note` is told of every request that has ended, written or not. */
export function writeRequestLines(
  app: FastifyInstance,
  clock: Clock,
  note: (request: FastifyRequest, outcome: Outcome, tookMs: number) => void = () => {},
): void {
  const ofStrangers = new CountedLines(clock, (line) => app.log.info(line, 'refused again'));
  function tell(request: FastifyRequest, reply: FastifyReply, outcome: Outcome): void {
    note(request, outcome, reply.elapsedTime);
    const level = levelOf(request, outcome);
    // Building the line costs more than a small answer may, and most requests are reads.
    if (level === 'debug' && !LEVELS_WITH_READS.has(app.log.level)) return;
    if (isOfStranger(request, outcome) && !ofStrangers.passes(request.ip, outcome)) return;
    request.log[level](
      {
        method: request.method,
        // Without the query, which may hold a ticket.
        path: request.url.split('?', 1)[0],
        ...(outcome === 'left' ? { left: true } : { status: outcome }),
        ms: Math.round(reply.elapsedTime),
        userId: request.viewer?.id,
        address: request.ip,
      },
      'request',
    );
  }

  app.addHook('onRequest', (request, reply, done) => {
    // The socket keeps its address once it was asked for it; after it is closed it could not find it out.
    void request.ip;
    reply.raw.once('close', () => {
      if (hasLeft(request, reply)) tell(request, reply, 'left');
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    done();
    tell(request, reply, reply.statusCode);
  });
  app.addHook('onClose', async () => ofStrangers.close());
}
