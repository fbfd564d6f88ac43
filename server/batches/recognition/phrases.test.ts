// What the firm says of pages, and what a page says that a person could say of it: its heading, and the name on it.
import { describe, expect, test } from 'vitest';
import { file, known, said } from '../../testing/recognition-firm.ts';
import { typedPage } from '../../testing/typed-page.ts';
import { pageOfText } from '../reading/text-file.ts';
import { recognise } from './recognise.ts';

/** Of a firm that says of its report type what pages of it are headed; `without` one of the usual types. */
function told(phrases: Readonly<Record<string, readonly string[]>>, text: string, without?: string) {
  const reportTypes = [
    ...known.reportTypes
      .filter(({ name }) => name !== without)
      .map((type) => ({ ...type, phrases: phrases[type.name] ?? type.phrases })),
    { id: 300, name: 'Timesheets', phrases: phrases['Timesheets'] ?? [] },
  ];
  const [document] = recognise([file('x.pdf', typedPage(text))], { ...known, reportTypes });
  const type = reportTypes.find(({ id }) => id === document?.reportTypeId)?.name ?? null;
  return { type, form: document?.form, reasons: said(document), state: document?.state };
}

const page = (title: string, more = '') => `
  ${title}
  Harbor & Pine Bakery LLC    EIN 07-1234567
  ${more}
  Q1 2025    Year: 2025
`;

describe('a phrase of the firm', () => {
  test.each([
    ['a heading that nothing else tells', page('#Weekly Hours Report'), 'Timesheets'],
    ['in capitals, with other signs', page('WEEKLY: HOURS - REPORT'), 'Timesheets'],
    ['before a date', page('#Weekly Hours Report - March 14, 2025'), 'Timesheets'],
    ['smaller than the heading of a known report', page('#Payroll Register', '\n\nWeekly Hours Report'), 'Timesheets'],
    [
      'lower on the page, where a known report heads it',
      page('#Payroll Register', `${'\n'.repeat(30)}Weekly hours report`),
      'Payroll Register',
    ],
  ])('%s', (_, text, type) => {
    const found = told({ Timesheets: ['Weekly hours report'] }, text);
    expect([found.type, found.state]).toEqual([type, 'ready']);
  });

  test('goes before what the same words mean elsewhere, and what form it is stays known', () => {
    const form = 'Employer’s QUARTERLY Federal Tax Return';
    expect(told({ Timesheets: [form] }, page(`#${form}`))).toEqual({
      type: 'Timesheets',
      form: '941',
      reasons: [],
      state: 'ready',
    });
    expect(told({ Timesheets: ['Payroll Register'] }, page('#Payroll Register')).type).toBe('Timesheets');
  });

  test('says what type a form is that the firm has none for', () => {
    const form = 'Annual Return of Withheld Federal Income Tax';
    const found = told({ Timesheets: ['Withholding package'] }, page(`#${form}`, 'Withholding package'), 'Form 945');
    expect(found).toEqual({ type: 'Timesheets', form: '945', reasons: [], state: 'ready' });
  });

  test('that an official title contradicts is looked at by a person', () => {
    const text = page('#Employer’s QUARTERLY Federal Tax Return', 'Weekly Hours Report');
    const found = told({ Timesheets: ['Weekly hours report'] }, text);
    expect([found.type, found.reasons]).toEqual(['Timesheets', ['severalTypes']]);
  });

  test('and one of another type are looked at by a person', () => {
    const text = page('#Weekly Hours Report', 'Hours by crew');
    const phrases = { Timesheets: ['Weekly hours report'], 'Tax Notice': ['Hours by crew'] };
    expect(told(phrases, text).reasons).toEqual(['severalTypes']);
  });
});

describe('the period of pages that a phrase tells', () => {
  const [unread, two] = ['Check Date: 18 septembre 2026', 'Check Date: 09/18/2026    Check Date: 10/02/2026'];

  test.each([
    ['Payroll Journal', 'Check Date: 09/18/2026', []],
    ['Payroll Journal', unread, ['unreadPeriod']],
    ['Payroll Journal', two, ['severalPeriods']],
    ['Payroll Journal', 'Dayton office', ['noPeriod']],
    ['Form 941', 'Dayton office', ['noPeriod']],
    // Of a type of the firm's own nobody knows whether it has one.
    ['Timesheets', 'Check Date: 09/18/2026', []],
    ['Timesheets', unread, ['unreadPeriod']],
    ['Timesheets', two, ['severalPeriods']],
    ['Timesheets', 'Dayton office', []],
  ])('as %s, with %j', (type, line, reasons) => {
    const text = `
      #Weekly Hours Report
      Harbor & Pine Bakery LLC    EIN 07-1234567
      ${line}
    `;
    const found = told({ [type]: ['Weekly hours report'] }, text);
    const state = reasons.length === 0 ? 'ready' : 'toCheck';
    expect(found).toEqual({ type, form: null, reasons, state });
  });

  test.each([
    ['Form 941', 'Check Date: 09/18/2026    Q3 2026', 'x.pdf', '2026-Q3'],
    ['Form 941', 'Check Date: 18 septembre 2026    Q3 2026', 'x.pdf', '2026-Q3'],
    ['W-2 / W-3', 'Check Date: 09/18/2026    Tax year 2026', 'x.pdf', '2026'],
    ['Employee Earnings', 'Q3 2026    Tax year 2026', 'x.pdf', '2026-Q3'],
    ['Form 941', 'Check Date: 09/18/2026', 'x.pdf', '2026-09-18'],
    ['Payroll Journal', 'Check Date: 09/18/2026    Q3 2026', 'x.pdf', '2026-09-18'],
    ['Retirement Listing', 'Check Date: 09/18/2026    Q3 2026', 'x.pdf', '2026-09-18'],
    // The day in a name may be that of its filing.
    ['Form 941', 'Dayton office', 'Hours 09-18-2026.pdf', null],
    ['Form 941', 'Dayton office', 'Hours Q3 2026.pdf', '2026-Q3'],
    ['Retirement Listing', 'Dayton office', 'Hours 09-18-2026.pdf', '2026-09-18'],
  ])('of %s is looked for as such reports usually have it: %j in %j', (type, line, name, period) => {
    const reportTypes = known.reportTypes.map((each) =>
      each.name === type ? { ...each, phrases: ['Weekly hours report'] } : each,
    );
    const text = `
      #Weekly Hours Report
      Harbor & Pine Bakery LLC    EIN 07-1234567
      ${line}
    `;
    expect(recognise([file(name, typedPage(text))], { ...known, reportTypes })[0]?.period).toBe(period);
  });
});

