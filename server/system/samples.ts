// Values that are read when a monitor asks, and written as Prometheus reads them.
import { Counter, Gauge, Registry } from 'prom-client';

export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

export const one = (value: number): Sample[] => [[{}, value]];
/** Nothing where it is not known: a zero would be a lie. */
export const oneIfAny = (value: number | null): Sample[] => (value === null ? [] : one(value));

export class Samples {
  readonly registry = new Registry();

  /** `read` is called whenever somebody asks, and answers what there is. */
  gauge(name: string, help: string, labelNames: readonly string[], read: () => Iterable<Sample>): void {
    new Gauge({
      name: `coffer_${name}`,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        this.reset();
        // Without labels it would be 0 now.
        if (labelNames.length === 0) this.remove();
        for (const [labels, value] of read()) this.set(labels, value);
      },
    });
  }

  /** The same for what only grows while the process runs. */
  counter(name: string, help: string, labelNames: readonly string[], read: () => Iterable<Sample>): void {
    new Counter({
      name: `coffer_${name}_total`,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  }
}
