// Every list of the screens at both sizes, over one connection: none must become slow as files grow.
import { setTimeout } from 'node:timers/promises';
import { askInTurn, Broken, median } from './load.ts';
import { countTitle, mark, ms, say, sayTable } from './report.ts';
import { type GrowthList, growthLists, narrowedLists, openedLists } from './scenarios.ts';
import type { Settings } from './settings.ts';
import type { TestBed } from './test-bed.ts';

/** However a list grows, it is faster than this at the larger size. */
const P50_MAX_MS = 25;
const SLOW_MS = 500;
const SETTLE_MS = 2_500;

function growthRow(title: string, smallP50Ms: number, largeP50Ms: number): string[] {
  const ratio = largeP50Ms / smallP50Ms;
  const reached = largeP50Ms < P50_MAX_MS;
  return [title, ms(smallP50Ms), ms(largeP50Ms), `${ratio.toFixed(2)} x`, mark(reached)];
}

function sayGrowth(title: string, sizes: Settings['sizes'], rows: readonly string[][]): void {
  const missed = rows.filter((row) => row.at(-1) === mark(false)).length;
  sayTable(
    `${title}: target p50 < ${P50_MAX_MS} ms at ${countTitle(sizes.large)}`,
    ['', `p50 ms at ${countTitle(sizes.small)}`, `at ${countTitle(sizes.large)}`, 'growth', ''],
    rows,
  );
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
    sayGrowth(title, settings.sizes, rows);
  }
  if (faults.length > 0) throw new Broken(faults.join('\n'));
}

export const measureGrowth = (beds: Beds, settings: Settings) =>
  measureLists(beds, settings, {
    'Every list of the screens as files grow (one connection)': growthLists,
    'Lists narrowed by days or words (one connection)': narrowedLists,
  });

export const measureOpened = (beds: Beds, settings: Settings) =>
  measureLists(beds, settings, { 'Lists by what was opened (one connection)': openedLists });
