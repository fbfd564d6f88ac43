// What every layout of the corpus draws from: a company, a time, and some people and sums.
import type { PageText } from '#server/batches/reading/page-text.ts';
import type { Random } from '../../demo/random.ts';
import type { Firm, World } from './companies.ts';
import type { Paper } from './paper.ts';

export interface Drawing {
  readonly firm: Firm;
  readonly world: World;
  readonly random: Random;
  readonly year: number;
  readonly quarter: number;
  /** The company's federal id is not printed. */
  readonly noId: boolean;
}

export interface Layout {
  readonly name: string;
  /** As the firm calls it; null where nobody can tell. */
  readonly reportType: string | null;
  readonly period: (drawing: Drawing) => string | null;
  readonly draw: (drawing: Drawing) => readonly PageText[];
}

const PEOPLE = [
  'Tamsin Castellan',
  'Magnus Ortega',
  'Gemma Hathaway',
  'Yusuf Gutierrez',
  'Anika Chaudhry',
  'Hugo Marchetti',
  'Yara Coldwell',
  'Odessa Ibarra',
  'Wanda Halloran',
  'Vera Jefferies',
];
export const aPerson = (random: Random) => random.pick(PEOPLE);
export const money = (random: Random) => `${random.int(1, 98)},${random.digits(3)}.${random.digits(2)}`;
export const payDay = ({ year, quarter }: Drawing) =>
  [
    `${String(quarter * 3 - 1).padStart(2, '0')}/14/${year}`,
    `${year}-${String(quarter * 3 - 1).padStart(2, '0')}-14`,
  ] as const;
export const quarterEnd = ({ year, quarter }: Drawing) =>
  `${['March 31', 'June 30', 'September 30', 'December 31'][quarter - 1]}, ${year}`;
export const ein = ({ firm, noId }: Drawing) => (noId ? '' : firm.ein);
export const shownName = ({ firm }: Drawing) =>
  firm.tradeName === undefined ? firm.legal : `${firm.legal} dba ${firm.tradeName}`;
export const quarterOf = ({ year, quarter }: Drawing) => `${year}-Q${quarter}`;
export const yearOf = ({ year }: Drawing) => `${year}`;
export const dayOf = (drawing: Drawing) => payDay(drawing)[1];

export function people(paper: Paper, drawing: Drawing, from: number, rows: number): void {
  const { random } = drawing;
  for (let row = 0; row < rows; row += 1) {
    paper.row(from + row * 13, [
      [36, aPerson(random)],
      [190, `***-**-${random.digits(4)}`],
      [300, `${random.int(20, 80)}.00`],
      [380, money(random)],
      [470, money(random)],
    ]);
  }
}
