// Which periods contradict the report types that firms file under.
import { describe, expect, it } from 'vitest';
import { periodDoubt, usualPeriodKind } from './usual-periods.ts';
import { USUAL_REPORT_TYPES } from './usual-report-types.ts';

describe('usualPeriodKind', () => {
  it('is told by the names of the usual types', () => {
    const told = USUAL_REPORT_TYPES.map((name) => [name, usualPeriodKind(name)]).filter(([, kind]) => kind !== null);
    expect(Object.fromEntries(told)).toEqual({
      'Form 941': 'quarter',
      'Form 940': 'year',
      'Form 943': 'year',
      'Form 944': 'year',
      'Form 945': 'year',
      'W-2 / W-3': 'year',
      '1099-NEC / 1096': 'year',
      'State Quarterly (withholding, SUTA)': 'quarter',
    });
  });

  it.each([
    ['W2s', null],
    ['w2', 'year'],
    ['W-2c', 'year'],
    ['941-X', 'quarter'],
    ['Quarterly 941 1', 'quarter'],
    ['1095-C', 'year'],
    ['Annual summary', 'year'],
    ['Monthly Payroll Summary', 'month'],
    ['Semi-monthly register', null],
    // One name for both.
    ['Forms 940 and 941', null],
    ['Run 19410', null],
    ['2-941', null],
  ])('of %s it is %s', (name, kind) => {
    expect(usualPeriodKind(name)).toBe(kind);
  });
});

describe('periodDoubt', () => {
  it.each([
    ['W-2 / W-3', '2026-Q3', { kind: 'year', instead: '2026' }],
    ['W-2 / W-3', '2026-01-30', { kind: 'year', instead: '2026' }],
    ['Form 941', '2026-04-10', { kind: 'quarter', instead: '2026-Q2' }],
    ['Form 941', '2026', { kind: 'quarter', instead: null }],
    ['Form 941', '2026-06', { kind: 'quarter', instead: '2026-Q2' }],
    ['Monthly Payroll Summary', '2026-04-10', { kind: 'month', instead: '2026-04' }],
    ['Monthly Payroll Summary', '2026-Q2', { kind: 'month', instead: null }],
    ['Form 941', '2026-Q2', null],
    ['W-2 / W-3', '2026', null],
    ['Payroll Journal', '2026-Q2', null],
    ['Payroll Journal', '2026', null],
  ])('%s for %s', (type, period, doubt) => {
    expect(periodDoubt(type, period)).toEqual(doubt);
  });
});
