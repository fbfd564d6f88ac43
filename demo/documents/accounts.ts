// A company's yearly and quarterly accounts: the income tax return's summary and the financial statement.
import { dayOf, lastDayOfQuarter, longDate } from '../calendar.ts';
import { type Company, FIRM } from '../companies.ts';
import { amount, shareOf, sumOf } from '../money.ts';
import { type Ledger, type PayRun, runsOfQuarter, runsOfYear } from '../payroll.ts';
import { createRandom } from '../random.ts';
import type { QuarterDocument, YearDocument } from './descriptor.ts';
import { openFirmSheet, openFormSheet, signatureBlock } from './letterhead.ts';
import { COLORS } from './typesetter.ts';

/** A company's result for some runs: wages and payroll taxes are those of its payroll, the rest is in proportion. */
interface Result {
  readonly revenueCents: number;
  readonly costOfSalesCents: number;
  readonly expenses: readonly (readonly [name: string, cents: number])[];
  readonly netIncomeCents: number;
}

function resultOf(company: Company, runs: readonly PayRun[], seed: string): Result {
  const random = createRandom('accounts', company.fileCode, seed);
  const wagesCents = sumOf(runs, (run) => run.totals.grossCents);
  const taxesCents = sumOf(
    runs,
    (run) => run.totals.socialSecurityCents + run.totals.medicareCents + run.futaCents + run.unemploymentCents,
  );
  const revenueCents = shareOf(wagesCents, random.int(26_000, 34_000));
  const costOfSalesCents = shareOf(revenueCents, random.int(2200, 3000));
  const expenses: [string, number][] = [
    ['Salaries and wages', wagesCents],
    ['Payroll taxes', taxesCents],
    ['Rent', shareOf(revenueCents, random.int(400, 750))],
    ['Insurance', shareOf(revenueCents, random.int(110, 260))],
    ['Utilities and telephone', shareOf(revenueCents, random.int(90, 220))],
    ['Supplies and repairs', shareOf(revenueCents, random.int(150, 420))],
    ['Professional fees', shareOf(revenueCents, random.int(60, 140))],
    ['Depreciation', shareOf(revenueCents, random.int(150, 380))],
  ];
  const netIncomeCents = revenueCents - costOfSalesCents - sumOf(expenses, ([, cents]) => cents);
  return { revenueCents, costOfSalesCents, expenses, netIncomeCents };
}

/** The year's runs up to the end of the quarter. */
function runsToDate(ledger: Ledger, year: number, quarter: number): PayRun[] {
  return [1, 2, 3, 4].slice(0, quarter).flatMap((each) => runsOfQuarter(ledger, year, each));
}

export function financialStatement(ledger: Ledger, document: QuarterDocument): Promise<Buffer> {
  const { company } = ledger;
  const { year, quarter } = document;
  const result = resultOf(company, runsToDate(ledger, year, quarter), String(year));
  const endDay = lastDayOfQuarter(year, quarter);
  const sheet = openFirmSheet({
    title: 'Financial Statement',
    subtitle: quarter === 4 ? `Year ended ${longDate(endDay)}` : `${quarter * 3} months ended ${longDate(endDay)}`,
    company,
    preparedDay: document.preparedDay,
    facts: [
      ['Basis', 'Income tax basis'],
      ['Assurance', 'Compiled, none given'],
      ['Business', company.business],
    ],
  });
  const grossProfitCents = result.revenueCents - result.costOfSalesCents;
  const share = (cents: number) => `${((cents / Math.max(1, result.revenueCents)) * 100).toFixed(1)}%`;
  const line = (name: string, cents: number) => [name, amount(cents), share(cents)];
  sheet.heading('Statement of income');
  sheet.table(
    [
      { head: '', weight: 60 },
      { head: 'Amount', weight: 22, align: 'right' },
      { head: 'Of revenue', weight: 14, align: 'right' },
    ],
    [
      line('Revenue', result.revenueCents),
      line('Cost of sales', result.costOfSalesCents),
      line('Gross profit', grossProfitCents),
      ...result.expenses.map(([name, cents]) => line(`   ${name}`, cents)),
      line(
        'Total expenses',
        sumOf(result.expenses, ([, cents]) => cents),
      ),
    ],
    { size: 8.5, totals: [line('Net income', result.netIncomeCents)] },
  );

  const random = createRandom('balance', company.fileCode, year);
  const cashCents = shareOf(result.revenueCents, random.int(700, 1400));
  const receivableCents = shareOf(result.revenueCents, random.int(500, 1100));
  const equipmentCents = shareOf(result.revenueCents, random.int(900, 2200));
  const assetsCents = cashCents + receivableCents + equipmentCents;
  const payableCents = shareOf(result.costOfSalesCents, random.int(700, 1300));
  const taxesPayableCents = sumOf(runsOfQuarter(ledger, year, quarter).slice(-1), (run) => run.totals.federalCents);
  const loanCents = shareOf(equipmentCents, random.int(1500, 4500));
  const equityCents = assetsCents - payableCents - taxesPayableCents - loanCents;
  sheet.heading(`Balance sheet, ${longDate(endDay)}`);
  const half = (sheet.width - 16) / 2;
  const top = sheet.y;
  const columns = (head: string) => [
    { head, weight: 60 },
    { head: 'Amount', weight: 34, align: 'right' as const },
  ];
  sheet.table(
    columns('Assets'),
    [
      ['Cash', amount(cashCents)],
      ['Accounts receivable', amount(receivableCents)],
      ['Equipment, net', amount(equipmentCents)],
      ['', ''],
    ],
    { size: 8.5, width: half, totals: [['Total assets', amount(assetsCents)]] },
  );
  sheet.y = top;
  sheet.table(
    columns('Liabilities and equity'),
    [
      ['Accounts payable', amount(payableCents)],
      ['Payroll taxes payable', amount(taxesPayableCents)],
      ['Bank loan', amount(loanCents)],
      ['Equity', amount(equityCents)],
    ],
    {
      size: 8.5,
      x: sheet.left + half + 16,
      width: half,
      totals: [['Total liabilities and equity', amount(assetsCents)]],
    },
  );
  sheet.paragraph(
    `Management is responsible for these statements. ${FIRM.name} compiled them from the company's records and payroll; it did not audit or review them and gives no opinion on them. Substantially all disclosures are left out.`,
    { size: 7.5, color: COLORS.muted },
  );
  return sheet.finish();
}

