// The print file of a quarter, with everything in it that makes a careless person file a page under the wrong company.
import { type Day, dayOf } from '../calendar.ts';
import { type Company, companyAt, companyByCode } from '../companies.ts';
import type { QuarterDocument } from '../documents/descriptor.ts';
import { form941Copy } from '../documents/federal-forms.ts';
import { stateQuarterly } from '../documents/period-reports.ts';
import { filingLedgerOf, type Ledger, ledgerOf } from '../payroll.ts';
import { type Part, type PrintFile, printFile } from './print-file.ts';
import { amended941, notesSheet, separatorSheet, twoCompaniesSheet } from './trap-sheets.ts';

/** The quarter before the firm's files begin: its returns were filed, and never put into the portal. */
export const YEAR = 2024;
export const QUARTER = 3;
const PERIOD = `${YEAR}-Q${QUARTER}`;
const PREPARED_DAY: Day = dayOf(2024, 10, 24);

/** Their returns go through without a question; those of one owner, and those whose names are alike, among them. */
const WITH_941 = [
  'HarborPineBakery',
  'AcmePlumbing',
  'AcmePlumbingOhio',
  'VossCarWash',
  'VossCoinLaundry',
  'VossProperty',
  'NorthgateSteel',
  'NorthGateSteelSupply',
  'WhitfieldLaw',
  'WhitfieldLegal',
];
const WITH_STATE_RETURN = [
  'HarborPineBakery',
  'AcmePlumbingOhio',
  'VossCarWash',
  'NorthGateSteelSupply',
  'WhitfieldLaw',
];

const FORM = 'Form 941';
const STATE = 'State Quarterly (withholding, SUTA)';

const about = (company: number) => ({ company, preparedDay: PREPARED_DAY, year: YEAR, quarter: QUARTER });

type Return = Pick<Part['truth'], 'trap'> & { readonly ledger: Ledger; readonly kind: 'form-941' | 'state-return' };

const DRAWN = { 'form-941': form941Copy, 'state-return': stateQuarterly };

/** A return of `ledger`'s company. With a trap it may lie about whose it is: `company` is who it would belong to. */
async function returnOf({ ledger, kind, trap }: Return, company: number | null = ledger.company.index): Promise<Part> {
  const document: QuarterDocument = { kind, ...about(ledger.company.index) };
  const reportTypeName = kind === 'form-941' ? FORM : STATE;
  return { bytes: await DRAWN[kind](ledger, document), truth: { company, reportTypeName, period: PERIOD, trap } };
}

/** The company's books under another name or number. */
const disguised = (company: Company, as: Partial<Company>): Ledger => {
  const ledger = ledgerOf(company);
  return { ...ledger, company: { ...ledger.company, ...as } };
};

/** A company that the firm has never heard of. */
const STRANGER = {
  legalName: 'Fallowfield Glass Works LLC',
  name: 'Fallowfield Glass Works LLC',
  federalId: '09-5550142',
  street: '7 Kiln Yard',
} as const;

async function traps(has: (fileCode: string) => boolean): Promise<{ with941: Part[]; withState: Part[] }> {
  const [plumber, ohio] = [companyByCode('AcmePlumbing'), companyByCode('AcmePlumbingOhio')];
  const [roofer, vets] = [companyByCode('GraniteRidgeRoofing'), companyByCode('BluestemVeterinary')];
  const [oneCompany, another] = has('VossSelfStorage')
    ? [companyByCode('VossSelfStorage'), companyByCode('VossDaughtersCatering')]
    : [plumber, roofer];
  const unknown = { company: null, reportTypeName: null, period: null };
  const longest = has('NorthgateSteel') ? companyByCode('NorthgateSteel') : ohio;
  const with941 = [
    await returnOf({
      kind: 'form-941',
      ledger: disguised(vets, { federalId: '' }),
      trap: 'The federal id is missing',
    }),
    await returnOf({ kind: 'form-941', ledger: disguised(vets, STRANGER), trap: 'The company is no client' }, null),
  ];
  if (has('LarkspurCafe')) {
    const trap = 'Two clients share this name and federal id';
    const ledger = filingLedgerOf(companyByCode('LarkspurCafe'));
    // Only the legal person files: the trade name is not on the return.
    if (ledger !== null) {
      const { tradeName: _, ...company } = ledger.company;
      with941.push(await returnOf({ kind: 'form-941', ledger: { ...ledger, company }, trap }, null));
    }
  }
  // Honest, and a trap all the same for whoever files it beside the return that it replaces.
  const correction = {
    company: roofer.index,
    reportTypeName: FORM,
    period: PERIOD,
    correction: true,
    trap: null,
  } as const;
  with941.push({ bytes: await amended941(ledgerOf(roofer), about(roofer.index)), truth: correction });
  const withState = [
    await returnOf(
      {
        kind: 'state-return',
        ledger: disguised(plumber, { federalId: ohio.federalId }),
        trap: 'The name of one company over the federal id of its near-twin',
      },
      null,
    ),
    {
      bytes: await twoCompaniesSheet(oneCompany, another, about(oneCompany.index)),
      truth: { ...unknown, trap: 'One page speaks of two companies' },
    },
    {
      ...(await returnOf({ kind: 'state-return', ledger: ledgerOf(longest), trap: 'A page is missing' })),
      lost: [2],
    },
    { bytes: await notesSheet(PREPARED_DAY), truth: { ...unknown, trap: 'A page that nobody claims' } },
  ];
  return { with941, withState };
}

/** The returns of `companies`; what needs a company that is not among them is left out. */
export async function quarterFile(companies: readonly Company[]): Promise<PrintFile> {
  const has = (fileCode: string) => companies.some((company) => company.fileCode === fileCode);
  const honest = (fileCodes: readonly string[], kind: Return['kind']) =>
    Promise.all(
      fileCodes.filter(has).map((fileCode) => {
        const { index } = companyByCode(fileCode);
        return returnOf({ kind, ledger: ledgerOf(companyAt(index)), trap: null });
      }),
    );
  const { with941, withState } = await traps(has);
  const separator: Part = {
    bytes: await separatorSheet(PREPARED_DAY),
    truth: { company: null, reportTypeName: null, period: null, trap: 'A separator sheet' },
  };
  return printFile(`quarter-${YEAR}Q${QUARTER}-with-traps.pdf`, PREPARED_DAY, [
    ...scattered(await honest(WITH_941, 'form-941'), with941),
    separator,
    ...scattered(await honest(WITH_STATE_RETURN, 'state-return'), withState),
  ]);
}

/** `among` with one of `parts` after each of its first ones, and the rest of them at the end. */
function scattered(among: readonly Part[], parts: readonly Part[]): Part[] {
  const rest = [...parts];
  const mixed = among.flatMap((part) => [part, ...rest.splice(0, 1)]);
  return [...mixed, ...rest];
}
