// The log of one request, created when there is something to log: most requests have nothing.
import type { FastifyBaseLogger } from 'fastify';

type Telling = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export class RequestLog implements FastifyBaseLogger {
  readonly #make: () => FastifyBaseLogger;
  #made: FastifyBaseLogger | undefined;

  constructor(make: () => FastifyBaseLogger) {
    this.#make = make;
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#make();
    return this.#made;
  }

  #tell(level: Telling, told: readonly unknown[]): void {
    const log = this.#log;
    Reflect.apply(log[level], log, told);
  }

  get level(): string {
    return this.#log.level;
  }

  // Methods and no getters: Fastify reads each of them when the request begins.
  trace(...told: unknown[]): void {
    this.#tell('trace', told);
  }
  debug(...told: unknown[]): void {
    this.#tell('debug', told);
  }
  info(...told: unknown[]): void {
    this.#tell('info', told);
  }
  warn(...told: unknown[]): void {
    this.#tell('warn', told);
  }
  error(...told: unknown[]): void {
    this.#tell('error', told);
  }
  fatal(...told: unknown[]): void {
    this.#tell('fatal', told);
  }
  silent(...told: unknown[]): void {
    this.#tell('silent', told);
  }
  child(...bound: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...bound);
  }
}
