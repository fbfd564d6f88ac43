// The corpus: batches of print files and single files with all that goes wrong in them, and what each document really is.
import type { PageText } from '#server/batches/reading/page-text.ts';
import type { ReadFile } from '#server/batches/recognition/proposal.ts';
import { createRandom, type Random } from '../../demo/random.ts';
import { type Firm, makeWorld, type World } from './companies.ts';
import type { Drawing, Layout } from './drawing.ts';
import { LAYOUTS } from './layouts.ts';
import { Paper } from './paper.ts';

export interface Truth {
  readonly fileKey: number;
  readonly fromPage: number;
  readonly toPage: number;
  /** Null where no one client is right: no client, two of them, or nothing to read. */
  readonly clientId: number | null;
  /** The legal name of the company that it is about, client or not. */
  readonly company: string;
  readonly reportTypeId: number | null;
  readonly period: string | null;
  readonly layout: string;
  /** What was done to it; null where nothing was, so that it must be ready. */
  readonly trap: string | null;
}

export interface Corpus {
  readonly world: World;
  readonly files: readonly ReadFile[];
  readonly truths: readonly Truth[];
}

type Trap =
  | 'no id'
  | 'stranger'
  | 'stranger without id'
  | 'stranger under the bureau’s letterhead'
  | 'client among a stranger’s recipients'
  | 'two companies'
  | 'out of reach'
  | 'wrong file name';

const STRANGERS: readonly Trap[] = [
  'stranger',
  'stranger without id',
  'stranger under the bureau’s letterhead',
  'client among a stranger’s recipients',
];
const WITHOUT_ID: readonly Trap[] = ['no id', 'stranger without id', 'stranger under the bureau’s letterhead'];

interface Made {
  readonly pages: readonly PageText[];
  readonly truth: Omit<Truth, 'fileKey' | 'fromPage' | 'toPage'>;
  readonly firm: Firm;
  readonly drawing: Drawing;
}

/** Both pages' text on one: the second one below the first one's upper half. */
function together(one: PageText, other: PageText): PageText {
  const half = one.height / 2;
  const upper = one.runs.filter(({ y }) => y < half);
  const lower = other.runs.filter(({ y }) => y < half).map((run) => ({ ...run, y: run.y + half }));
  return { ...one, runs: [...upper, ...lower] };
}

/** More lines on a page, from `y` down. */
function withText(page: PageText, lines: readonly string[], y: number): PageText {
  if (page.runs.length === 0) return page;
  const paper = new Paper();
  lines.forEach((line, index) => {
    paper.put(40, y + index * 11, line, 9);
  });
  return { ...page, runs: [...page.runs, ...paper.page().runs] };
}

function make(world: World, random: Random, layout: Layout, trap: Trap | null): Made {
  const inReach = world.clients.filter(({ outOfReach }) => outOfReach !== true);
  const isStranger = trap !== null && STRANGERS.includes(trap);
  const firm = isStranger
    ? random.pick(world.strangers)
    : trap === 'out of reach'
      ? random.pick(world.clients.filter(({ outOfReach }) => outOfReach === true))
      : random.pick(inReach);
  const noId = trap !== null && WITHOUT_ID.includes(trap);
  const drawing: Drawing = { firm, world, random, noId, year: random.int(2023, 2025), quarter: random.int(1, 4) };
  let pages = layout.draw(drawing);
  const [first] = pages;
  if (trap === 'two companies' && first !== undefined) {
    const other = random.pick(inReach.filter(({ ein }) => ein !== firm.ein));
    pages = [together(first, layout.draw({ ...drawing, firm: other })[0] ?? first)];
  }
  if (trap === 'stranger under the bureau’s letterhead') {
    pages = pages.map((page) => withText(page, [`${world.bureau.legal}`, `EIN ${world.bureau.ein}`], 4));
  }
  if (trap === 'client among a stranger’s recipients') {
    const client = random.pick(inReach);
    pages = pages.map((page) => withText(page, ['Recipient', client.legal, 'Recipient’s TIN', client.ein], 600));
  }
  const nobody = isStranger || trap === 'out of reach' || trap === 'two companies' || layout.reportType === null;
  const reportTypeId = world.reportTypes.find(({ name }) => name === layout.reportType)?.id ?? null;
  return {
    pages,
    firm,
    drawing,
    truth: {
      clientId: nobody ? null : firm.id,
      company: firm.legal,
      reportTypeId,
      period: layout.period(drawing),
      layout: layout.name,
      trap: layout.reportType === null ? 'no text' : trap,
    },
  };
}

