// What pages are one document where they are official sheets: W-2s, 1099-NECs, 940s and 941s, with their backs, sums, schedules and vouchers.
import { describe, expect, test } from 'vitest';
import { file, journal, known, only, ranges, said } from '../../testing/recognition-firm.ts';
import { typedPage } from '../../testing/typed-page.ts';
import { recognise } from './recognise.ts';

describe('what pages are one document', () => {
  const one = ['Harbor & Pine Bakery LLC', '07-1234567'] as const;
  const two = ['Acme Plumbing LLC', '08-2222222'] as const;

  test('the W-2s of a company are one document with their W-3, Schedule B goes with its 941, and a voucher too', () => {
    const w2 = typedPage(`
      b Employer identification number (EIN)    07-1234567
      c Employer's name    Harbor & Pine Bakery LLC
      #Form W-2    Wage and Tax Statement    2024
    `);
    const w3 = typedPage(`
      #Form W-3    Transmittal of Wage and Tax Statements    2024
      e Employer identification number (EIN)    07-1234567
      f Employer's name    Harbor & Pine Bakery LLC
    `);
    const head =
      'Employer identification number (EIN)    08-2222222\n      Name (not your trade name)    Acme Plumbing LLC';
    const form = typedPage(`
      #Employer's QUARTERLY Federal Tax Return
      ${head}
      Quarter 1, 2025
    `);
    const days = typedPage(`
      #Report of Tax Liability for Semiweekly Schedule Depositors
      ${head}
    `);
    const voucher = typedPage(`
      #Form 941-V, Payment Voucher
    `);
    const documents = recognise([file('x.pdf', w3, w2, w2, form, days, voucher)], known);
    expect(ranges(documents)).toEqual([
      [1, 3],
      [4, 6],
    ]);
    expect(documents.map(({ state, form: name, period }) => [state, name, period])).toEqual([
      ['ready', 'W-3', '2024'],
      ['ready', '941', '2025-Q1'],
    ]);
  });

  describe('the official sheets of W-2s, whose number stands at their foot', () => {
    const boxes = `
                          a Employee’s social security number
                          000-10-1000
      b Employer identification number (EIN)        1 Wages, tips, other compensation    2 Federal income tax withheld
      %EIN                                    20,000.00                            2,400.00
      c Employer’s name, address, and ZIP code      3 Social security wages              4 Social security tax withheld
      %NAME                      20,000.00                            1,240.00
      14 Mill Street
      Dayton, OH 45402
      e Employee’s first name and initial      Last name
      Rosa                                     Calloway
      f Employee’s address and ZIP code
      15 State    Employer’s state ID number    16 State wages, tips, etc.    17 State income tax`;
    const W2 = `
                          Wage and Tax
      #W-2 Statement      2019
      Form`;
    const W2C = `
      #Form W-2c (Rev. 8-2014)      Corrected Wage and Tax Statement      2019`;
    const sheet = (name: string, id: string, copy: string, foot = W2) =>
      typedPage(`${boxes.replace('%EIN', id).replace('%NAME', name)}${foot}\n      ${copy}`, 396);
    const notice = typedPage(`
      #Notice to Employee
      Do you have to file? Refer to the Form 1040 instructions      employer to file Form W-2c, Corrected Wage and Tax
      to determine if you are required to file a tax return.        Statement, with the Social Security Administration (SSA)
    `);
    const instructions = typedPage(`
      #Instructions for Employee (Also see Notice to Employee,      distribution in the same calendar year.
      on the back of Copy B.)
      Box 1. Enter this amount on the wages line of your tax return.
    `);
    const more = typedPage(`
      #Instructions for Employee (continued from back of Copy C)      Y—Deferrals under a section 409A plan
      F—Elective deferrals under a section 408(k)(6) salary reduction SEP
    `);
    const note = typedPage(`
      #Employers, Please Note—
      Specific information needed to complete Form W-2 is available      E-filing. If you file 250 or more Forms W-2, you must file
      in a separate booklet titled the 2019 General Instructions for     electronically. Even if you aren’t required to file
    `);
    const ofEmployee = (company: readonly [string, string]) => [
      sheet(...company, 'Copy B—To Be Filed With Employee’s FEDERAL Tax Return.'),
      notice,
      sheet(...company, 'Copy C—For EMPLOYEE’S RECORDS (See Notice to'),
      instructions,
      sheet(...company, 'Copy 2—To Be Filed With Employee’s State, City, or Local'),
      more,
    ];

    test('with the pages on their backs are one document of each company', () => {
      const print = file('x.pdf', ...ofEmployee(one), ...ofEmployee(one), ...ofEmployee(two));
      const documents = recognise([print], known);
      expect(ranges(documents)).toEqual([
        [1, 12],
        [13, 18],
      ]);
      expect(documents.map(({ state, form, clientId, period }) => [state, form, clientId, period])).toEqual([
        ['ready', 'W-2', 1, '2019'],
        ['ready', 'W-2', 2, '2019'],
      ]);
    });

    test('of the employer, and corrected ones, have backs of their own', () => {
      const employers = [sheet(...one, 'Copy D — For Employer'), note];
      const corrected = [sheet(...two, 'Copy B', W2C), notice, sheet(...two, 'Copy B', W2C), notice];
      const documents = recognise([file('x.pdf', ...employers, ...employers, ...corrected)], known);
      expect(ranges(documents)).toEqual([
        [1, 4],
        [5, 8],
      ]);
      expect(documents.map(({ state, form, correction }) => [state, form, correction])).toEqual([
        ['ready', 'W-2', false],
        ['ready', 'W-2c', true],
      ]);
    });

    test('instructions without a sheet before them, or behind another form, are of nobody', () => {
      const documents = recognise([file('x.pdf', more, journal(...two, ''), notice)], known);
      expect(ranges(documents)).toEqual([
        [1, 1],
        [2, 2],
        [3, 3],
      ]);
      expect(documents.map(({ state, clientId }) => [state, clientId])).toEqual([
        ['toCheck', null],
        ['ready', 2],
        ['toCheck', null],
      ]);
      expect(said(documents[0])).toContain('missingPages');
    });
  });

  test('the official sheets of 1099-NECs are one document with the pages on their backs, and their 1096', () => {
    const sheet = (name: string, id: string, copy: string) =>
      typedPage(`
      PAYER’S name, street address, city or town, state, ZIP code, and telephone no.
      ${name}
      14 Mill Street
      Dayton, OH 45402
      #Form 1099-NEC (Rev. January 2024)      Nonemployee
      For calendar year 2024                  Compensation
      PAYER’S TIN
      ${id}
      RECIPIENT’S TIN
      000-10-1000
      RECIPIENT’S name
      Rosa Calloway
      1 Nonemployee compensation
      $ 4,200.00
      ${copy}
    `);
    const ofRecipient = typedPage(`
      #Instructions for Recipient
      You received this form instead of Form W-2 because the payer did not consider you an employee and did not withhold
      income tax or social security and Medicare tax.
    `);
    const ofPayer = typedPage(`
      #Instructions for Payer
      To complete Form 1099-NEC, use:
      • The current General Instructions for Certain Information Returns, and
      • The current Instructions for Forms 1099-MISC and 1099-NEC.
    `);
    const sum = typedPage(`
      Form                          Annual Summary and Transmittal of      OMB No. 1545-0108
      #1096                         U.S. Information Returns               2024
      FILER’S name
      Harbor & Pine Bakery LLC
      14 Mill Street
      1 Employer identification number
      07-1234567
    `);
    const ofOne = (company: readonly [string, string]) => [
      sheet(...company, 'Copy B For Recipient'),
      ofRecipient,
      sheet(...company, 'Copy C For Payer'),
      ofPayer,
    ];
    const documents = recognise([file('x.pdf', ...ofOne(one), ...ofOne(one), sum, ...ofOne(two))], known);
    expect(ranges(documents)).toEqual([
      [1, 9],
      [10, 13],
    ]);
    expect(documents.map(({ state, form, clientId, period }) => [state, form, clientId, period])).toEqual([
      ['ready', '1099-NEC', 1, '2024'],
      ['ready', '1099-NEC', 2, '2024'],
    ]);
  });

  test('a 940 has its Schedule A with the instructions for it, and its voucher', () => {
    const head =
      'Employer identification number (EIN)    07-1234567\n      Name (not your trade name)    Harbor & Pine Bakery LLC';
    const states = 'Multi-State Employer and Credit Reduction Information';
    const form = typedPage(`
      #Form 940 for 2024: Employer’s Annual Federal Unemployment (FUTA) Tax Return
      ${head}
    `);
    const schedule = typedPage(`
      #Schedule A (Form 940) for 2024:
      #${states}
      ${head}
    `);
    const instructions = typedPage(`
      #Instructions for Schedule A (Form 940) for 2024:
      #${states}
      Specific Instructions: Completing Schedule A
    `);
    const voucher = typedPage('#Form 940-V, Payment Voucher');
    const whole = only(file('x.pdf', form, schedule, instructions, voucher));
    expect(whole).toMatchObject({ form: '940', clientId: 1, period: '2024', state: 'ready' });
    const alone = only(file('x.pdf', instructions));
    expect([alone.state, alone.clientId]).toEqual(['toCheck', null]);
  });
});