function incomeTaxForm(company: Company): { number: string; title: string } {
  return /\b(Inc|Co|PC)\b/.test(company.legalName)
    ? { number: '1120-S', title: 'U.S. Income Tax Return for an S Corporation' }
    : { number: '1065', title: 'U.S. Return of Partnership Income' };
}

export function taxReturn(ledger: Ledger, document: YearDocument): Promise<Buffer> {
  const { company } = ledger;
  const result = resultOf(company, runsOfYear(ledger, document.year), String(document.year));
  const form = incomeTaxForm(company);
  const sheet = openFormSheet({
    ...form,
    year: document.year,
    period: [String(document.year), 'Calendar year'],
    company,
    preparedDay: document.preparedDay,
    agency: 'Department of the Treasury – Internal Revenue Service',
  });
  const expense = (name: string) => result.expenses.find(([known]) => known === name)?.[1] ?? 0;
  const other = sumOf(result.expenses.slice(3, 7), ([, cents]) => cents) - expense('Supplies and repairs');
  sheet.heading('Income');
  sheet.formLines([
    { line: '1c', label: 'Gross receipts or sales', value: amount(result.revenueCents) },
    { line: '2', label: 'Cost of goods sold', value: amount(result.costOfSalesCents) },
    { line: '3', label: 'Gross profit', value: amount(result.revenueCents - result.costOfSalesCents) },
    { line: '6', label: 'Total income', value: amount(result.revenueCents - result.costOfSalesCents), strong: true },
  ]);
  const deductions = sumOf(result.expenses, ([, cents]) => cents);
  sheet.heading('Deductions');
  sheet.formLines([
    { line: '8', label: 'Salaries and wages', value: amount(expense('Salaries and wages')) },
    { line: '9', label: 'Repairs, maintenance and supplies', value: amount(expense('Supplies and repairs')) },
    { line: '11', label: 'Rents', value: amount(expense('Rent')) },
    { line: '12', label: 'Taxes and licenses', value: amount(expense('Payroll taxes')) },
    { line: '14', label: 'Depreciation', value: amount(expense('Depreciation')) },
    { line: '20', label: 'Other deductions (insurance, utilities, professional fees)', value: amount(other) },
    { line: '21', label: 'Total deductions', value: amount(deductions), strong: true },
    { line: '22', label: 'Ordinary business income', value: amount(result.netIncomeCents), strong: true },
  ]);
  sheet.heading(`Schedule K-1 summary, as of ${longDate(dayOf(document.year, 12, 31))}`);
  const random = createRandom('owners', company.fileCode);
  const firstShare = random.pick([5000, 6000, 7500]);
  const firstCents = shareOf(result.netIncomeCents, firstShare);
  sheet.table(
    [
      { head: 'Owner', weight: 40 },
      { head: 'Share', weight: 20, align: 'right' },
      { head: 'Ordinary income', weight: 30, align: 'right' },
    ],
    [
      ['Owner 1', `${(firstShare / 100).toFixed(2)}%`, amount(firstCents)],
      ['Owner 2', `${(100 - firstShare / 100).toFixed(2)}%`, amount(result.netIncomeCents - firstCents)],
    ],
    { size: 8.5, totals: [['Total', '100.00%', amount(result.netIncomeCents)]] },
  );
  signatureBlock(sheet, document.preparedDay, company.index * 23 + 5);
  return sheet.finish();
}
