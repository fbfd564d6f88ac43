// What a monitor is told of the process: memory, processors, what is open, and how late the event loop is.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { DatabaseKind } from '../platform/db/database.ts';
import { one, type Sample, type Samples } from './samples.ts';
import { version } from './system-facts.ts';

const LOOP_LOOK_MS = 20;

interface LoopDelays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export class ProcessMetrics {
  readonly #loop = monitorEventLoopDelay({ resolution: LOOP_LOOK_MS });
  #delays: LoopDelays | null = null;

  constructor(samples: Samples, engine: DatabaseKind) {
    this.#loop.enable();
    this.#tell(samples, engine);
  }

  end(): void {
    this.#loop.disable();
  }

  /** What is told from now on is the time since the last call. */
  readLoop(): void {
    // What it measures are the looks themselves, each of which comes a look late.
    const late = (ns: number) => Math.max(0, ns / 1e9 - LOOP_LOOK_MS / 1_000);
    const { count, max } = this.#loop;
    this.#delays =
      count === 0
        ? null
        : { p50: late(this.#loop.percentile(50)), p99: late(this.#loop.percentile(99)), max: late(max) };
    this.#loop.reset();
  }

  #tell(samples: Samples, engine: DatabaseKind): void {
    const startedAt = Date.now() / 1_000 - process.uptime();
    const build = { version, node: process.version, engine };
    samples.gauge('build_info', 'Always 1: what runs.', Object.keys(build), () => [[build, 1]]);
    samples.gauge('process_start_time_seconds', 'When the process began, since 1970.', [], () => one(startedAt));
    samples.gauge('process_memory_bytes', 'Memory by kind: rss is all that the process has.', ['kind'], () => {
      const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
      const kinds = { rss, heap_used: heapUsed, heap_total: heapTotal, external, array_buffers: arrayBuffers };
      return Object.entries(kinds).map(([kind, bytes]): Sample => [{ kind }, bytes]);
    });
    samples.counter('process_cpu_seconds', 'Time of processors, by mode.', ['mode'], () => {
      const { user, system } = process.cpuUsage();
      return [
        [{ mode: 'user' }, user / 1e6],
        [{ mode: 'system' }, system / 1e6],
      ];
    });
    samples.gauge(
      'process_open_handles',
      'Sockets, timers, threads and requests that are open, by type.',
      ['type'],
      () => {
        const counts = new Map<string, number>();
        for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
        return [...counts].map(([type, n]): Sample => [{ type }, n]);
      },
    );
    const help = 'How late the event loop was between the last two readings, 15 seconds or more apart.';
    samples.gauge('event_loop_delay_seconds', help, ['quantile'], () =>
      this.#delays === null
        ? []
        : [
            [{ quantile: '0.5' }, this.#delays.p50],
            [{ quantile: '0.99' }, this.#delays.p99],
            [{ quantile: '1' }, this.#delays.max],
          ],
    );
  }
}
