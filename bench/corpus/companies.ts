// The companies of the corpus: clients, near-twins, owners of several, strangers and third parties. All fictional.

import { USUAL_REPORT_TYPES } from '#contract/usual-report-types.ts';
import type { Known, KnownReportType } from '#server/batches/recognition/proposal.ts';
import type { Random } from '../../demo/random.ts';

export interface Firm {
  readonly id: number;
  readonly legal: string;
  readonly tradeName?: string;
  /** With its hyphen. */
  readonly ein: string;
  readonly stateId: string;
  readonly street: string;
  readonly city: string;
  readonly outOfReach?: true;
}

export interface World {
  readonly clients: readonly Firm[];
  /** Companies that are no clients; some have names like clients'. */
  readonly strangers: readonly Firm[];
  /** Prepares everything; a client too. */
  readonly bureau: Firm;
  /** Pays the deposits; a client too. */
  readonly bank: Firm;
  readonly reportTypes: readonly KnownReportType[];
  readonly known: Known;
}

const FIRST =
  'Harbor Cedar Granite Larkspur Juniper Tidewater Copper Sable Quarry Willow Meridian Fernhollow Ironwood Saffron Bluestem Kestrel Lantern Orchard Pinnacle Redtail Sunridge Voss Whitfield Zephyr Amber Birch Cobalt Driftwood Ember Foxglove'.split(
    ' ',
  );
const SECOND = 'Pine Hollow Ridge Creek Point Street Valley Field Bay Grove Crest Lake Bridge Mill Stone'.split(' ');
const TRADE = [
  'Bakery',
  'Dental Group',
  'Plumbing',
  'Roofing',
  'Family Practice',
  'Car Wash',
  'Brewing',
  'Freight Lines',
  'Landscaping',
  'Veterinary Clinic',
  'Machine & Tool',
  'Pharmacy',
  'Learning Center',
  'Title & Escrow',
  'Home Health Services',
  'Catering',
] as const;
const ENDING = ['LLC', 'Inc.', 'LLC', 'Corp.', 'Co.', 'PLLC', 'Ltd.', ''] as const;

/** Names that are easily taken for each other; those at odd places are clients in some worlds only. */
const TWINS = [
  ['Acme Plumbing LLC', 'Acme Plumbing of Ohio Inc.'],
  ['Northgate Steel Inc.', 'North Gate Steel Supply LLC'],
  ['Whitmore Law Group LLC', 'Whitmore Legal Services LLC'],
  ['Summit Dental PLLC', 'Summit & Briar Dental Group PLLC'],
  ['Bright Path Therapy LLC', 'Bright Path Therapy Inc.'],
  ['Delgado Farms I LLC', 'Delgado Farms II LLC'],
] as const;

const OWNED = [
  'Marlow Car Wash LLC',
  'Marlow Coin Laundry LLC',
  'Marlow Self Storage LLC',
  'Marlow Property Management LLC',
  'Marlow & Sons Catering LLC',
];

export function makeWorld(random: Random, count: number): World {
  let next = 1;
  const eins = new Set<string>();
  const ein = (): string => {
    const text = `${random.pick(['00', '07', '08', '09'])}-${random.digits(7)}`;
    if (eins.has(text)) return ein();
    eins.add(text);
    return text;
  };
  const firm = (legal: string, more: Partial<Firm> = {}): Firm => ({
    id: next++,
    legal,
    ein: more.ein ?? ein(),
    stateId: `${String(next * 7 + 11)
      .slice(-2)
      .padStart(2, '0')}-${String((next * 7_368_787) % 10_000_000).padStart(7, '0')}`,
    street: `${random.int(10, 9800)} ${random.pick(SECOND)} ${random.pick(['Street', 'Avenue', 'Lane'])}`,
    city: `${random.pick(['Dayton, OH 45402', 'Albany, NY 12207', 'Fresno, CA 93721', 'Erie, PA 16501'])}`,
    ...more,
  });
  const names = new Set<string>();
  const newName = (): string => {
    const ending = random.pick(ENDING);
    const name = `${random.pick(FIRST)} ${random.chance(0.3) ? '& ' : ''}${random.pick(SECOND)} ${random.pick(TRADE)}`;
    if (names.has(name)) return newName();
    names.add(name);
    return ending === '' ? name : `${name}${random.chance(0.2) ? ',' : ''} ${ending}`;
  };
  const clients = Array.from({ length: count }, () => firm(newName()));
  for (const pair of TWINS) for (const name of pair) clients.push(firm(name));
  for (const name of OWNED) clients.push(firm(name));
  const shared = ein();
  clients.push(firm('Larkmoor Hospitality Group LLC', { ein: shared, tradeName: 'Larkmoor Café' }));
  clients.push(firm('Larkmoor Hospitality Group LLC', { ein: shared, tradeName: 'The Larkmoor Inn' }));
  clients.push(firm('Brasserie Élodie & Fils LLC'), firm('O’Dell & Sons Landscaping LLC'));
  for (let hidden = 0; hidden < 4; hidden += 1) clients.push(firm(newName(), { outOfReach: true }));
  const bureau = firm('Cedar Payroll Bureau Inc.');
  const bank = firm('First Quarry Bancorp Inc.');
  const strangers = [
    ...Array.from({ length: 8 }, () => firm(newName())),
    firm('Acme Plumbing Supply Inc.'),
    firm('Old Summit Dental PLLC'),
    firm('Acme Plumbing Inc.'),
    firm('Delgado Farms III LLC'),
  ];
  const reportTypes = USUAL_REPORT_TYPES.map((name, index) => ({ id: index + 1, name, phrases: [] }));
  return {
    clients,
    strangers,
    bureau,
    bank,
    reportTypes,
    known: {
      lastYear: 2026,
      reportTypes,
      clients: [...clients, bureau, bank].map(({ id, legal, tradeName, ein: federalId, stateId, outOfReach }) => ({
        id,
        names: tradeName === undefined ? [legal] : [legal, tradeName],
        federalId,
        stateId,
        ...(outOfReach === undefined ? {} : { outOfReach }),
      })),
    },
  };
}
