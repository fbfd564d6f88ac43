// Long files: how fast they are uploaded compared with the floor, and that memory stays flat meanwhile.
import { fetchLong, formAround, sendLong } from './bodies.ts';
import { residentBytes, type Server, watchMemory } from './children.ts';
import { Broken, percentile } from './load.ts';
import { countTitle, mark, megabytes, ms, percent, rate, sayTable } from './report.ts';
import type { Settings } from './settings.ts';
import type { TestBed } from './test-bed.ts';

const LONG_UPLOAD_TARGET = 0.5;
const RESIDENT_MAX_BYTES = 200 * 1000 * 1000;

/** Files of 100 MB go up, one at a time, to the application and to its floor in turns. */
export async function measureLongUploads(
  { firm, application, floor, tokens }: TestBed,
  { longUploads, longUploadBytes }: Settings,
): Promise<void> {
  const [pair] = firm.pairs;
  const form = formAround({ fileType: 'report', ...pair });
  const common = { token: tokens.cpa, sizeBytes: longUploadBytes, form };
  const send = async ({ origin }: Server) => (await sendLong({ ...common, origin, digest: false })).tookMs;
  const took = { application: [] as number[], floor: [] as number[] };
  await send(application);
  await send(floor);
  for (let round = 0; round < longUploads; round += 1) {
    took.application.push(await send(application));
    took.floor.push(await send(floor));
  }
  const checked = await sendLong({ ...common, origin: application.origin, digest: true });
  if (checked.row.sha256 !== checked.sha256) throw new Broken('An upload of 100 MB was stored with another digest');
  const figures = Object.values(took).map((times) => {
    const sorted = times.toSorted((a, b) => a - b);
    const p50 = percentile(sorted, 0.5);
    return {
      p50,
      cells: [rate(1000 / p50), `${ms(p50)} / ${ms(percentile(sorted, 0.99))}`, rate(longUploadBytes / 1000 / p50)],
    };
  });
  const [ours, theirs] = figures;
  if (ours === undefined || theirs === undefined) return;
  const ratio = theirs.p50 / ours.p50;
  sayTable(
    `Upload of 100 MB, one at a time, ${longUploads} times in turns (p50; both hash and flush to disk)`,
    ['', 'req/s', 'p50 / p99 ms', 'MB/s', 'of floor', 'target', ''],
    [
      [
        'application',
        ...ours.cells,
        percent(ratio),
        `>= ${percent(LONG_UPLOAD_TARGET)}`,
        mark(ratio >= LONG_UPLOAD_TARGET),
      ],
      ['floor', ...theirs.cells, '', '', ''],
    ],
  );
}

/** The application's memory after all that, and while a giant file is uploaded. */
export async function measureMemory({ firm, application, tokens }: TestBed, { giantBytes }: Settings): Promise<void> {
  const after = residentBytes(application.pid);
  const [pair] = firm.pairs;
  const { origin } = application;
  const up = watchMemory(application.pid);
  const sent = await sendLong({
    origin,
    token: tokens.cpa,
    sizeBytes: giantBytes,
    form: formAround({ fileType: 'report', ...pair }),
    digest: true,
  });
  const upPeak = up.stop();
  const down = watchMemory(application.pid);
  const fetched = await fetchLong(origin, tokens.cpa, sent.row.id);
  const downPeak = down.stop();
  if (sent.sha256 !== sent.row.sha256 || fetched.sha256 !== sent.sha256 || fetched.sizeBytes !== giantBytes) {
    throw new Broken(`${megabytes(giantBytes)} went up and came down as other bytes`);
  }
  const speed = (tookMs: number) => `${rate(giantBytes / 1000 / tookMs)} MB/s`;
  const row = (title: string, bytes: number | null, note: string) => [
    title,
    megabytes(bytes),
    note,
    '< 200 MB',
    bytes === null ? '' : mark(bytes < RESIDENT_MAX_BYTES),
  ];
  sayTable(
    `Resident memory of the application over ${countTitle(firm.fileCount)} files`,
    ['', 'resident', '', 'target', ''],
    [
      row('after the run above', after, ''),
      row(`highest while ${megabytes(giantBytes)} went up`, upPeak, speed(sent.tookMs)),
      row(`highest while ${megabytes(giantBytes)} came down`, downPeak, speed(fetched.tookMs)),
    ],
  );
}
