// The people who sign in to the demo: the firm's staff, custom roles, and the users of the client companies.
import type { Capability, Reach } from '#contract/policy/actor.ts';
import { USUAL_REPORT_TYPES } from '#contract/usual-report-types.ts';
import { dayOf, momentMs } from './calendar.ts';
import { COMPANIES, type Company, companyByCode } from './companies.ts';
import { personName, usernameFor } from './people.ts';
import { createRandom } from './random.ts';

/** Every demo user's password. */
export const DEMO_PASSWORD = 'coffer-demo-2026';

/** Returns that none of the firm's clients files. */
const NOT_FILED = ['Form 943', 'Form 944', 'Form 945'] as const;
export type ReportTypeName = Exclude<(typeof USUAL_REPORT_TYPES)[number], (typeof NOT_FILED)[number]>;
/** The demo firm files under the others that a new firm is offered. */
export const REPORT_TYPE_NAMES = USUAL_REPORT_TYPES.filter(
  (name): name is ReportTypeName => !NOT_FILED.some((other) => other === name),
);

export interface PlannedRole {
  readonly name: string;
  readonly reach: Reach;
  readonly capabilities: readonly Capability[];
}

export const CUSTOM_ROLES = [
  { name: 'Bookkeeper', reach: 'lists', capabilities: ['reports.upload', 'documents.upload'] },
  { name: 'Auditor', reach: 'all', capabilities: ['activity.read'] },
] as const satisfies readonly PlannedRole[];

export type RoleName = 'Admin' | 'CPA' | 'Client' | (typeof CUSTOM_ROLES)[number]['name'];

export interface Person {
  readonly username: string;
  readonly fullName: string;
  readonly roleName: RoleName;
  /** Indexes into COMPANIES. */
  readonly companies: readonly number[];
  readonly reportTypes: readonly ReportTypeName[];
  readonly createdAtMs: number;
  /** The account was deleted: no row, but its name stays in the log and on its files. */
  readonly former: boolean;
  /** Runs a client company, so that the company's own papers come from here. */
  readonly owner: boolean;
}

/** When the firm began to use the portal. */
export const OPENING_MS = momentMs(dayOf(2024, 9, 23), 14 * 60);

const ALL = REPORT_TYPE_NAMES;
const PAY_REPORTS = [
  'Payroll Journal',
  'Payroll Register',
  'Payroll Summary',
  'Employee Earnings',
  'Direct Deposit / ACH',
  'Deductions & Garnishments',
] as const satisfies readonly ReportTypeName[];
const WITHOUT_YEAR_END = ALL.filter((name) => name !== 'W-2 / W-3' && name !== '1099-NEC / 1096');
const QUARTERLY_ONLY = [
  'Payroll Register',
  'Payroll Summary',
  'Tax Liability',
  'Deposit Confirmation (EFTPS)',
  'Form 941',
  'State Quarterly (withholding, SUTA)',
  'Tax Notice',
] as const satisfies readonly ReportTypeName[];

const codes = (...fileCodes: string[]) => fileCodes.map((fileCode) => companyByCode(fileCode).index);

function staffMember(
  roleName: RoleName,
  username: string,
  fullName: string,
  companies: readonly number[],
  reportTypes: readonly ReportTypeName[],
): Person {
  return {
    username,
    fullName,
    roleName,
    companies,
    reportTypes,
    createdAtMs: OPENING_MS,
    former: false,
    owner: false,
  };
}

const OKAFOR = codes(
  'HarborPineBakery',
  'AcmePlumbing',
  'AcmePlumbingOhio',
  'VossCarWash',
  'VossCoinLaundry',
  'VossSelfStorage',
  'VossProperty',
  'VossDaughtersCatering',
  'FernhollowDental',
  'FernhollowBriarDental',
  'GraniteRidgeRoofing',
  'KestrelHomeHealth',
  'IronwoodMachine',
  'BluestemVeterinary',
  'AlderWren',
);

const FIRM_STAFF: readonly Person[] = [
  staffMember('Admin', 'admin', 'Priya Ramanathan', [], []),
  staffMember('Admin', 'h.alder', 'Helena Alder', [], []),
  staffMember('Admin', 't.wren', 'Tobias Wren', [], []),
  staffMember('CPA', 'r.okafor', 'Renata Okafor', OKAFOR, ALL),
  staffMember(
    'CPA',
    'm.lindqvist',
    'Maja Lindqvist',
    codes('LarkspurCafe', 'LarkspurInn', 'TidewaterMarine', 'WhitfieldLaw', 'WhitfieldLegal', 'GraniteRidgeRoofing'),
    ALL,
  ),
  staffMember(
    'CPA',
    's.delacroix',
    'Sylvain Delacroix',
    codes('BrasserieElodie', 'ODellLandscaping', 'OrchardPharmacy', 'QuillfeatherPress', 'BayberryLiving'),
    ALL,
  ),
  staffMember(
    'CPA',
    'j.abernathy',
    'June Abernathy',
    codes('NorthgateSteel', 'NorthGateSteelSupply', 'SablePoint', 'TallgrassWeb', 'StBrannoc', 'BluestemVeterinary'),
    ALL,
  ),
  staffMember(
    'CPA',
    'k.nakamura',
    'Kenji Nakamura',
    codes('MeridianBrokers', 'MeridianLines', 'CopperleafLearning', 'RedtailSolar', 'JuniperYoga'),
    WITHOUT_YEAR_END,
  ),
  staffMember(
    'CPA',
    'd.osei',
    'Dorcas Osei',
    codes('MillraceBrewing', 'LanternLoom', 'CedarHollow', 'PinnacleTitle', 'SunridgeCitrus', 'HarborPineBakery'),
    QUARTERLY_ONLY,
  ),
  staffMember(
    'Bookkeeper',
    'l.farrow',
    'Lionel Farrow',
    codes(
      'HarborPineBakery',
      'AcmePlumbing',
      'AcmePlumbingOhio',
      'VossCarWash',
      'VossDaughtersCatering',
      'KestrelHomeHealth',
      'IronwoodMachine',
      'NorthgateSteel',
      'NorthGateSteelSupply',
      'SunridgeCitrus',
    ),
    PAY_REPORTS,
  ),
  staffMember(
    'Bookkeeper',
    'p.santangelo',
    'Pia Santangelo',
    codes('LarkspurCafe', 'LarkspurInn', 'BrasserieElodie', 'ODellLandscaping', 'MillraceBrewing', 'MeridianLines'),
    PAY_REPORTS,
  ),
  staffMember('Auditor', 'v.haldane', 'Viktor Haldane', [], []),
];

