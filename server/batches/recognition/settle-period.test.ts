// What a document is for: its period, by its pages and its name.
import { describe, expect, test } from 'vitest';
import { file, only, said, typeName } from '../../testing/recognition-firm.ts';
import { typedPage } from '../../testing/typed-page.ts';

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
    ['Payroll Summary', 'January 1, 2026 - March 31, 2026', '2026-Q1'],
    // Days of which the last one alone has its year.
    ['Payroll Summary', 'January 1 - 31, 2026', '2026-01'],
    ['Payroll Summary', 'January 1 through March 31, 2026', '2026-Q1'],
    ['Payroll Summary', 'January 1 - 15, 2026', null],
    ['Payroll Summary', 'Q1 2026    Dec. 28, 2025 – Jan. 10, 2026', null],
    ['Payroll Register', 'Q3 2026    September 16 - 30, 2026', null],
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
    // Of four boxes to tick the last one is no likelier for standing before the year.
    [quarterly, '1st Quarter 2nd Quarter 3rd Quarter 4th Quarter 2026', null],
    [quarterly, '1st    2nd    3rd    4th Quarter 2026', null],
    [quarterly, '1st Quarter    2nd Quarter    3rd Quarter    4th Quarter    2026', null],
    ['NYS-45', 'Qtr 1    Qtr 2    Qtr 3    Qtr 4    Year: 2026', null],
    [quarterly, '1st    2nd    3rd    4th    Quarter ended 09/30/2026', '2026-Q3'],
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
    // Nor is what is handed out with one pay.
    ['Employee Earnings Statement', 'Pay Date: 09/18/2026    Tax year 2026', null],
    ['Employee Earnings Statement', 'Tax year 2026', '2026'],
    ['Employee Earnings Statement', 'Pay Date: 09/18/2026    Q3 2026    Tax year 2026', '2026-Q3'],
    ['Employee Earnings Record', 'Pay Date: 09/18/2026    Tax year 2026', '2026'],
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
    // A column of days is a table's, also with totals between them.
    [
      'Payroll Register',
      '07/01/2026 - 09/30/2026\nEmployee      Check Date    Gross\nT Castellan   07/03/2026    900.00\n              Total         900.00\nR Calloway    07/17/2026    800.00',
      '2026-Q3',
    ],
    // A quarterly return names the months of its quarter.
    ['Quarterly Contribution Report', 'Period ending 09/30/2026\nPeople: first month 4, second month 5', '2026-Q3'],
    // A quarter or month that is numbered beside its year.
    ['Payroll Register', 'Quarter: 3 Year: 2026', '2026-Q3'],
    ['Payroll Register', 'Year: 2026    Qtr 3', '2026-Q3'],
    ['Payroll Register', 'Month: 9    Year: 2026', '2026-09'],
    ['Employee Earnings Record', 'Quarter: 3    Year: 2026', '2026-Q3'],
    // A year that stands beside the quarter or month of a report's head is only the one that these are of.
    ['Employee Earnings Report', 'Q3 2026    Tax Year: 2026', '2026-Q3'],
    ['Employee Earnings Report - Q3 2026', 'Tax Year: 2026', '2026-Q3'],
    ['Employee Earnings Report', 'Tax Year: 2026    For the month of September 2026', '2026-09'],
    ['Employee Earnings Record', 'Tax Year: 2026    Q1 2026    Q2 2026', '2026'],
    ['Employee Earnings Record', 'Tax Year: 2026    Q4 2025', '2026'],
    ['Employee Earnings Record', `Tax Year: 2026${'\n'.repeat(20)}Q3 2026`, '2026'],
    ['Form W-2 Wage and Tax Statement', 'Q3 2026    Tax Year: 2026', '2026'],
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
    'Check Date: 09/18/2026    Next Payroll:    Check Date 10/02/2026',
    'Last Payroll:    09/04/2026    Check Date:    09/18/2026',
    // One row of a table, and another one of the same run.
    'Batch    Check Date    Net\n17       09/18/2026    1,000.00\n         Total         1,000.00\n18       09/18/2026    900.00',
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
    ['Next Payroll Check Date: 10/02/2026', 'noPeriod'],
    ['Prior Payroll: Check Date 09/04/2026', 'noPeriod'],
    ['Next Pay Period Pay Date:    10/02/2026', 'noPeriod'],
    ['Next Payroll:    Check Date: 10/02/2026', 'noPeriod'],
    ['Next Payroll    Period Ending 09/30/2026    Pay Date    10/02/2026', 'noPeriod'],
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

  test.each([
    ['Calendar Year 2026', '2026', []],
    ['Rate effective 01/01/2026 - 12/31/2026', '2026', []],
    ['', null, ['noPeriod']],
  ])('a rate is a year’s, and not of the quarter that is paid at it first: %j', (line, expected, reasons) => {
    const page = typedPage(`
      Department of Job and Family Services
      #Notice of Contribution Rate
      FEIN 07-1234567    Harbor & Pine Bakery LLC
      ${line}
      Use this rate from the return for the first quarter 2026 on.
    `);
    const document = only(file('2026Q1.pdf', page));
    expect([typeName(document.reportTypeId), document.period, said(document)]).toEqual([
      'Tax Notice',
      expected,
      reasons,
    ]);
  });

  test.each([
    ['09/18/2026', '', '2026-09-18', []],
    ['10/02/2026', '', null, ['severalPeriods']],
    ['09/25/2026', 'Month: September 2026', '2026-09', []],
  ])('a report whose second page is headed with %s%s is for %s', (day, month, expected, reasons) => {
    const page = (number: number, paid: string) =>
      typedPage(`
        #Payroll Register
        EIN 07-1234567    Harbor & Pine Bakery LLC    Page ${number} of 2
        Check Date: ${paid}    ${month}
      `);
    const document = only(file('x.pdf', page(1, '09/18/2026'), page(2, day)));
    expect([document.toPage, document.period, said(document)]).toEqual([2, expected, reasons]);
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

  test('the file’s name says it where the page does not', () => {
    expect(period(quarterly, '', '941 3Q25.pdf')).toBe('2025-Q3');
    expect(period('Payroll Journal', '', 'Journal September 2025.pdf')).toBe('2025-09');
    expect(period(quarterly, '', '941 March 2025.pdf')).toBeNull();
    // Half of a month is not the month of its name.
    expect(period('Payroll Summary', 'January 1 - 15, 2026', 'Payroll Summary January 2026.pdf')).toBeNull();
    // What is handed out with one pay is not the year's.
    expect(period('Employee Earnings Statement', 'Pay Date: 09/18/2026', 'Earnings 2026.pdf')).toBeNull();
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
