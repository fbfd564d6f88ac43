// What a document is: its report type and form, by what heads its pages.
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
    'Employer’s Quarterly Wage Report Filing Confirmation',
    'Quarterly Contribution Report - Acknowledgement',
    'Employer’s QUARTERLY Federal Tax Return E-file Acknowledgement',
    'Form 941 Deposit Summary',
    'Form 941 Liability Report',
    'W-2 Preview',
    'Form 941 Filing Reminder',
    'Form 940 Cover Letter',
    // What is printed from the forms of all.
    'W-2 Summary',
    'W-2 Register',
    'W-2 / W-3 Summary',
    'W-2 Wage and Tax Register',
    'Form W-2c Report',
    '1099-NEC Register',
    'Form 1099-NEC Detail',
    // It may be a box to tick, or another form.
    'Corrected W-2',
    'Amended Form W-2',
    'Here is your Payroll Register',
    'Payroll Register - Preview',
    'Payroll Register    *** PREVIEW ***',
    'Payroll Register - Proof',
    'Pre-Payroll Register',
    'Pre-Process Payroll Register',
    'Payroll Register    PRE-PROCESS',
    'Projected Payroll Register',
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
    'Payroll Summary by Class Code',
    'Payroll Register by Workers’ Comp Code',
    'Payroll Journal - Workers Compensation',
    'Voided Payroll Register',
    'Reversal Payroll Journal',
  ])('%s is none of the types', (title) => {
    expect([typeName(of(title).reportTypeId), said(of(title))]).toEqual([null, expect.arrayContaining(['noType'])]);
  });

  const company = 'Harbor & Pine Bakery LLC    EIN 07-1234567\nCheck Date: 09/18/2026    Q3 2026    Year 2026';
  test.each([
    ['a list of checks that are void', 'Void Check Register\nAll employees paid'],
    ['a line of a list', 'Cash Requirements\nDirect Deposit    12,345.00'],
    ['a line of a list that says what became of it', 'Tax Filings\nForm 941    Filed 10/30/2026'],
    ['a row of a table', 'Tax Filings\n\nReturn  Period  Status  Day\nForm 941  Q3 2026  Filed  10/30/2026'],
    ['a section below a larger title', '#Payroll Details\nTamsin Castellan\nEmployee Deductions\n401k'],
    ['what a letter encloses', '#Your quarterly returns\nEnclosed please find:\nForm 941\nPlease sign it.'],
    ['what instructions are for', '#Filing Instructions\nForm 941\nSign and date the return'],
    ['what they are for by its title', '#Filing Instructions\nForm 941, Employer’s Quarterly Federal Tax Return'],
    ['what was filed', '#Filing Confirmation\nYou have filed: Quarterly Contribution Report'],
    ['what was filed, by its number', '#Filing Confirmation\nForm    NYS-45'],
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

  test('a return has the number of its confirmation on it', () => {
    const lines = '#Confirmation Number 4471\nQuarterly Contribution Report Confirmation No. 4471';
    const document = only(file('x.pdf', typedPage(`${lines}\n${company}`)));
    expect([document.form, document.period, said(document)]).toEqual(['State quarterly', '2026-Q3', []]);
  });

  const named = 'Tidewater Distribution';
  test.each([
    ['behind a hyphen', 'Payroll Register-All Employees', 'Payroll Register'],
    ['before what its rows are by', 'Payroll Summary by Class', 'Payroll Summary'],
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

  test('a type of the firm that is called so is what a summary of forms is', () => {
    const reportTypes = [...known.reportTypes, { id: 201, name: 'W-2 Summary', phrases: [] }];
    const page = typedPage(`#W-2 Summary\n${company}`);
    const [document] = recognise([file('x.pdf', page)], { ...known, reportTypes });
    expect([document?.reportTypeId, said(document)]).toEqual([201, []]);
  });

  test('a form of two types that are near goes to the one that a further name of it is', () => {
    const reportTypes = [
      ...known.reportTypes,
      ...['W-2 Summary', '1099-NEC Summary'].map((name, index) => ({ id: 201 + index, name, phrases: [] })),
    ];
    const typeOf = (title: string) => {
      const [document] = recognise([file('x.pdf', typedPage(`#${title}\n${company}`))], { ...known, reportTypes });
      return typeName(document?.reportTypeId ?? null);
    };
    expect(typeOf('Form W-2 Wage and Tax Statement')).toBe('W-2 / W-3');
    expect(typeOf('Form 1099-NEC')).toBe('1099-NEC / 1096');
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
});
