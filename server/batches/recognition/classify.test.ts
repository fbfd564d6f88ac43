// What a document is and what it is for.
import { describe, expect, test } from 'vitest';
import { file, known, only, register, said, typeName } from '../../testing/recognition-firm.ts';
import { typedPage } from '../../testing/typed-page.ts';
import { recognise } from './recognise.ts';

describe('what a document is', () => {
  const of = (title: string) =>
    only(
      file(
        'x.pdf',
        typedPage(`
    #${title}
    Pay Date: 03/14/2025    Quarter: Q1 2025    Tax year 2025
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
    ['Employer’s Annual Federal Tax Return for Agricultural Employees', '943', 'Form 943', false],
    ['Employer’s ANNUAL Federal Tax Return', '944', 'Form 944', false],
    ['Annual Return of Withheld Federal Income Tax', '945', 'Form 945', false],
    ['Form 943', '943', 'Form 943', false],
    ['Form 944', '944', 'Form 944', false],
    ['Form 945', '945', 'Form 945', false],
    [
      'Adjusted Employer’s Annual Federal Tax Return for Agricultural Employees or Claim for Refund',
      '943-X',
      'Form 943',
      true,
    ],
    ['Form 943-X', '943-X', 'Form 943', true],
    ['Adjusted Employer’s ANNUAL Federal Tax Return or Claim for Refund', '944-X', 'Form 944', true],
    ['Form 944-X', '944-X', 'Form 944', true],
    ['Adjusted Annual Return of Withheld Federal Income Tax or Claim for Refund', '945-X', 'Form 945', true],
    ['Form 945-X', '945-X', 'Form 945', true],
    ['Form 941 Schedule B', 'Schedule B', 'Form 941', false],
    ['Form W-2 Wage and Tax Statement', 'W-2', 'W-2 / W-3', false],
    ['Form W-2c Corrected Wage and Tax Statement', 'W-2c', 'W-2 / W-3', true],
    ['Form W-3 Transmittal of Wage and Tax Statements', 'W-3', 'W-2 / W-3', false],
    ['Form W-3c Transmittal of Corrected Wage and Tax Statements', 'W-3c', 'W-2 / W-3', true],
    ['Form 1099-NEC', '1099-NEC', '1099-NEC / 1096', false],
    ['Annual Summary and Transmittal of U.S. Information Returns', '1096', '1099-NEC / 1096', false],
    ['1096    U.S. Information Returns', '1096', '1099-NEC / 1096', false],
    ['NYS-45', 'State quarterly', 'State Quarterly (withholding, SUTA)', false],
    ['DE 9C', 'State quarterly', 'State Quarterly (withholding, SUTA)', false],
    ['Notice CP134B', 'Tax notice', 'Tax Notice', false],
    ['Payroll Journal', 'Payroll journal', 'Payroll Journal', false],
    ['Payroll Summary', 'Payroll summary', 'Payroll Summary', false],
    ['Employee Earnings Record', 'Employee earnings', 'Employee Earnings', false],
    ['Tax Liability Report', 'Tax liability', 'Tax Liability', false],
    ['EFTPS Payment Confirmation', 'Deposit confirmation', 'Deposit Confirmation (EFTPS)', false],
    ['Direct Deposit Register', 'Direct deposit', 'Direct Deposit / ACH', false],
    ['Direct Deposit Confirmation', 'Direct deposit', 'Direct Deposit / ACH', false],
    ['Garnishment Report', 'Deductions', 'Deductions & Garnishments', false],
    ['401k contribution detail', null, 'Retirement Listing', false],
    ['Amended Form 941', '941', 'Form 941', true],
    ['Corrected Form 941', '941', 'Form 941', true],
    ['Amended Employer’s QUARTERLY Federal Tax Return', '941', 'Form 941', true],
    ['Corrected Payroll Journal', 'Payroll journal', 'Payroll Journal', true],
    // A box to tick.
    ['CORRECTED    Form 1099-NEC', '1099-NEC', '1099-NEC / 1096', false],
    ['CORRECTED Form 1099-NEC', '1099-NEC', '1099-NEC / 1096', false],
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
    // A number that goes on is another form's.
    'Form 945-A    Annual Record of Federal Tax Liability',
    'Form 943-A',
    'Form 940-B',
    'NYS-45-X',
    'IL-941-X',
    'Form M-941',
    'MO-941',
    'MO W-3',
    'Form W-2G',
    'Form 1095-C',
    'Form 1099-MISC',
    '1    Nonemployee compensation',
    'Form 8109    Federal Tax Deposit Coupon',
    // A schedule is filed with the form.
    'Schedule R (Form 941): Allocation Schedule for Aggregate Form 941 Filers',
    'Schedule D (Form 941): Report of Discrepancies',
    'Schedule A (Form 940)',
    'Form 940 Schedule A',
    // What speaks of a form or a report, comes back for it or goes before it.
    'Form 941 Worksheet',
    'Form 941 Instructions',
    'Form 941 E-file Acknowledgement',
    'Form 941 Filing Confirmation',
    'Form 940 Reconciliation',
    'Form 941 Deposit Summary',
    'Form 941 Liability Report',
    'W-2 Preview',
    // It may be a box to tick, or another form.
    'Corrected W-2',
    'Amended Form W-2',
    'Here is your Payroll Register',
    'Payroll Register - Preview',
    'Payroll Register    *** PREVIEW ***',
    'Payroll Register - Proof',
    'Pre-Payroll Register',
    'Trial Payroll Register',
    'Direct Deposit Advice',
    'Direct Deposit Authorization Form',
    'Direct Deposit Enrollment',
    'Federal Tax Deposits Due',
    // The same words of something else.
    'Sales Tax Liability Report',
    'Sales Tax Payment Confirmation',
    'Vendor Check Register',
    'A/P Check Register',
    'Check Register',
    'Garnishment Payment Confirmation',
    '401(k) Deposit Confirmation',
    'Workers Comp Payroll Summary',
  ])('%s is none of the types', (title) => {
    expect([typeName(of(title).reportTypeId), said(of(title))]).toEqual([null, expect.arrayContaining(['noType'])]);
  });

  const company = 'Harbor & Pine Bakery LLC    EIN 07-1234567\nCheck Date: 09/18/2026    Q3 2026    Year 2026';
  test.each([
    ['a line of a list', 'Cash Requirements\nDirect Deposit    12,345.00'],
    ['a line of a list that says what became of it', 'Tax Filings\nForm 941    Filed 10/30/2026'],
    ['a row of a table', 'Tax Filings\n\nReturn  Period  Status  Day\nForm 941  Q3 2026  Filed  10/30/2026'],
    ['a section below a larger title', '#Payroll Details\nTamsin Castellan\nEmployee Deductions\n401k'],
    ['what a letter encloses', '#Your quarterly returns\nEnclosed please find:\nForm 941\nPlease sign it.'],
    ['what instructions are for', '#Filing Instructions\nForm 941\nSign and date the return'],
    ['what is signed for', '#E-file Signature Authorization for Forms 940, 941, 943\nForm 941'],
    ['a deposit of a statement', '#Statement of Deposits and Filings\nTax Deposits\nIRS'],
    ['a payment of something else', 'Child Support\nPayment Confirmation'],
    ['the form that a tax was paid for', 'Federal Tax Payment\nTax Form: 941'],
    ['the form behind its label', 'Federal Tax Payment\nTax Type:    Form 941'],
    ['the way in which somebody is paid', 'Earnings Statement\nPay Method: Direct Deposit'],
    ['the number of a company', 'Cash Requirements\nCompany Code:    5080'],
    ['a kind of worker', '#Employee Roster\nTamsin Castellan    W-2    Active'],
    ['a city’s W-3', 'City of Dayton\n#Form W-3\nReconciliation of Income Tax Withheld'],
    ['a state’s W-3', 'State of Rhode Island    Division of Taxation\nForm    W-3'],
    ['a city’s 941', 'City of Lansing    Income Tax Division\n#Form 941\nWithholding Return'],
  ])('%s is not what the page is', (_, lines) => {
    const document = only(file('x.pdf', typedPage(`${lines}\n${company}`)));
    expect([typeName(document.reportTypeId), said(document)]).toEqual([null, ['noType']]);
  });

  const named = 'Tidewater Distribution';
  test.each([
    ['behind a hyphen', 'Payroll Register-All Employees', 'Payroll Register'],
    ['before one', 'HPB-Payroll Register', 'Payroll Register'],
    ['of a state behind its name', 'TN-LB-0456', 'State Quarterly (withholding, SUTA)'],
    [
      'behind a company that ends with what taxes and vendors are of',
      'Bay Property - Payroll Journal',
      'Payroll Journal',
    ],
    ['behind one in the same cell', 'Premium Payroll Register', 'Payroll Register'],
    ['that vendors’ checks have too, with people', 'Check Register\nAll employees paid', 'Payroll Register'],
    [
      'that other payments have too, with a tax',
      'Payment Confirmation\nTax Period: Q3 2026',
      'Deposit Confirmation (EFTPS)',
    ],
    ['below the larger name of a client', `#${named}\nTax Liability Report`, 'Tax Liability'],
    ['of a client that is named as a state is', 'State of Grace Yoga\nForm 941', 'Form 941'],
    [
      'in the last line of a head of many cells',
      'Run 09/20/2026    10:12    User TC    Page 1\nNo. 17    Weekly    All    Dayton\nShift 1    Payroll Register    Hourly    Pay Date',
      'Payroll Register',
    ],
  ])('a heading %s is what the page is', (_, lines, expected) => {
    const clients = known.clients.map((client) =>
      client.id === 1 ? { ...client, names: [...client.names, named, 'State of Grace Yoga'] } : client,
    );
    const [document] = recognise([file('x.pdf', typedPage(`${lines}\n${company}`))], { ...known, clients });
    expect([typeName(document?.reportTypeId ?? null), said(document)]).toEqual([expected, []]);
  });

  test('a state’s return is known by its number below a larger title', () => {
    const page = typedPage(`
      Illinois Department of Revenue    Form    IL-941
      #2026 Illinois Withholding Income Tax Return
      FEIN 07-1234567    Harbor & Pine Bakery LLC
      Quarter ended September 30, 2026
    `);
    expect(only(file('x.pdf', page))).toMatchObject({ form: 'State quarterly', period: '2026-Q3', state: 'ready' });
  });

  test('what says nothing about itself goes to no report type of the firm', () => {
    const document = of('Lunch menu');
    expect([document.form, document.reportTypeId, said(document)]).toEqual([null, null, ['noType']]);
  });

  test('a form for which the firm has no type goes to none, and says so', () => {
    const without = { ...known, reportTypes: known.reportTypes.filter(({ name }) => !/94[345]/.test(name)) };
    const page = typedPage('#Annual Return of Withheld Federal Income Tax\nEIN 07-1234567\nTax year 2025');
    const [document] = recognise([file('x.pdf', page)], without);
    expect([document?.form, document?.reportTypeId]).toEqual(['945', null]);
    expect(document?.reasons).toContainEqual({ kind: 'unknownType' });
  });

  test('a form that is only spoken of is not what the document is', () => {
    const notice = typedPage(`
      Department of the Treasury        Notice    CP14
      Internal Revenue Service          Employer ID number    07-1234567
      Tax period  March 31, 2025
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
      Check Date: 03/14/2025
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
    expect(said(only(file('Form 941 Q1.pdf', form)))).toEqual(['severalTypes', 'noPeriod']);
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
    ['Payroll Journal', 'For the month of September 2026', '2026-09'],
    ['Payroll Journal', 'Period: 09/2026', '2026-09'],
    ['Payroll Journal', 'Period: 9/2026', '2026-09'],
    ['Payroll Register', 'Month ending 09/30/2026', '2026-09'],
    ['Payroll Register', 'Period 02/01/2024 - 02/29/2024', '2024-02'],
    ['Payroll Register', 'September 2026', '2026-09'],
    ['Payroll Register', 'For September, 2026', '2026-09'],
    ['Payroll Summary', 'For the month of September 2026    Quarter: Q3 2026', '2026-09'],
    ['Tax Liability Report', 'For the month of September 2026    Quarter: Q3 2026', '2026-Q3'],
    // A pay date says more, and several of one month are the month's.
    ['Payroll Register', 'For the month of September 2026    Check Date: 09/15/2026', '2026-09-15'],
    ['Payroll Register', 'Month: September 2026    Check Date 09/04/2026    Check Date 09/18/2026', '2026-09'],
    ['Payroll Register', 'Month: September 2026    Check Date 09/04/2026    Check Date 10/02/2026', null],
    // Neither a number of the year's periods, nor the last month of a return, nor a month that there is not.
    ['Payroll Register', 'Pay Period 10/2026', null],
    ['Payroll Register', 'Period: 13/2026', null],
    ['Payroll Journal', 'Period : 09/2026', '2026-09'],
    [quarterly, 'For the month of September 2026', null],
    ['Form W-2 Wage and Tax Statement', 'For the month of September 2026', null],
    ['Payroll Summary', '01/01/2025 - 03/31/2025', '2025-Q1'],
    ['Payroll Summary', 'January 1, 2024 through December 31, 2024', '2024'],
    ['Payroll Summary', '01-JAN-26 TO 31-MAR-26', '2026-Q1'],
    ['Payroll Summary', '01-Jan-26 - 31-Mar-26', '2026-Q1'],
    ['Payroll Summary', '3rd Quarter 2024    Check Date 07/12/2024    Check Date 09/20/2024', '2024-Q3'],
    ['Payroll Summary', '3rd Quarter 2024    Check Date 07/12/2024    Check Date 10/04/2024', null],
    [quarterly, 'Quarter ended 06/30/2025', '2025-Q2'],
    // As small print comes out of a scanner; a day that ends no quarter is none's.
    [quarterly, 'QUARTER    ACCOUNT\n06/30/2025    412-3515', '2025-Q2'],
    [quarterly, 'QUARTER ENDEL    ACCOUNT\n06/30/2025    412-3515', '2025-Q2'],
    [quarterly, 'QUARTER    ACCOUNT\n06/29/2025    412-3515', null],
    [quarterly, '3rd Quarter 2025', '2025-Q3'],
    [quarterly, 'October - December 2025', '2025-Q4'],
    [quarterly, 'Tax period  March 31, 2025', '2025-Q1'],
    [quarterly, 'Filed 04/30/2025', null],
    ['Form W-2 Wage and Tax Statement', 'Tax year 2024', '2024'],
    // The day on which a period ends says which quarter a quarterly return is for, and no more of a pay run.
    [quarterly, 'Period ended 09/30/2026', '2026-Q3'],
    ['NYS-45', 'Quarterly return    Period ending 09/30/2026', '2026-Q3'],
    ['Payroll Register', 'Period Ending 09/30/2026', null],
    ['Payroll Register', 'Pay Period Ending 09/30/2026', null],
    ['Payroll Register', 'Biweekly Period Ended 12/31/2026', null],
    ['Payroll Register', 'Period Ending 09/30/2026    Pay Date 10/02/2026', '2026-10-02'],
    ['Payroll Register', 'Period Ending 09/30/2026    Check Date 09/18/2026    Check Date 09/25/2026', null],
    ['Tax Liability Report', 'Period Ending 09/30/2026', null],
    // Some states have the same form filed for a month.
    ['VA-5', 'Monthly Return    Period ending 09/30/2026', null],
    ['IT 501', 'Period Ending 09/30/2026', null],
    ['5080', 'Monthly/Quarterly Return    Period ending 09/30/2026', null],
    ['IT 501', 'Quarter ended 09/30/2026', '2026-Q3'],
    // What is for a pay period or a week is for no month, quarter or year that stands there too.
    ['Payroll Register', 'Year: 2026    Period Ending 09/15/2026', null],
    ['Payroll Register', 'Year: 2026    Period Ending 09/30/2026', null],
    ['Payroll Register', 'Pay Period: 09/01/2026 - 09/15/2026    Quarter: Q3 2026', null],
    ['Payroll Register', 'Pay Period    09/01/2026 - 09/15/2026\nQ3 2026', null],
    ['Payroll Register', 'Pay Period 18    September 2026', null],
    ['Payroll Register', 'Week 38    Year 2026', null],
    ['Payroll Register', 'Week#: 38    Year: 2026', null],
    ['Payroll Register', 'Wk #    38    Year: 2026', null],
    ['Payroll Register', 'P/E: 09/26/2026    Year: 2026', null],
    ['Payroll Register', 'Pay Run: 18    Year: 2026', null],
    ['Payroll Register', 'Payroll No. 18    September 2026', null],
    ['Payroll Register', 'Q3 2026    09/16/2026 - 09/30/2026', null],
    ['Payroll Register', 'Month: September 2026    Pay Period: 09/01/2026 - 09/30/2026', '2026-09'],
    ['Payroll Register', 'Q3 2026    Period Ending 09/30/2026', '2026-Q3'],
    ['Payroll Register', 'Q3 2026    Pay Frequency: Weekly', '2026-Q3'],
    ['Payroll Summary', 'Q3 2026\n\nPay Period\n07/01/2026 - 07/15/2026\n07/16/2026 - 07/31/2026', '2026-Q3'],
    ['Employee Earnings Statement', 'Pay Period 09/01/2026 - 09/15/2026    Year: 2026', null],
    // What counts weeks and pay periods, or lists the days of runs, is for no pay period.
    ['Employee Earnings Record', 'Year: 2026    Weeks worked: 52', '2026'],
    ['Employee Earnings Record', 'Year: 2026    Hours per week: 40', '2026'],
    ['Employee Earnings Record', 'Year: 2026    Pay periods: 26', '2026'],
    ['Employee Earnings Record', 'Year: 2026    Payroll runs: 26', '2026'],
    ['Employee Earnings Record', 'Tax year 2026    Period: 2026', '2026'],
    ['Employee Earnings Record', 'Year: 2026    01/02/2026 - 12/18/2026', '2026'],
    ['Payroll Register', 'Q3 2026    Check dates 07/03/2026 - 09/25/2026', '2026-Q3'],
    ['Payroll Register', 'September 2026    Check dates 09/04/2026 - 09/25/2026', '2026-09'],
    ['Payroll Register', 'Q3 2026\n\nPay Period    Gross\n13    100.00\n14    100.00\n15    100.00', '2026-Q3'],
    ['Payroll Register', 'Q3 2026\n\nPay Period Totals\n14 Mill Street', '2026-Q3'],
    ['Payroll Register', 'Q1 2026    Period: January 2026 to March 2026', '2026-Q1'],
    ['Payroll Register', 'Week Ending: 09/26/2026    September 2026', null],
    ['Payroll Register', 'Q3 2026    Pay Period Ending    September 15, 2026', null],
    // A quarterly return names the months of its quarter.
    ['Quarterly Contribution Report', 'Period ending 09/30/2026\nPeople: first month 4, second month 5', '2026-Q3'],
    // A quarter or month that is numbered beside its year.
    ['Payroll Register', 'Quarter: 3 Year: 2026', '2026-Q3'],
    ['Payroll Register', 'Year: 2026    Qtr 3', '2026-Q3'],
    ['Payroll Register', 'Month: 9    Year: 2026', '2026-09'],
    ['Employee Earnings Record', 'Quarter: 3    Year: 2026', '2026-Q3'],
    // Neither another year than the calendar's, nor that of something else, nor one of several.
    ['Payroll Register', 'Fiscal Year 2026', null],
    ['Payroll Register', 'Fiscal Year:    2026', null],
    ['Payroll Register', 'Fiscal Period 03/2026', null],
    ['Payroll Register', 'Q1 FY2027', null],
    ['Payroll Register', 'Prior Year 2025', null],
    ['Payroll Register', 'Policy Period: 01/01/2026 - 12/31/2026', null],
    ['Payroll Register', 'Plan Year:    01/01/2026 - 12/31/2026', null],
    ['Payroll Register', 'Prior Quarter:    04/01/2026 - 06/30/2026', null],
    ['Payroll Register', 'Fiscal Quarter:    Q1 2026', null],
    ['Payroll Register', 'YTD through Q3 2026', null],
    ['Payroll Register', 'Last filed: Q2 2026', null],
    ['Payroll Register', 'Next return Q3 2026', null],
    ['Payroll Register', 'Employees hired in Q3 2026', null],
    [quarterly, 'Overpayment from Q2 2026', null],
    [quarterly, 'Overpayment from Q2 2026\nQuarter: 3Q2026', '2026-Q3'],
    ['Payroll Register', '3Q 2026', '2026-Q3'],
    ['Payroll Register', '13Q2026', null],
    ['Payroll Register', 'W-2 Q 2026', null],
    ['Payroll Register', 'Prior period 2Q2026', null],
    ['Payroll Register', 'Q3 2026 vs Q3 2025', null],
    ['Payroll Register', 'Q3 2026\nQ3 2026 vs Q3 2025', '2026-Q3'],
    ['Payroll Register', '01/01/2026 - 03/31/2026 vs 01/01/2025 - 03/31/2025', null],
  ])('%s, %s', (title, line, expected) => {
    expect(period(title, line)).toBe(expected);
  });

  const day = (line: string) => {
    const document = only(
      file(
        'x.pdf',
        typedPage(`
      #Payroll Journal
      EIN 07-1234567    Harbor & Pine Bakery LLC
${line}
    `),
      ),
    );
    return [document.period, document.state, said(document)];
  };

  test.each([
    'Check Date: Sept 18, 2026',
    'Check Date: Sept. 18, 2026',
    'Check Date: September 18th, 2026',
    'Check Date: Friday, September 18, 2026',
    'Check Date: Fri 18-Sep-2026',
    'Check Date (Friday): 18 Sep 2026',
    'Check Date 18SEP2026',
    'Check Date: 18 September 2026',
    'Check Date: 18th of September, 2026',
    'Check Date: 09 / 18 / 2026',
    'Check Date: 09.18.2026',
    'Check Date: 9/18/26',
    'Check Date: 2026-09-18',
    'Check Date: 2026/09/18',
    'Check Date: Sep-18-26',
    'Check Date: 18Sep26 12 checks',
    'Check Date: 18 Sep 26 10:42',
    'CHECK DATE : SEPTEMBER 18 2026',
    'Liability for payroll dated 09/18/2026',
    'Register of checks dated September 18, 2026 and later',
    'For the payroll of 09/18/2026',
    'Wages paid on 9/18/2026',
    'Date of check    09/18/2026',
    'Payroll Date    Fri, Sept 18, 2026',
    'Check Date    Period End    Run Date\n09/18/2026    09/15/2026    09/16/2026',
    'Check Date: Sept 18, 2026\nPay Period: 09/01/2026 - 09/15/2026',
    'Check Date: 18-Sep-2026   Run Date: 02/03/2026',
    'Next check date: 10/02/2026    Check date: 09/18/2026',
    // As small print comes out of a scanner.
    'Check Date: 09/18/ 2026',
    'Check Date: 09/18, 2026',
    'HECK DATE    RUN\n09/18/2026   24',
    'Settlement 09/18/2026',
    // With hyphens that do not break.
    'Check Date: 09\u201118\u20112026',
    'Ck Date: 09/18/2026',
    'Pay-Date: 09/18/2026',
    'Pmt Date: 09/18/2026',
    'Effective Date: 09/18/2026    ACH batch 7',
    'From Check Date: 09/18/2026    To Check Date: 09/18/2026',
    'Payment Effective Date: 09/18/2026',
    // The days that the run is for are not days of the run.
    'Check Date: 09/18/2026 (09/01/2026 - 09/15/2026)',
    // When the page was printed stands elsewhere.
    'Check Date\n09/18/2026                              10:12 AM',
    // Programs write a day as its midnight.
    'Check Date:    09/18/2026 12:00:00 AM',
    'Check Date:    09/18/2026    12:00:00 AM',
    // What the label has in its own cell is its own.
    'Pay Date: 09/18/2026    10:42 AM',
  ])('%j is the day', (line) => {
    expect(day(line)).toEqual(['2026-09-18', 'ready', []]);
  });

  test.each([
    ['Check Date:\nRun Date: 09/16/2026', 'noPeriod'],
    ['Check Date:\nRun Date:    09/16/2026', 'noPeriod'],
    ['Check Date:    Run Date: 09/16/2026', 'noPeriod'],
    ['Check Date: Run Date: 09/16/2026', 'noPeriod'],
    ['Check Date:    Run Date:\n               09/16/2026', 'noPeriod'],
    ['      Check Date:\nRun:  09/16/2026', 'noPeriod'],
    ['Check Date:\nPay Period: 09/01/2026 - 09/15/2026', 'noPeriod'],
    ['Check Date: 09/01/2026 - 09/15/2026', 'noPeriod'],
    ['Next check date: 10/02/2026', 'noPeriod'],
    ['Void check date: 09/18/2026', 'noPeriod'],
    ['Reissued check date: 09/18/2026', 'noPeriod'],
    ['Run Date: 09/16/2026', 'noPeriod'],
    ['Check Date: 09/18/2062', 'unreadPeriod'],
    // What is left of a day is no year.
    ['Check Date    2026', 'unreadPeriod'],
    ['Check Date: 09/18/62', 'unreadPeriod'],
    ['Check Date: 31.04.2026', 'unreadPeriod'],
    ['Check Date: 18.09.26', 'unreadPeriod'],
    ['Check Date: 18 septembre 2026', 'unreadPeriod'],
    ['Check Date: 18. Dezember 2026\nTax year 2026', 'unreadPeriod'],
    ['Check Date: 18 de septiembre de 2026', 'unreadPeriod'],
    ['Check Date: 09/18/2026    Check Date: 10/02/2026', 'severalPeriods'],
    // Several days behind one label, and those whose year only the last one has.
    ['Pay Date: 09/18/2026 and 10/02/2026', 'severalPeriods'],
    ['Pay Date: 09/04/2026, 09/18/2026, and 10/02/2026', 'severalPeriods'],
    ['Pay Date:    09/18/2026 & 10/02/2026', 'severalPeriods'],
    ['Pay Date: 09/18/2026 10/02/2026', 'severalPeriods'],
    ['Pay Date: 18 Sep 26 and 2 Oct 26', 'severalPeriods'],
    ['Pay Date: 18-Sep-26 - 02-Oct-26', 'noPeriod'],
    ['Pay Date: Sep-04-26 Sep-18-26', 'severalPeriods'],
    ['Pay Date: 04Sep26, 18Sep26', 'severalPeriods'],
    ['Pay Date: 18 Sep 26 12', 'unreadPeriod'],
    ['Check Date: September 1-18, 2026', 'noPeriod'],
    ['Check Date:    Sept 1-18 2026', 'noPeriod'],
    ['Check Date: September 4, 18, 2026', 'noPeriod'],
    ['Check Date: September 4, 18 and 25, 2026', 'noPeriod'],
    ['Check Date: 4 September, 18 September 2026', 'unreadPeriod'],
    ['Check Date: 09/01/2026\u201109/15/2026', 'noPeriod'],
    // What heads two columns that stand close says of neither whose a day is.
    ['Period End Pay Date\n09/15/2026 09/18/2026', 'noPeriod'],
    ['Begin Date End Date Pay Date\n09/01/2026 09/15/2026 09/18/2026', 'noPeriod'],
    ['Period End Pay Date    09/15/2026    09/18/2026', 'noPeriod'],
    ['Period End / Pay Date: 09/15/2026 / 09/18/2026', 'noPeriod'],
    // The moment of printing, beside an empty label or below it.
    ['Check Date:\n09/16/2026 10:12 AM', 'noPeriod'],
    ['Check Date:\n09/16/2026    10:12 AM', 'noPeriod'],
    ['Check Date:    09/16/2026 10:12', 'noPeriod'],
    ['Pay Date:    09/18/2026    10:42 AM', 'noPeriod'],
    ['            Check Date:\n10:12 AM    09/16/2026', 'noPeriod'],
    // Another run, none yet, one end of several, and the day of something else.
    ['Void ck date: 09/18/2026', 'noPeriod'],
    ['Next pmt date: 09/18/2026', 'noPeriod'],
    ['Check Date (void): 09/18/2026', 'noPeriod'],
    ['Reversal check date: 09/18/2026', 'noPeriod'],
    ['Stop payment date: 09/18/2026', 'noPeriod'],
    ['Estimated check date: 09/18/2026', 'noPeriod'],
    ['From Check Date: 09/01/2026    To: 09/18/2026', 'noPeriod'],
    ['From Check Date: 09/01/2026    To Check Date: 09/18/2026', 'severalPeriods'],
    ['Effective Date: 01/01/2026', 'noPeriod'],
    ['Order Effective Date: 01/01/2026    Paid by ACH', 'noPeriod'],
    ['Latest check date: 09/18/2026', 'noPeriod'],
    ['Prev. check date: 09/18/2026', 'noPeriod'],
    ['Upcoming pay date: 10/02/2026', 'noPeriod'],
    ['Re-issued check date: 09/18/2026', 'noPeriod'],
    ['Federal taxes paid on 10/15/2026', 'noPeriod'],
    ['Tax Deposit Date: 10/15/2026', 'noPeriod'],
    // A day without its year is not made up for by a year or a quarter.
    ['Check Date: 09/18    Q3 2026', 'unreadPeriod'],
    ['Check Date: 091826    Quarter: 3 Year: 2026', 'unreadPeriod'],
    ['Pay Date: Sep 18    Year: 2026', 'unreadPeriod'],
  ])('%j is none, and a person is told why', (line, reason) => {
    expect(day(line)).toEqual([null, 'toCheck', [reason]]);
  });

  test('the month below a title is its period, where the speck of a logo lies between them', () => {
    const page = typedPage(`




      EIN 07-1234567    Harbor & Pine Bakery LLC
    `);
    const head = [
      { text: 'Tax Liability', x: 400, y: 36, width: 110, height: 12 },
      { text: 'aw', x: 30, y: 50, width: 12, height: 4 },
      { text: 'November 2026', x: 440, y: 56, width: 70, height: 6 },
    ];
    const proposed = only(file('x.pdf', { ...page, runs: [...head, ...page.runs] }));
    expect([typeName(proposed.reportTypeId), proposed.period]).toEqual(['Tax Liability', '2026-11']);
  });

  test.each([
    ['Form 941', '12/31/2025', '2025-Q4'],
    ['Form 941', 'March 31, 2025', '2025-Q1'],
    ['Form 940', '12/31/2025', null],
    ['Form 1065', 'December 31, 2025', null],
    ['Form 1120-S', '06/30/2025', null],
    ['return', 'December 31, 2025', null],
  ])('of a letter about a %s, the tax period %s', (form, taxPeriod, expected) => {
    const page = typedPage(`
      Department of the Treasury        Notice    CP162
      Internal Revenue Service          Employer ID number    07-1234567
      Tax period  ${taxPeriod}
      HARBOR & PINE BAKERY LLC
      #You owe a penalty
      We charged a penalty on your ${form}.
      Payment date: 09/18/2026
    `);
    expect(only(file('x.pdf', page)).period).toBe(expected);
  });

  test('the quarters that a voucher lists are none that its return is for', () => {
    const pages = [
      typedPage(`
        #Form 941    Employer's QUARTERLY Federal Tax Return
        Employer identification number (EIN)    07-1234567
        Name (not your trade name)    Harbor & Pine Bakery LLC
      `),
      typedPage(`
        #Form 941-V, Payment Voucher
        EIN, “Form 941,” and the tax period (“1st Quarter 2024,”
        “2nd Quarter 2024,” “3rd Quarter 2024,” or “4th Quarter
        2024”) on your check.
      `),
    ];
    const document = only(file('x.pdf', ...pages));
    expect([document.period, said(document)]).toEqual([null, ['severalPeriods']]);
  });

  test('what usually has no period is ready without one', () => {
    const page = typedPage(`
      #401k contribution detail
      EIN 07-1234567    Harbor & Pine Bakery LLC
    `);
    expect(only(file('x.pdf', page))).toMatchObject({ period: null, state: 'ready' });
  });

  test.each([
    ['P A Y R O L L  J O U R N A L', 'Payroll Journal'],
    ['P A Y R O L L   J O U R N A L', 'Payroll Journal'],
    ['P A Y R O L L J O U R N A L', 'Payroll Journal'],
    ['P  A  Y  R  O  L  L    R  E  G  I  S  T  E  R', 'Payroll Register'],
  ])('a heading in spaced letters, %s, is a heading', (heading, type) => {
    const run = (text: string, y: number, height = 10) => ({ text, x: 60, y, width: text.length * 6, height });
    const more = typedPage(`


      EIN 07-1234567    Harbor & Pine Bakery LLC
      Check Date: 09/18/2026
    `);
    const document = only(file('x.pdf', { ...more, runs: [run(heading, 30), ...more.runs] }));
    expect([typeName(document.reportTypeId), document.period, document.state]).toEqual([type, '2026-09-18', 'ready']);
    expect(document.heading).toBe(heading.includes('  ') ? type.toUpperCase() : 'PAYROLLJOURNAL');
  });

  test('the file’s name says it where the page does not', () => {
    expect(period(quarterly, '', '941 3Q25.pdf')).toBe('2025-Q3');
    expect(period('Payroll Journal', '', 'Journal September 2025.pdf')).toBe('2025-09');
    expect(period(quarterly, '', '941 March 2025.pdf')).toBeNull();
    // The day on which it was filed is not its quarter.
    expect(period(quarterly, '', '941 filed 2025-04-30.pdf')).toBeNull();
  });

  test.each([
    ['943', 'Form 943    Employer’s Annual Federal Tax Return for Agricultural Employees    2024', ''],
    ['943', 'Form 943 for 2024: Employer’s Annual Federal Tax Return for Agricultural Employees', ''],
    ['943', 'Employer’s Annual Federal Tax Return for Agricultural Employees', '2024'],
    ['944', 'Form 944 for 2024:    Employer’s ANNUAL Federal Tax Return', ''],
    ['944', 'Form 944    Employer’s ANNUAL Federal Tax Return    2024', ''],
    ['945', 'Form 945    Annual Return of Withheld Federal Income Tax    2024', ''],
    ['945', 'Form 945 for 2024: Annual Return of Withheld Federal Income Tax', ''],
    ['945', 'Annual Return of Withheld Federal Income Tax', 'For withholding reported on Forms 1099 and W-2G.    2024'],
  ])('the year of a %s stands in its heading: %j, %j', (form, heading, below) => {
    const page = typedPage(`
      #${heading}
      ${below}
      Department of the Treasury — Internal Revenue Service    OMB No. 1545-0035
      EIN 07-1234567    Harbor & Pine Bakery LLC
    `);
    expect(only(file('x.pdf', page))).toMatchObject({ form, period: '2024', state: 'ready' });
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
