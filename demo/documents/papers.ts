// Supporting papers of a company: what it hands to the firm once, or every year.
import { longDate, usDate, yearOf } from '../calendar.ts';
import { FIRM } from '../companies.ts';
import { dollars } from '../money.ts';
import { type Ledger, runsOfYear, totalsOf } from '../payroll.ts';
import { createRandom } from '../random.ts';
import type { Paper, PaperDocument } from './descriptor.ts';
import { addressBlock, FICTION } from './letterhead.ts';
import { Sheet } from './sheet.ts';
import { COLORS } from './typesetter.ts';

type PaperBody = (sheet: Sheet, ledger: Ledger, document: PaperDocument) => void;

function rowsOf(sheet: Sheet, rows: readonly (readonly [string, string])[]): void {
  for (const [label, value] of rows) {
    sheet.box(sheet.left, sheet.y, sheet.width, 28, { stroke: COLORS.faint, weight: 0.7 });
    sheet.text(label, sheet.left + 6, sheet.y + 4, { size: 6.5, color: COLORS.muted });
    sheet.text(value, sheet.left + 6, sheet.y + 14, { size: 9.5, face: 'mono' });
    sheet.y += 28;
  }
  sheet.y += 14;
}

function paperTitle(sheet: Sheet, number: string, title: string): void {
  sheet.text(number, sheet.left, sheet.y, { size: 20, face: 'bold' });
  sheet.text(title, sheet.left + 120, sheet.y + 6, { size: 12, face: 'bold' });
  sheet.y += 30;
  sheet.rule(sheet.y, { color: COLORS.ink, weight: 1.2 });
  sheet.y += 16;
}

function signedAndDated(sheet: Sheet, document: PaperDocument): void {
  sheet.y += 26;
  sheet.signature(sheet.left + 8, sheet.y, document.company * 29 + 3);
  sheet.text(usDate(document.preparedDay), sheet.left + 300, sheet.y - 9, { size: 9.5 });
  sheet.rule(sheet.y + 5, { width: 220 });
  sheet.rule(sheet.y + 5, { x: sheet.left + 290, width: 120 });
  sheet.text('Signature', sheet.left, sheet.y + 9, { size: 7, color: COLORS.muted });
  sheet.text('Date', sheet.left + 290, sheet.y + 9, { size: 7, color: COLORS.muted });
  sheet.y += 30;
}

