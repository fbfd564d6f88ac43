// How long a first start takes.
import { join } from 'node:path';
import { startApplication } from './children.ts';
import type { Engine } from './engines.ts';
import { Broken, median } from './load.ts';
import { mark, ms, sayTable } from './report.ts';
import type { Settings } from './settings.ts';

const COLD_START_MAX_MS = 1_500;

/** From starting the process to its first answer, each time with an empty data folder below `folder`. */
export async function measureColdStart(engine: Engine, folder: string, { coldStarts }: Settings): Promise<void> {
  const took: number[] = [];
  for (let attempt = 0; attempt < coldStarts; attempt += 1) {
    const dataDir = join(folder, `cold-${attempt}`);
    const databaseUrl = await engine.createDatabase(dataDir);
    const startedAt = performance.now();
    const server = await startApplication(dataDir, [], { DATABASE_URL: databaseUrl });
    const answer = await fetch(new URL('/healthz', server.origin));
    took.push(performance.now() - startedAt);
    await server.stop();
    if (answer.status !== 200) throw new Broken(`/healthz answered ${answer.status}`);
  }
  const middle = median(took);
  sayTable(
    `Cold start on ${engine.title}: nothing there yet, from starting the process to the first answer of /healthz, ${coldStarts} times`,
    ['', 'median ms', 'from - to', 'target', ''],
    [
      [
        'node server/main.ts',
        ms(middle),
        `${ms(Math.min(...took))} - ${ms(Math.max(...took))}`,
        `< ${COLD_START_MAX_MS.toLocaleString('en-US')}`,
        mark(middle < COLD_START_MAX_MS),
      ],
    ],
  );
}
