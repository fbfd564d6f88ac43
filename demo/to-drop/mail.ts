// A folder as somebody keeps it: mail that was scanned, downloads of a morning, names that say little and one that lies.
import { ANCHOR_DAY, dayOf, isoDate } from '../calendar.ts';
import { type Company, companyByCode } from '../companies.ts';
import { depositDay, depositNumber } from '../deposits.ts';
import type { Render } from '../documents/render.ts';
import { achFileName, depositFileName } from '../file-names.ts';
import { ledgerOf, type PayRun } from '../payroll.ts';
import { type Part, printFile } from './print-file.ts';
import { QUARTER, YEAR } from './quarter.ts';

export interface LooseFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const PREPARED_DAY = dayOf(2024, 10, 24);

function nextRunOf(company: Company): PayRun {
  const run = ledgerOf(company).runs.find(({ checkDay }) => checkDay > ANCHOR_DAY);
  if (run === undefined) throw new RangeError(`${company.name} has no run to come`);
  return run;
}

/** As it stands in a file's name. */
const spoken = ({ legalName }: Company) => legalName.replace(/\.$/, '');

/** All of it is of the companies that both sizes of the firm have. */
export async function looseFiles(render: Render): Promise<LooseFile[]> {
  const bakery = companyByCode('HarborPineBakery');
  const plumber = companyByCode('AcmePlumbing');
  const ohio = companyByCode('AcmePlumbingOhio');
  const roofer = companyByCode('GraniteRidgeRoofing');
  const vets = companyByCode('BluestemVeterinary');
  const ofQuarter = (company: Company, kind: 'form-941' | 'state-return' | 'tax-liability' | 'payroll-summary') =>
    render({ kind, company: company.index, preparedDay: PREPARED_DAY, year: YEAR, quarter: QUARTER });
  const part = async (company: Company, kind: 'tax-liability' | 'payroll-summary'): Promise<Part> => ({
    bytes: await ofQuarter(company, kind),
    truth: { company: company.index, reportTypeName: null, period: null, trap: null },
  });

  const reports = [
    await part(vets, 'tax-liability'),
    await part(vets, 'payroll-summary'),
    await part(roofer, 'payroll-summary'),
  ];
  const return941 = await ofQuarter(roofer, 'form-941');
  const interrupted = await ofQuarter(vets, 'state-return');
  const [bakeryRun, plumberRun] = [nextRunOf(bakery), nextRunOf(plumber)];
  const deposited = depositDay(YEAR, 9);
  const about = (company: Company) => ({ company: company.index, preparedDay: ANCHOR_DAY });
  return [
    {
      name: 'scan0047.pdf',
      bytes: await render({
        kind: 'tax-notice',
        ...about(bakery),
        notice: 'CP134B',
        year: 2026,
        quarter: 3,
        photographed: true,
      }),
    },
    { name: 'Reports (3).pdf', bytes: (await printFile('Reports (3).pdf', PREPARED_DAY, reports)).bytes },
    { name: `Form 941 Q${QUARTER} ${YEAR} - ${spoken(roofer)}.pdf`, bytes: return941 },
    // Downloaded once more, because nobody found the first.
    { name: `Form 941 Q${QUARTER} ${YEAR} - ${spoken(roofer)} (1).pdf`, bytes: return941 },
    // The name is of the near-twin.
    {
      name: `Tax Liability Q${QUARTER} ${YEAR} ${plumber.legalName}.pdf`,
      bytes: await ofQuarter(ohio, 'tax-liability'),
    },
    {
      name: `${bakery.initials} Payroll Register ${isoDate(bakeryRun.checkDay)}.csv`,
      bytes: await render({ kind: 'register-csv', ...about(bakery), run: bakeryRun.index }),
    },
    {
      name: achFileName(plumberRun),
      bytes: await render({ kind: 'ach-text', ...about(plumber), run: plumberRun.index }),
    },
    {
      name: depositFileName(depositNumber(bakery, deposited), deposited),
      bytes: await render({
        kind: 'deposit-confirmation',
        company: bakery.index,
        preparedDay: deposited,
        year: YEAR,
        month: 9,
      }),
    },
    {
      name: 'fwd_ overtime.pdf',
      bytes: await render({ kind: 'letter', ...about(vets), subject: 'Question about overtime' }),
    },
    // A download that broke off.
    { name: 'state return download.pdf', bytes: interrupted.subarray(0, Math.floor(interrupted.length * 0.55)) },
    { name: 'new doc (2).pdf', bytes: new Uint8Array() },
    { name: 'Employee roster LOCKED.pdf', bytes: await render({ kind: 'locked-roster', ...about(roofer) }) },
    { name: 'IMG_0388.png', bytes: await render({ kind: 'photo', ...about(plumber) }) },
  ];
}
