// The sheets of a print file that belong to nobody, to two, or replace another one.
import { type Day, lastDayOfQuarter, quarterLabel, usDate } from '../calendar.ts';
import { type Company, FIRM } from '../companies.ts';
import type { QuarterDocument } from '../documents/descriptor.ts';
import { FICTION, openFirmSheet, openFormSheet, signatureBlock } from '../documents/letterhead.ts';
import { Sheet } from '../documents/sheet.ts';
import { amount, dollars } from '../money.ts';
import type { Ledger } from '../payroll.ts';
import { form941 } from '../returns.ts';

type About = Omit<QuarterDocument, 'kind'>;

export function separatorSheet(preparedDay: Day): Promise<Uint8Array> {
  const sheet = new Sheet({ title: 'Separator', author: FIRM.name, preparedDay, footer: '' });
  sheet.y += 300;
  sheet.paragraph('SEPARATOR SHEET', { size: 30, face: 'bold', align: 'center' });
  sheet.paragraph('State returns follow', { size: 14, align: 'center' });
  return sheet.finish();
}

/** What somebody left on the glass of the copier. */
export function notesSheet(preparedDay: Day): Promise<Uint8Array> {
  const sheet = new Sheet({ title: 'Notes', author: FIRM.name, preparedDay, footer: '' });
  sheet.y += 40;
  for (const line of [
    'ask about the new unemployment rate before the next run',
    'two envelopes came back, address wrong?',
    'coffee filters',
    'call back on Thursday after ten',
  ]) {
    sheet.paragraph(`-  ${line}`, { size: 13, face: 'serif', gapAfter: 14 });
  }
  sheet.paragraph(FICTION, { size: 6.5 });
  return sheet.finish();
}

/** Tax liabilities of two companies on one page: it can be filed under neither. */
export function twoCompaniesSheet(one: Company, other: Company, about: About): Promise<Uint8Array> {
  const quarterEnd = usDate(lastDayOfQuarter(about.year, about.quarter));
  const sheet = openFirmSheet({
    title: 'Tax Liability',
    subtitle: quarterLabel(about),
    company: one,
    preparedDay: about.preparedDay,
    facts: [['Quarter ended', quarterEnd]],
  });
  const lines = (share: number) => {
    const cents = share * 104_730;
    sheet.formLines([
      { line: '1', label: 'Federal income tax withheld', value: amount(cents) },
      { line: '2', label: 'Social security and Medicare, both halves', value: amount(cents * 2) },
      { line: '3', label: 'Total', value: amount(cents * 3), strong: true },
    ]);
  };
  lines(one.employees);
  sheet.y += 30;
  sheet.text(other.name, sheet.left, sheet.y, { size: 12, face: 'bold' });
  sheet.y += 18;
  sheet.facts([
    ['EIN', other.federalId],
    ['Quarter ended', quarterEnd],
  ]);
  lines(other.employees);
  return sheet.finish();
}

/** Wages that were reported twice. */
const TWICE_CENTS = 120_000;

/** A return that replaces one filed before: as reported, as it should be, and the difference. */
export function amended941(ledger: Ledger, about: About): Promise<Uint8Array> {
  const { company } = ledger;
  const correct = form941(ledger, about.year, about.quarter);
  const sheet = openFormSheet({
    number: '941-X',
    title: "Adjusted Employer's QUARTERLY Federal Tax Return",
    year: about.year,
    period: [quarterLabel(about), 'Jul, Aug, Sep'],
    company,
    preparedDay: about.preparedDay,
    agency: 'Department of the Treasury – Internal Revenue Service',
  });
  sheet.heading('Part 3: Corrections for this quarter');
  const row = (line: string, label: string, cents: number, tooMuchCents: number) => [
    line,
    label,
    amount(cents),
    amount(cents + tooMuchCents),
    amount(-tooMuchCents),
  ];
  sheet.table(
    [
      { head: 'Line', weight: 7 },
      { head: 'Entry', weight: 46 },
      { head: 'Corrected', weight: 17, align: 'right' },
      { head: 'As reported', weight: 17, align: 'right' },
      { head: 'Difference', weight: 17, align: 'right' },
    ],
    [
      row('6', 'Wages, tips, and other compensation', correct.line2WagesCents, TWICE_CENTS),
      row('8', 'Taxable social security wages, tax', correct.line5aTaxCents, (TWICE_CENTS * 124) / 1000),
      row('12', 'Taxable Medicare wages, tax', correct.line5cTaxCents, (TWICE_CENTS * 29) / 1000),
    ],
    { size: 8.5, rowHeight: 17 },
  );
  sheet.heading('Part 4: Explanation');
  sheet.paragraph(`One check of ${dollars(TWICE_CENTS)} was reported twice. It is taken out here.`, { size: 9 });
  signatureBlock(sheet, about.preparedDay, company.index * 17);
  return sheet.finish();
}
