// Where the time of an upload goes, step by step, in the application and in its floor.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from './children.ts';
import type { Engine } from './engines.ts';
import { Broken, runLoad } from './load.ts';
import { ms, percent, say, sayTable } from './report.ts';
import { scenarioLoad } from './scenarios.ts';
import type { Settings } from './settings.ts';
import { startServers, type TestBed } from './test-bed.ts';

const UPLOAD_STEPS = [
  'parse',
  'look for room',
  'create the file',
  'hash',
  'write',
  'fsync of the file',
  'make folders',
  'rename',
  'fsync of folders',
  'statements',
  'commit',
] as const;
export type UploadStep = (typeof UPLOAD_STEPS)[number];

/** Milliseconds of all uploads together. */
export interface UploadTimes {
  uploads: number;
  totalMs: number;
  steps: Partial<Record<UploadStep, number>>;
}

/** Loads servers of their own, which measure themselves. */
export async function measureUploadSteps(engine: Engine, bed: TestBed, settings: Settings): Promise<void> {
  const { durationMs, warmUpMs } = settings.uploadSteps;
  const folder = join(bed.firm.dataDir, 'upload-steps');
  mkdirSync(folder, { recursive: true });
  const servers = await startServers(engine, bed.firm, [...settings.nodeFlags, '--import', './bench/upload-probe.ts'], {
    BENCH_STEPS_FOLDER: folder,
    BENCH_STEPS_WARM_UP_MS: String(warmUpMs),
  });
  const load = scenarioLoad('upload', bed.firm, bed.tokens);
  try {
    for (const server of [servers.application, servers.floor]) await runLoad(server, load, warmUpMs + durationMs);
  } finally {
    await servers.stop();
  }
  const read = ({ pid }: Server) => JSON.parse(readFileSync(join(folder, `${pid}.json`), 'utf8')) as UploadTimes;
  const all = [read(servers.application), read(servers.floor)];
  if (all.some(({ uploads }) => uploads === 0)) throw new Broken('No upload was measured step by step');
  const row = (title: string, of: (times: UploadTimes) => number) => [
    title,
    ...all.flatMap((times) => [ms(of(times) / times.uploads), percent(of(times) / times.totalMs)]),
  ];
  sayTable(
    `Where the time of an upload of 100 KB goes on ${engine.title}, 4 at once (mean ms of one upload)`,
    ['', 'application', '', 'floor', ''],
    [
      ...UPLOAD_STEPS.map((step) => row(step, ({ steps }) => steps[step] ?? 0)),
      row('all, with what is in none of these', ({ totalMs }) => totalMs),
    ],
  );
  say(
    'Each step counts until it is answered, also while it waits for its turn; hashing and writing overlap and count in both; parsing counts the processor.',
  );
}