/** Owners with more than one company; everyone else's name is drawn. */
const SHARED_OWNERS: readonly { readonly fullName: string; readonly username: string; readonly fileCodes: string[] }[] =
  [
    {
      fullName: 'Marguerite Voss',
      username: 'm.voss',
      fileCodes: ['VossCarWash', 'VossCoinLaundry', 'VossSelfStorage', 'VossProperty', 'VossDaughtersCatering'],
    },
    { fullName: 'Dominic Ferrante', username: 'd.ferrante', fileCodes: ['LarkspurCafe', 'LarkspurInn'] },
    { fullName: 'Judith Whitfield', username: 'j.whitfield', fileCodes: ['WhitfieldLaw', 'WhitfieldLegal'] },
    { fullName: 'Amos Briar', username: 'a.briar', fileCodes: ['FernhollowBriarDental', 'FernhollowDental'] },
  ];

const NAMED_OWNERS: Readonly<Record<string, string>> = {
  HarborPineBakery: 'Ingrid Castellan',
  BrasserieElodie: 'Élodie Fontaine',
  ODellLandscaping: 'Kieran O’Dell',
};

function joinedAtMs(company: Company): number {
  return Math.max(OPENING_MS, momentMs(company.startDay - 2, 15 * 60)) + company.index * 11 * 60_000;
}

function clientPerson(
  fullName: string,
  username: string,
  companies: readonly Company[],
  rest: Pick<Person, 'reportTypes' | 'owner' | 'former'>,
): Person {
  const createdAtMs = companies.length === 0 ? OPENING_MS : Math.min(...companies.map(joinedAtMs));
  return {
    username,
    fullName,
    roleName: 'Client',
    companies: companies.map(({ index }) => index),
    createdAtMs,
    ...rest,
  };
}

/** How many people besides the owner have access to a company's files: the larger ones have somebody for payroll and for books. */
function assistantsOf(company: Company): number {
  if (company.ending !== undefined || company.einOf !== undefined) return 0;
  if (company.employees >= 100) return 3;
  if (company.employees >= 30) return 2;
  return company.employees >= 20 ? 1 : 0;
}

function clientPeople(taken: Set<string>): Person[] {
  const people: Person[] = [];
  const owned = new Set<number>();
  for (const { fullName, username, fileCodes } of SHARED_OWNERS) {
    const companies = fileCodes.map(companyByCode);
    for (const company of companies) owned.add(company.index);
    taken.add(username);
    people.push(clientPerson(fullName, username, companies, { reportTypes: ALL, owner: true, former: false }));
  }
  for (const company of COMPANIES) {
    if (company.fileCode === 'AlderWren') continue;
    const random = createRandom('client-people', company.fileCode);
    if (!owned.has(company.index)) {
      const fullName = NAMED_OWNERS[company.fileCode] ?? personName(random);
      const former = company.ending === 'left';
      people.push(
        clientPerson(fullName, usernameFor(fullName, taken), [company], { reportTypes: ALL, owner: true, former }),
      );
    }
    for (let assistant = 0; assistant < assistantsOf(company); assistant += 1) {
      const fullName = personName(random);
      people.push(
        clientPerson(fullName, usernameFor(fullName, taken), [company], {
          reportTypes: assistant === 0 ? PAY_REPORTS : QUARTERLY_ONLY,
          owner: false,
          former: false,
        }),
      );
    }
  }
  // One who may see documents but no report, and one who has no client yet.
  const fullName = 'Hollis Merriweather';
  people.push(
    clientPerson(fullName, usernameFor(fullName, taken), [companyByCode('MillraceBrewing')], {
      reportTypes: [],
      owner: false,
      former: false,
    }),
  );
  const newcomer = 'Bettina Quimby';
  people.push(
    clientPerson(newcomer, usernameFor(newcomer, taken), [], { reportTypes: PAY_REPORTS, owner: false, former: false }),
  );
  return people;
}

/** Everybody who has, or once had, an account at the full firm. */
export function everyone(): Person[] {
  const taken = new Set(FIRM_STAFF.map(({ username }) => username));
  return [...FIRM_STAFF, ...clientPeople(taken)];
}
