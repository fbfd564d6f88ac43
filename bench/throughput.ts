// Each scenario on the application and on its floor, at both sizes: requests a second, latencies, processor time.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Broken, loadInTurns, type Measured, median } from './load.ts';
import { countTitle, mark, ms, percent, rate, say, sayTable } from './report.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import type { Settings } from './settings.ts';
import type { TestBed } from './test-bed.ts';

/** Above this part of one processor the client, not the server, may set the pace. */
const CLIENT_BUSY = 0.95;

/** Requests each address once from both servers: the same JSON and the same total, or the comparison would mean nothing. */
export async function assertSameAnswers(bed: TestBed, scenario: Scenario): Promise<void> {
  for (const { path, headers } of scenario.load(bed.firm, bed.tokens).requests) {
    const [ours, theirs] = await Promise.all(
      [bed.application, bed.floor].map(async ({ origin }) => {
        const answer = await fetch(new URL(path, origin), headers ? { headers: { ...headers } } : {});
        return { status: answer.status, total: answer.headers.get('x-total-count'), body: await answer.json() };
      }),
    );
    if (!isDeepStrictEqual(ours, theirs)) {
      throw new Broken(`${path}: application and floor differ\n${JSON.stringify(ours)}\n${JSON.stringify(theirs)}`);
    }
  }
}

/** Every file to be downloaded comes completely from both servers. */
export async function assertRightBytes({ firm, application, floor, tokens }: TestBed): Promise<void> {
  for (const { origin } of [application, floor]) {
    for (const { id, sha256 } of firm.downloads) {
      const answer = await fetch(new URL(`/api/files/${id}/download`, origin), {
        headers: { authorization: `Bearer ${tokens.cpa}` },
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 200 || createHash('sha256').update(bytes).digest('hex') !== sha256) {
        throw new Broken(`File ${id} came with wrong bytes from ${origin} (${answer.status})`);
      }
    }
  }
}

function scenarioRow(scenario: Scenario, bed: TestBed, size: string, ours: Measured, theirs: Measured): string[] {
  const target = (bed.firm.plain ? scenario.plainTarget : undefined) ?? scenario.target;
  const ratio = median(ours.rates.map((perSecond, round) => perSecond / (theirs.rates[round] ?? Number.NaN)));
  const spent =
    ours.serverMsEach === null || theirs.serverMsEach === null ? null : theirs.serverMsEach / ours.serverMsEach;
  return [
    scenario.title,
    size,
    rate(ours.perSecond),
    `${ms(ours.p50Ms)} / ${ms(ours.p99Ms)}`,
    rate(theirs.perSecond) + (theirs.clientBusy > CLIENT_BUSY ? '*' : ''),
    `${ms(theirs.p50Ms)} / ${ms(theirs.p99Ms)}`,
    percent(ratio),
    spent === null ? '' : percent(spent),
    target === null ? '' : `>= ${percent(target)}`,
    target === null ? '' : mark(ratio >= target),
  ];
}

const CAPTION = `The floor is bare Fastify 5 with hand-written SQL in prepared statements, with node:sqlite or over a pool of ten pg connections,
in a process of its own on the same database with the same durability. It knows its viewer: every route looks the token up by its
SHA-256 in the sessions, with age and idle limits, and has the viewer's reach in its SQL. Its lists and reads answer the same JSON
and X-Total-Count, byte counts and values compared before measuring, through compiled serializers. It does not validate input,
compute rights beyond reach, set security headers, take cookies or tickets, log, or shed load. Its sign-in verifies the same Argon2id
hash and stores a session. Its download finds the file in reach and pipes createReadStream to the socket: no digest is checked, no
access is recorded. Its upload does equal work: @fastify/multipart, SHA-256 while the bytes are written, fsync of the file, rename,
fsync of the folder (one for all files), then the row, the log entry and their counters in one durable transaction.
"of floor" compares requests a second, round by round; "by cpu" compares processor time per request of the two servers with their
engine, which other work on the machine disturbs less. * marks a floor whose client was busy above ${percent(CLIENT_BUSY)} of a processor, so
that the floor itself may be faster than it seems.`;

export async function measureThroughput(
  { small, large }: Readonly<Record<'small' | 'large', TestBed>>,
  chosen: (name: string) => boolean,
  { sizes, rounds }: Settings,
): Promise<void> {
  const rows: string[][] = [];
  for (const scenario of scenarios.filter(({ name }) => chosen(name))) {
    for (const bed of [small, large]) {
      if (scenario.sameAnswer) await assertSameAnswers(bed, scenario);
      if (scenario.name === 'download') await assertRightBytes(bed);
    }
    const target = (bed: TestBed, of: 'application' | 'floor') => ({
      server: bed[of],
      load: scenario.load(bed.firm, bed.tokens),
    });
    const { smallApplication, smallFloor, largeApplication, largeFloor } = await loadInTurns(
      {
        smallApplication: target(small, 'application'),
        smallFloor: target(small, 'floor'),
        largeApplication: target(large, 'application'),
        largeFloor: target(large, 'floor'),
      },
      rounds,
    );
    rows.push(scenarioRow(scenario, small, countTitle(sizes.small), smallApplication, smallFloor));
    rows.push(scenarioRow(scenario, large, countTitle(sizes.large), largeApplication, largeFloor));
    say(`  measured: ${scenario.title}`);
  }
  if (rows.length === 0) return;
  sayTable(
    'Application and floor',
    ['', 'files', 'req/s', 'p50 / p99 ms', 'floor req/s', 'p50 / p99 ms', 'of floor', 'by cpu', 'target', ''],
    rows,
  );
  say(CAPTION);
}
