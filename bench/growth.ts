// Every list of the screens at both sizes, over one connection: none must become slow as files grow.
import { setTimeout } from 'node:timers/promises';
import { type Act, type Actors, acts } from './acts.ts';
import { Caller } from './caller.ts';
import { askInTurn, Broken, median } from './load.ts';
import { countTitle, mark, ms, say, sayTable } from './report.ts';
import { type GrowthList, growthLists, narrowedLists, openedLists } from './scenarios.ts';
import type { Settings } from './settings.ts';
import type { TestBed } from './test-bed.ts';

/** However a list grows, it is faster than this at the larger size. */
const P50_MAX_MS = 25;
const SLOW_MS = 500;
const SETTLE_MS = 2_500;

function growthRow(title: string, smallP50Ms: number, largeP50Ms: number, p50MaxMs = P50_MAX_MS): string[] {
  const ratio = largeP50Ms / smallP50Ms;
  const reached = largeP50Ms < p50MaxMs;
  return [title, ms(smallP50Ms), ms(largeP50Ms), `${ratio.toFixed(2)} x`, mark(reached)];
}

function sayGrowth(title: string, sizes: Settings['sizes'], rows: readonly string[][]): void {
  const missed = rows.filter((row) => row.at(-1) === mark(false)).length;
  sayTable(title, ['', `p50 ms at ${countTitle(sizes.small)}`, `at ${countTitle(sizes.large)}`, 'growth', ''], rows);
  say(`${rows.length - missed} of ${rows.length} reached.`);
}

async function askBothSizes(
  beds: readonly TestBed[],
  { as, path, mayBeRefused }: GrowthList,
  { lists }: Settings,
): Promise<number[]> {
  const latencies: number[][] = beds.map(() => []);
  for (let round = 0; round <= lists.rounds; round += 1) {
    for (const [at, { application, tokens }] of beds.entries()) {
      const took = await askInTurn(application, path, tokens[as], lists, mayBeRefused ? [200, 400] : [200]);
      // The first round warms up.
      if (round > 0) latencies[at]?.push(...took);
      // A list that blocks the server for this long makes it refuse the next requests; that is not measured here.
      if (Math.max(...took) > SLOW_MS) await setTimeout(SETTLE_MS);
    }
  }
  return latencies.map(median);
}

type Beds = Readonly<Record<'small' | 'large', TestBed>>;

/** Throws Broken at the end where a list was not answered. */
async function measureLists(
  { small, large }: Beds,
  settings: Settings,
  tables: Readonly<Record<string, readonly GrowthList[]>>,
): Promise<void> {
  const faults: string[] = [];
  for (const [title, lists] of Object.entries(tables)) {
    const rows: string[][] = [];
    for (const list of lists) {
      try {
        const [smallMs = Number.NaN, largeMs = Number.NaN] = await askBothSizes([small, large], list, settings);
        rows.push(growthRow(`${list.title} (${list.as})`, smallMs, largeMs));
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        faults.push(error.message);
        rows.push([`${list.title} (${list.as})`, '', '', 'BROKEN', mark(false)]);
        await setTimeout(SETTLE_MS);
      }
    }
    sayGrowth(`${title}: target p50 < ${P50_MAX_MS} ms at ${countTitle(settings.sizes.large)}`, settings.sizes, rows);
  }
  if (faults.length > 0) throw new Broken(faults.join('\n'));
}

export const measureGrowth = (beds: Beds, settings: Settings) =>
  measureLists(beds, settings, {
    'Every list of the screens as files grow (one connection)': growthLists,
    'Lists narrowed by days or words (one connection)': narrowedLists,
  });

/** More than the p50 of a list: each is a transaction that is durable, and some are several. */
const ACT_P50_MAX_MS = 50;
/** Work in the background begins within a second, and is asked for five times a second. */
const WORK_P50_MAX_MS = 2_000;

const actorsOf = ({ application, tokens }: TestBed): Actors => ({
  admin: new Caller(application, tokens.admin),
  cpa: new Caller(application, tokens.cpa),
  client: new Caller(application, tokens.client),
});

/** How long the part of an act takes that counts, in ms, each time it is done. */
async function timeAct({ run }: Act, by: Actors, times: number, prefix: string): Promise<number[]> {
  const took: number[] = [];
  for (let nth = 0; nth < times; nth += 1) {
    await run(by, `${prefix}${nth}`, async (work) => {
      const startedAt = performance.now();
      const result = await work();
      took.push(performance.now() - startedAt);
      return result;
    });
  }
  // The first one warms up.
  return took.slice(1);
}

/** Each act at both sizes, in turns. */
export async function measureActs({ small, large }: Beds, settings: Settings): Promise<void> {
  const rows: string[][] = [];
  const faults: string[] = [];
  const beds = [actorsOf(small), actorsOf(large)];
  for (const [at, act] of acts.entries()) {
    try {
      const latencies: number[] = [];
      const times = act.inBackground ? settings.acts.inBackground : settings.acts.times;
      for (const by of beds) latencies.push(median(await timeAct(act, by, times, `${at}0`)));
      const [smallMs = Number.NaN, largeMs = Number.NaN] = latencies;
      rows.push(growthRow(act.title, smallMs, largeMs, act.inBackground ? WORK_P50_MAX_MS : ACT_P50_MAX_MS));
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      faults.push(`${act.title}: ${error.message}`);
      rows.push([act.title, '', '', 'BROKEN', mark(false)]);
    }
  }
  sayGrowth(
    `What people do as files grow (one connection), < ${ACT_P50_MAX_MS} ms, in the background < ${WORK_P50_MAX_MS} ms`,
    settings.sizes,
    rows,
  );
  if (faults.length > 0) throw new Broken(faults.join('\n'));
}

export const measureOpened = (beds: Beds, settings: Settings) =>
  measureLists(beds, settings, { 'Lists by what was opened (one connection)': openedLists });