const PAPER_BODIES: Record<Paper, PaperBody> = {
  'EIN assignment': (sheet, { company }, document) => {
    paperTitle(sheet, 'CP 575', 'Notice of employer identification number');
    addressBlock(sheet, [company.legalName, company.street, company.cityLine]);
    for (const text of [
      `Thank you for applying for an employer identification number (EIN). We assigned you EIN ${company.federalId}. This number will identify your business, its tax returns and its documents, even if you have no employees.`,
      'Please keep this letter with your permanent records. Use the number and the name exactly as shown above on all your federal tax forms.',
      'Based on what you told us, you must file Form 941 each quarter and Form 940 each year.',
    ]) {
      sheet.paragraph(text, { size: 10, lineGap: 3, gapAfter: 11 });
    }
    sheet.text(`Copy made ${longDate(document.preparedDay)}`, sheet.left, sheet.y + 8, {
      size: 8,
      color: COLORS.muted,
    });
  },
  'W-9': (sheet, { company }, document) => {
    paperTitle(sheet, 'W-9', 'Request for Taxpayer Identification Number and Certification');
    rowsOf(sheet, [
      ['1  Name of entity', company.legalName],
      ['2  Business name, if different from above', company.tradeName ?? ''],
      [
        '3  Federal tax classification',
        /\bLLC|PLLC|LLP\b/.test(company.legalName) ? 'Limited liability company, P' : 'S corporation',
      ],
      ['5  Address', company.street],
      ['6  City, state, and ZIP code', company.cityLine],
      ['Part I  Employer identification number', company.federalId],
    ]);
    sheet.paragraph(
      'Under penalties of perjury, I certify that the number shown on this form is my correct taxpayer identification number.',
      { size: 9 },
    );
    signedAndDated(sheet, document);
  },
  'Form 8655': (sheet, { company }, document) => {
    paperTitle(sheet, '8655', 'Reporting Agent Authorization');
    rowsOf(sheet, [
      ['1a  Name of taxpayer', company.legalName],
      ['2  Employer identification number', company.federalId],
      ['4  Address', `${company.street}, ${company.cityLine}`],
      ['9  Reporting agent', FIRM.name],
      ['11  Address of the agent', `${FIRM.street}, ${FIRM.cityLine}`],
      ['15  Returns the agent signs and files', '940, 941, and 945, beginning with the current quarter'],
      ['16  Deposits the agent makes', '940, 941'],
    ]);
    signedAndDated(sheet, document);
  },
  'Workers comp audit': (sheet, ledger, document) => {
    const year = yearOf(document.preparedDay) - 1;
    const { company } = ledger;
    const runs = runsOfYear(ledger, year);
    paperTitle(sheet, 'Audit', `Workers' compensation premium audit, ${year}`);
    sheet.facts([
      ['Insured', company.name],
      ['EIN', company.federalId],
      ['Policy period', `01/01/${year} – 12/31/${year}`],
    ]);
    const lines = runs.flatMap((run) => run.lines);
    const rows = company.departments.map((department, index) => {
      const mine = lines.filter((line) => ledger.employees[line.employee]?.department === department);
      return { department, code: String(5183 + index * 311), totals: totalsOf(mine) };
    });
    sheet.table(
      [
        { head: 'Class', weight: 12 },
        { head: 'Department', weight: 34 },
        { head: 'Gross payroll', weight: 20, align: 'right' },
        { head: 'Overtime premium', weight: 20, align: 'right' },
        { head: 'Audited payroll', weight: 20, align: 'right' },
      ],
      rows.map(({ department, code, totals }) => {
        const premium = Math.round(totals.overtimeCents / 3);
        return [code, department, dollars(totals.grossCents), dollars(premium), dollars(totals.grossCents - premium)];
      }),
      { size: 9, rowHeight: 17 },
    );
    sheet.paragraph('The premium part of overtime, a third of overtime pay, is left out of the audited payroll.', {
      size: 8,
      color: COLORS.muted,
    });
    signedAndDated(sheet, document);
  },
  'Voided check': (sheet, { company }) => {
    const x = sheet.left;
    const y = sheet.y + 20;
    sheet.box(x, y, sheet.width, 210, { fill: '#eef4ee', stroke: '#9db39d', weight: 1 });
    sheet.text(company.name, x + 16, y + 16, { size: 11, face: 'bold' });
    sheet.text(`${company.street}, ${company.cityLine}`, x + 16, y + 31, { size: 8, color: COLORS.muted });
    sheet.text(`No. ${createRandom('check', company.fileCode).digits(4)}`, x, y + 16, {
      size: 11,
      width: sheet.width - 16,
      align: 'right',
    });
    sheet.text('Pay to the order of', x + 16, y + 78, { size: 8 });
    sheet.rule(y + 88, { x: x + 100, width: 260 });
    sheet.text('Dollars', x + sheet.width - 60, y + 112, { size: 8 });
    sheet.rule(y + 122, { x: x + 16, width: sheet.width - 84 });
    sheet.text('Union Harbor Bank', x + 16, y + 146, { size: 9, face: 'bold' });
    sheet.text(
      `:000000001:  000${createRandom('operating-account', company.fileCode).digits(4)}  ${company.initials}`,
      x + 16,
      y + 184,
      {
        size: 12,
        face: 'mono',
      },
    );
    sheet.text('VOID', x + 150, y + 66, { size: 76, face: 'bold', color: '#c96b5b', letterSpacing: 10 });
  },
};

export function paper(ledger: Ledger, document: PaperDocument): Promise<Buffer> {
  const sheet = new Sheet({
    title: `${document.paper} - ${ledger.company.legalName}`,
    author: ledger.company.legalName,
    preparedDay: document.preparedDay,
    marginPoints: 54,
    footer: FICTION,
  });
  PAPER_BODIES[document.paper](sheet, ledger, document);
  return sheet.finish();
}
