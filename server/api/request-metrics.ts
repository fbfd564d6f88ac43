// How many requests there were, and how long they took: by the template of their address, never by what stands in it.
import type { FastifyRequest } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import { api, type Endpoint } from '#contract/api.ts';
import type { Outcome } from './request-lines.ts';

/** Seconds. What lasts as long as its reader is slow, such as a download, is in the last ones. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Routes outside the contract that are told apart. Everything else is the web: pages, files, and addresses that are not there. */
const NAMED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** As many as the contract has routes: nobody who calls makes another one. */
function labelsOf({ routeOptions: { config, url = '' } }: FastifyRequest) {
  if (config.endpoint === undefined) return { method: 'GET', route: NAMED.has(url) ? url : 'web' };
  const { method, path }: Endpoint = api[config.endpoint];
  return { method, route: path };
}

const classOf = (outcome: Outcome) => (outcome === 'left' ? outcome : `${Math.trunc(outcome / 100)}xx`);

export class RequestMetrics {
  readonly #requests: Counter;
  readonly #durations: Histogram;

  constructor(registry: Registry) {
    const labelNames = ['method', 'route'];
    const registers = [registry];
    this.#requests = new Counter({
      name: 'coffer_http_requests_total',
      help: 'Requests that have ended, by route and class of status; "left" where the sender hung up first.',
      labelNames: [...labelNames, 'status'],
      registers,
    });
    this.#durations = new Histogram({
      name: 'coffer_http_request_duration_seconds',
      help: 'From the first byte of a request to the last of its answer, by route.',
      labelNames,
      buckets: BUCKETS,
      registers,
    });
  }

  note(request: FastifyRequest, outcome: Outcome, tookMs: number): void {
    const labels = labelsOf(request);
    this.#durations.observe(labels, tookMs / 1_000);
    this.#requests.inc({ ...labels, status: classOf(outcome) });
  }
}
