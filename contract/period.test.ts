// Periods: written, ordered, one within the other, and read out of file names.
import { describe, expect, it } from 'vitest';
import { isWithinPeriod, periodKey, periodName, periodRange, proposePeriod, quarterOf } from './period.ts';
import { Period } from './period-fields.ts';

describe('a period', () => {
  it.each(['2026-01-30', '2026-01', '2026-12', '2026-Q1', '2026'])('may be %s', (text) => {
    expect(Period.safeParse(text).success).toBe(true);
  });

  it.each(['2026-02-30', '2026-Q5', '26', '2026-13', '2026-00', '2026-1', '', 'Q1 2026', '3026'])(
    'may not be %j',
    (text) => {
      expect(Period.safeParse(text).success).toBe(false);
    },
  );

  it('sorts by time, a month after its pay dates, a quarter after its months and a year after its quarters', () => {
    const inOrder = ['2025', '2026-01-02', '2026-01', '2026-03-31', '2026-03', '2026-Q1'].concat([
      '2026-04-01',
      '2026-12-31',
      '2026-12',
      '2026-Q4',
      '2026',
    ]);
    expect([...inOrder].reverse().sort((a, b) => (periodKey(a) < periodKey(b) ? -1 : 1))).toEqual(inOrder);
  });

  it.each([
    ['2026-03-31', '2026-Q1', true],
    ['2026-04-01', '2026-Q1', false],
    ['2026-12-31', '2026-Q4', true],
    ['2026-Q4', '2026-Q4', true],
    ['2026', '2026-Q4', false],
    ['2026-Q4', '2026', true],
    ['2026', '2026', true],
    ['2025', '2026', false],
    ['2026-Q1', '2026-01-30', false],
    ['2026-03-31', '2026-03', true],
    ['2026-03', '2026-03', true],
    ['2026-03', '2026-Q1', true],
    ['2026-03', '2026', true],
    ['2026-03', '2026-Q2', false],
    ['2026-03', '2026-03-31', false],
    ['2026-Q1', '2026-03', false],
    ['2026', '2026-12', false],
    ['2026-04-01', '2026-03', false],
    ['2026-01-30', '2026-01-30', true],
    ['2026-01-31', '2026-01-30', false],
  ])('%s within %s: %s', (period, other, within) => {
    expect(isWithinPeriod(period, other)).toBe(within);
    const { from, before } = periodRange(other);
    expect(periodKey(period) >= from && periodKey(period) < before).toBe(within);
  });

  it('has a name and a quarter', () => {
    const day = (date: string) => `on ${date}`;
    expect(['2026', '2026-Q3', '2026-07', '2026-07-31'].map((period) => periodName(period, day))).toEqual([
      '2026',
      'Q3 2026',
      'July 2026',
      'on 2026-07-31',
    ]);
    expect(['2026-01-01', '2026-03-31', '2026-04-01', '2026-12-31'].map(quarterOf)).toEqual([
      '2026-Q1',
      '2026-Q1',
      '2026-Q2',
      '2026-Q4',
    ]);
  });
});

it.each([
  ['APO_DD_11202026 (1).pdf', '2026-11-20'],
  ['DD_13202026.pdf', null],
  ['Trace 911202026.pdf', null],
  ['HarborPine_PayrollJournal_2025-03-14_PP05.pdf', '2025-03-14'],
  ['HPB Payroll Register 3-14-25.xlsx', '2025-03-14'],
  ['2025Q1_941_HarborPineBakery_FILED.pdf', '2025-Q1'],
  ['Form 940 2024 - Harbor & Pine Bakery LLC.pdf', '2024'],
  ['W2_Batch_2024_HarborPine_12ee.pdf', '2024'],
  ['1099NEC_2024_3recips.pdf', '2024'],
  ['941-X_2024Q3_amended.pdf', '2024-Q3'],
  ['EFTPS_27046612345678_2025-04-15.pdf', '2025-04-15'],
  ['CA_DE9C_2025Q1.pdf', '2025-Q1'],
  ['NYS-45 Q1 25 final FINAL.pdf', '2025-Q1'],
  ['941 3Q24.pdf', '2024-Q3'],
  ['ACH_20250314.txt', '2025-03-14'],
  ['all_clients_941_Q1_2025.pdf', '2025-Q1'],
  ['Mail 11.10.25.pdf', '2025-11-10'],
  ['2025 Payroll Journal 03-14-2025.pdf', '2025-03-14'],
  ['2024 Q4 2024.pdf', '2024-Q4'],
  ['Notice 2848.pdf', null],
  ['scan0047.pdf', null],
  ['Reports (3).pdf', null],
  ['from 2025-03-01 to 2025-03-14.pdf', null],
  ['2024 and 2025.pdf', null],
  ['941_Q1_2024 printed 2025-04-02.pdf', null],
  ['2025-02-30.pdf', null],
  ['31-12-25.pdf', null],
  ['20251345.pdf', null],
  ['journal.2025', null],
  ['Payroll Journal Mar 13 2026.pdf', '2026-03-13'],
  ['Payroll Journal March 13th, 2026.pdf', '2026-03-13'],
  ['Payroll_Journal_13-Mar-2026.pdf', '2026-03-13'],
  ['Register 30JAN2026.pdf', '2026-01-30'],
  ['Register Fri, Sept. 18, 2026.pdf', '2026-09-18'],
  ['Register 2026-Mar-13.pdf', '2026-03-13'],
  ['Register 3 13 2026.pdf', '2026-03-13'],
  ['Payroll Journal January 2026.pdf', '2026-01'],
  ['Payroll Journal 2026-01.pdf', '2026-01'],
  ['Payroll Journal 01-2026.pdf', '2026-01'],
  ['Payroll Journal 2026 Jan.pdf', '2026-01'],
  ['Payroll Journal Jan 2026, run of 01-15-2026.pdf', '2026-01-15'],
  ['Payroll Journal January 2026, February 2026.pdf', null],
  ['Payroll Journal 13-2026.pdf', '2026'],
  ['2026 Payroll Journal Mar 13.pdf', null],
  ['W-2 March 2026.pdf', '2026-03'],
  ['Form 941 Qtr 1 2026.pdf', '2026-Q1'],
  ['Form 941 Quarter 1, 2026.pdf', '2026-Q1'],
  ['Form 941 1st Qtr 2026.pdf', '2026-Q1'],
  ['Form 941 2026 Second Quarter.pdf', '2026-Q2'],
  ['2026 Form 941 Q1.pdf', '2026-Q1'],
  ['941 Q1 filed 2026-04-30.pdf', null],
  ['941 Q1.pdf', null],
  ['941 Jan-Mar 2026.pdf', '2026-Q1'],
  ['Journal Jan - Feb 2026.pdf', null],
  ['31.04.2026.pdf', null],
  ['2026 Journal 31.04.2026.pdf', null],
  ['Marchetti Summary 2026.pdf', '2026'],
  ['W-2 2026.pdf', '2026'],
  ['W-2-2026.pdf', '2026'],
  ['2025', '2025'],
])('%s is for %s', (name, period) => {
  expect(proposePeriod(name)).toBe(period);
});
