// What a document is and what it is for.
import { describe, expect, test } from 'vitest';
import { file, only, register, said, typeName } from '../../testing/recognition-firm.ts';
import { typedPage } from '../../testing/typed-page.ts';

describe('what a document is', () => {
  const of = (title: string) =>
    only(
      file(
        'x.pdf',
        typedPage(`
    #${title}
    EIN 07-1234567
    Harbor & Pine Bakery LLC
  `),
      ),
    );

  test.each([
    ['Employer’s QUARTERLY Federal Tax Return', '941', 'Form 941', false],
    ['Adjusted Employer’s QUARTERLY Federal Tax Return or Claim for Refund', '941-X', 'Form 941', true],
    ['Report of Tax Liability for Semiweekly Schedule Depositors', 'Schedule B', 'Form 941', false],
    ['Employer’s Annual Federal Unemployment (FUTA) Tax Return', '940', 'Form 940', false],
    ['Form W-2 Wage and Tax Statement', 'W-2', 'W-2 / W-3', false],
    ['Form W-2c Corrected Wage and Tax Statement', 'W-2c', 'W-2 / W-3', true],
    ['Form W-3 Transmittal of Wage and Tax Statements', 'W-3', 'W-2 / W-3', false],
    ['Form W-3c Transmittal of Corrected Wage and Tax Statements', 'W-3c', 'W-2 / W-3', true],
    ['Form 1099-NEC', '1099-NEC', '1099-NEC / 1096', false],
    ['Annual Summary and Transmittal of U.S. Information Returns', '1096', '1099-NEC / 1096', false],
    ['NYS-45', 'State quarterly', 'State Quarterly (withholding, SUTA)', false],
    ['DE 9C', 'State quarterly', 'State Quarterly (withholding, SUTA)', false],
    ['Notice CP134B', 'Tax notice', 'Tax Notice', false],
    ['Payroll Journal', 'Payroll journal', 'Payroll Journal', false],
    ['Payroll Summary', 'Payroll summary', 'Payroll Summary', false],
    ['Employee Earnings Record', 'Employee earnings', 'Employee Earnings', false],
    ['Tax Liability Report', 'Tax liability', 'Tax Liability', false],
    ['EFTPS Payment Confirmation', 'Deposit confirmation', 'Deposit Confirmation (EFTPS)', false],
    ['Direct Deposit Register', 'Direct deposit', 'Direct Deposit / ACH', false],
    ['Garnishment Report', 'Deductions', 'Deductions & Garnishments', false],
    ['401k contribution detail', null, 'Retirement Listing', false],
  ])('%s', (title, form, reportType, correction) => {
    const document = of(title);
    expect([document.form, typeName(document.reportTypeId), document.correction, document.state]).toEqual([
      form,
      reportType,
      correction,
      'ready',
    ]);
  });

  test.each([
    ['Annual Return of Withheld Federal Income Tax', '945', ['unknownType']],
    ['Employer’s Annual Federal Tax Return for Agricultural Employees', '943', ['unknownType']],
    ['Employer’s ANNUAL Federal Tax Return', '944', ['unknownType']],
    ['Lunch menu', null, ['noType']],
  ])('%s goes to no report type of the firm', (title, form, reasons) => {
    const document = of(title);
    expect([document.form, document.reportTypeId, said(document)]).toEqual([form, null, reasons]);
  });

  test('a form that is only spoken of is not what the document is', () => {
    const notice = typedPage(`
      Department of the Treasury        Notice    CP14
      Internal Revenue Service          Employer ID number    07-1234567
      HARBOR & PINE BAKERY LLC

      #You have a balance due
      Our records show an unpaid balance on your Form 941, Employer's QUARTERLY Federal Tax Return, for the period.
      You may have to file Form 941-X, see Form 940 and the payroll register that you keep.
    `);
    expect(only(file('x.pdf', notice))).toMatchObject({ form: 'Tax notice', state: 'ready' });
  });

  test('two titles side by side are for a person to choose from', () => {
    const page = typedPage(`
      Harbor & Pine Bakery LLC    EIN 07-1234567
      Payroll Register
      Payroll Summary
    `);
    expect(said(only(file('x.pdf', page)))).toEqual(['severalTypes']);
  });

  test('a file’s name that names another form is a contradiction', () => {
    const page = register('Harbor & Pine Bakery LLC', '07-1234567').runs;
    const form = typedPage(`
      #Employer's Annual Federal Unemployment (FUTA) Tax Return
      EIN 07-1234567    Harbor & Pine Bakery LLC
    `);
    expect(page.length).toBeGreaterThan(0);
    expect(said(only(file('Form 941 Q1.pdf', form)))).toEqual(['severalTypes']);
    expect(only(file('Form 940 2024.pdf', form)).state).toBe('ready');
  });
});

describe('what a document is for', () => {
  const period = (title: string, line: string, name = 'x.pdf') =>
    only(
      file(
        name,
        typedPage(`
      #${title}
      ${line}
      EIN 07-1234567    Harbor & Pine Bakery LLC
    `),
      ),
    ).period;
  const quarterly = 'Employer’s QUARTERLY Federal Tax Return';

  test.each([
    ['Payroll Register', 'Check Date: 3/14/25', '2025-03-14'],
    ['Payroll Register', 'Pay date  March 14, 2025', '2025-03-14'],
    ['Payroll Register', 'Period 03/01/2025 - 03/13/2025', null],
    ['Payroll Summary', '01/01/2025 - 03/31/2025', '2025-Q1'],
    ['Payroll Summary', 'January 1, 2024 through December 31, 2024', '2024'],
    ['Payroll Summary', '3rd Quarter 2024    Check Date 07/12/2024    Check Date 09/20/2024', '2024-Q3'],
    ['Payroll Summary', '3rd Quarter 2024    Check Date 07/12/2024    Check Date 10/04/2024', null],
    [quarterly, 'Quarter ended 06/30/2025', '2025-Q2'],
    [quarterly, '3rd Quarter 2025', '2025-Q3'],
    [quarterly, 'October - December 2025', '2025-Q4'],
    [quarterly, 'Tax period  March 31, 2025', '2025-Q1'],
    [quarterly, 'Filed 04/30/2025', null],
    ['Form W-2 Wage and Tax Statement', 'Tax year 2024', '2024'],
  ])('%s, %s', (title, line, expected) => {
    expect(period(title, line)).toBe(expected);
  });

  test('the file’s name says it where the page does not', () => {
    expect(period(quarterly, '', '941 3Q25.pdf')).toBe('2025-Q3');
    // The day on which it was filed is not its quarter.
    expect(period(quarterly, '', '941 filed 2025-04-30.pdf')).toBeNull();
  });

  test('the checked box of four says the quarter', () => {
    const page = typedPage(`
      #Employer's QUARTERLY Federal Tax Return
      EIN 07-1234567    Harbor & Pine Bakery LLC
      Report for this Quarter of 2024
                    1: January, February, March
              X     2: April, May, June
                    3: July, August, September
                    4: October, November, December
    `);
    expect(only(file('x.pdf', page)).period).toBe('2024-Q2');
  });
});