describe('the heading of a page', () => {
  const headingOf = (text: string) => recognise([file('x.pdf', typedPage(text))], known)[0]?.heading;

  test.each([
    ['is its largest words', page('Dayton office\n#Weekly Hours Report'), 'Weekly Hours Report'],
    ['of one size, is the topmost', page('Weekly Hours Report\nBy crew and shift'), 'Weekly Hours Report'],
    ['is no client', '#Harbor & Pine Bakery LLC\nWeekly Hours Report', 'Weekly Hours Report'],
    ['is no client out of reach', '#Hidden Valley Farms Inc.\nWeekly Hours Report', 'Weekly Hours Report'],
    ['is no other company', '#Brightwater Diner LLC\nWeekly Hours Report', 'Weekly Hours Report'],
    ['ends before its date', page('#Weekly Hours Report for the week ending March 14, 2025'), 'Weekly Hours Report'],
    ['ends before a sign', page('#Weekly Hours Report | Dayton'), 'Weekly Hours Report'],
    ['is no label', 'Company: Dayton\nPage: 1\nWeekly Hours Report', 'Weekly Hours Report'],
    [
      'is no number and no address',
      '#2025\n12 Mill Road\nDayton, OH 45402\nWeekly Hours Report',
      'Weekly Hours Report',
    ],
    ['is no head of columns', 'Shift    Hours    Rate    Gross\nWeekly Hours Report', 'Weekly Hours Report'],
    ['is no word that stands on every page', '#Report\nWeekly Hours Report', 'Weekly Hours Report'],
    [
      'goes by what a type was recognised by',
      page('#Dayton office\n#Weekly Payroll Register'),
      'Weekly Payroll Register',
    ],
    ['is none where nothing could be told again', page('#Page 1'), null],
    ['is none below the head', `Page 1${'\n'.repeat(30)}Weekly Hours Report`, null],
  ])('%s', (_, text, heading) => {
    expect(headingOf(text)).toBe(heading);
  });

  const columns = 'Employee name,Hours worked,Hourly rate\nRosa Calloway,80,21.50';
  test.each([
    ['is what stands alone above the table', `Weekly Hours Report,,\n${columns}`, 'Weekly Hours Report'],
    ['is no company above it', `Harbor & Pine Bakery LLC\n"Weekly Hours Report"\n${columns}`, 'Weekly Hours Report'],
    ['is no head of columns', columns, null],
    ['is no head of columns that a type was recognised by', 'Employee Deductions,Total\nRosa Calloway,21.50', null],
    ['is nothing below the first row of cells', `Company,Dayton office\nWeekly Hours Report\n${columns}`, null],
    ['is no row of a list', 'Employee name\nRosa Calloway\nTamsin Castellan', null],
  ])('of a CSV %s', (_, text, heading) => {
    const page = pageOfText(Buffer.from(text), 'text/csv');
    expect(recognise([file('hours.csv', page)], known)[0]?.heading).toBe(heading);
  });
});

describe('the name on a page', () => {
  const nameOf = (text: string) => recognise([file('x.pdf', typedPage(text))], known)[0]?.printedName;

  test.each([
    ['by its ending', '#Weekly Hours Report\nBrightwater Diner LLC', 'Brightwater Diner LLC'],
    ['by its label', '#Weekly Hours Report\nCompany Name: Brightwater Diner', 'Brightwater Diner'],
    ['the labelled one first', 'Zenith Foods LLC\nCompany Name: Brightwater Diner', 'Brightwater Diner'],
    ['none of two that nothing introduces', '#Zenith Foods LLC\nBrightwater Diner LLC\nWeekly Hours Report', null],
    [
      'one that stands there twice',
      '#Brightwater Diner LLC\nWeekly Hours Report\nBRIGHTWATER DINER, LLC',
      'Brightwater Diner LLC',
    ],
    ['beside a client’s', 'Harbor & Pine Bakery LLC\nBrightwater Diner LLC', 'Brightwater Diner LLC'],
    ['no client’s', '#Weekly Hours Report\nHarbor & Pine Bakery LLC', null],
    ['no client’s out of reach', '#Weekly Hours Report\nHidden Valley Farms Inc.', null],
    ['no third party’s', '#Weekly Hours Report\nPrepared by: Brightwater Services LLC', null],
    ['none far down', `#Weekly Hours Report${'\n'.repeat(20)}Brightwater Diner LLC`, null],
  ])('%s', (_, text, name) => {
    expect(nameOf(text)).toBe(name);
  });
});
