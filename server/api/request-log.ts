// The log of one request, created when there is something to log: most requests have nothing.
import type { FastifyBaseLogger } from 'fastify';

type LogMethod = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

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

  #write(level: LogMethod, line: readonly unknown[]): void {
    const log = this.#log;
    Reflect.apply(log[level], log, line);
  }

  get level(): string {
    return this.#log.level;
  }

  // Methods and no getters: Fastify reads each of them when the request begins.
  trace(...line: unknown[]): void {
    this.#write('trace', line);
  }
  debug(...line: unknown[]): void {
    this.#write('debug', line);
  }
  info(...line: unknown[]): void {
    this.#write('info', line);
  }
  warn(...line: unknown[]): void {
    this.#write('warn', line);
  }
  error(...line: unknown[]): void {
    this.#write('error', line);
  }
  fatal(...line: unknown[]): void {
    this.#write('fatal', line);
  }
  silent(...line: unknown[]): void {
    this.#write('silent', line);
  }
  child(...bound: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...bound);
  }
}