const TRAPS: readonly Trap[] = ['no id', ...STRANGERS, 'two companies', 'out of reach'];
const compact = (name: string) => name.replace(/[^\p{L}\d]/gu, '');

function fileName(made: Made, world: World, random: Random, wrong: boolean): string {
  const firm = wrong
    ? random.pick(world.clients.filter(({ ein, outOfReach }) => ein !== made.firm.ein && outOfReach !== true))
    : made.firm;
  const { year } = made.drawing;
  const name = firm.tradeName ?? firm.legal;
  if (wrong) return `${compact(name)}_${year}.pdf`;
  return random.pick([
    `${compact(name)}_${year}.pdf`,
    `${year} ${name} final FINAL.pdf`,
    `scan${random.digits(4)}.pdf`,
    `Reports (${random.int(1, 9)}).pdf`,
  ]);
}

/** A batch of about `count` documents: half of them in print files of about thirty, half in files of their own. */
export function makeCorpus(seed: string, count: number): Corpus {
  const random = createRandom('corpus', seed);
  const world = makeWorld(random, 60);
  const files: ReadFile[] = [];
  const truths: Truth[] = [];
  const add = (name: string, documents: readonly Made[], separators: boolean) => {
    const key = files.length + 1;
    const pages: PageText[] = [];
    const bookmarks = [];
    const marked = documents.length > 1 && random.chance(0.3);
    for (const { pages: own, truth, firm } of documents) {
      if (separators && pages.length > 0) {
        pages.push(new Paper().put(200, 380, '*** BATCH SEPARATOR ***', 14).page());
      }
      if (marked)
        bookmarks.push({
          title: truth.trap === null ? (firm.tradeName ?? firm.legal) : 'Report',
          page: pages.length + 1,
          depth: 0,
        });
      truths.push({ ...truth, fileKey: key, fromPage: pages.length + 1, toPage: pages.length + own.length });
      pages.push(...own);
    }
    files.push({ key, name, pages, bookmarks });
  };
  const pickTrap = (): Trap | null => (random.chance(0.2) ? random.pick(TRAPS) : null);
  const separate = (documents: readonly Made[]): Made[] => {
    // What cannot be told apart by anybody is not asked: one company's same report twice running, and scans side by side.
    const kept: Made[] = [];
    for (const made of documents) {
      const last = kept.at(-1);
      if (last !== undefined && last.truth.layout === made.truth.layout && last.firm.ein === made.firm.ein) continue;
      if (last?.truth.trap === 'no text' && made.truth.trap === 'no text') continue;
      kept.push(made);
    }
    return kept;
  };
  while (truths.length < count / 2) {
    const documents = Array.from({ length: random.int(20, 40) }, () =>
      make(world, random, random.pick(LAYOUTS), pickTrap()),
    );
    add(`Print file ${random.digits(3)}.pdf`, separate(documents), random.chance(0.3));
  }
  while (truths.length < count) {
    const layout = random.pick(LAYOUTS);
    const wrong = random.chance(0.1);
    const made = make(
      world,
      random,
      layout,
      wrong ? random.pick(['wrong file name', 'stranger without id']) : pickTrap(),
    );
    add(fileName(made, world, random, wrong), [made], false);
  }
  return { world, files, truths };
}
