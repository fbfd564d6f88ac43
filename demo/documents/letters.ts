// Letters and other papers between the firm, its clients and the agencies: correspondence, IRS notices, and supporting papers.
import { lastDayOfQuarter, longDate, usDate, yearOf } from '../calendar.ts';
import { COMPANIES, type Company, FIRM } from '../companies.ts';
import { dollars } from '../money.ts';
import { type Ledger, runsOfYear, totalsOf } from '../payroll.ts';
import { personName } from '../people.ts';
import { createRandom } from '../random.ts';
import { form941 } from '../returns.ts';
import { stateOf } from '../states.ts';
import type { LetterDocument, LetterSubject, NoticeCode, NoticeDocument, Paper, PaperDocument } from './descriptor.ts';
import { FICTION } from './letterhead.ts';
import { COLORS, Sheet } from './sheet.ts';

interface Letter {
  /** Written by the company to the firm, rather than the other way round. */
  readonly fromClient: boolean;
  readonly paragraphs: (company: Company) => readonly string[];
}

const LETTERS: Record<LetterSubject, Letter> = {
  'Engagement letter': {
    fromClient: false,
    paragraphs: (company) => [
      `Thank you for asking us to keep the payroll of ${company.name}. This letter says what we will do, and what we need from you for it.`,
      `We will calculate each ${company.frequency} payroll from the hours and changes you send us, prepare the registers, pay the federal and ${stateOf(company.state).name} taxes from your account on the days they are due, and file Forms 941, 940, W-2 and 1099-NEC as well as the state's quarterly returns.`,
      'Please send hours no later than noon two business days before the check date. You will find every report in the portal on the day before the checks; please look at the register before the money moves.',
      'Our fee is billed monthly. Either of us may end this engagement with thirty days of notice; your records stay available to you for seven years.',
    ],
  },
  'Year-end payroll checklist': {
    fromClient: false,
    paragraphs: (company) => [
      `Before we close the payroll year of ${company.name}, please go through the points below and answer by December 19.`,
      '1.  Addresses of all employees are current, and everyone has said whether they take Form W-2 electronically.',
      '2.  Bonuses, fringe benefits, personal use of company cars and third-party sick pay are in the payroll.',
      '3.  Every contractor who was paid $600.00 or more has given you a Form W-9.',
      '4.  Checks that were voided or written by hand are reported to us.',
      'What reaches us after the last run of the year means amended returns, and an additional fee.',
    ],
  },
  'Unemployment rate change': {
    fromClient: false,
    paragraphs: (company) => [
      `${stateOf(company.state).agency} of ${stateOf(company.state).name} has sent the unemployment tax rate of ${company.name} for the new year: ${(company.unemploymentRate / 100).toFixed(2)}% of taxable wages, up to ${dollars(stateOf(company.state).unemploymentBaseCents)} for each employee.`,
      'We have entered the rate in your payroll beginning with the first check date of the year. You need not do anything.',
      'If you believe that claims were charged to you by mistake, please tell us within fifteen days, because the time to appeal is short.',
    ],
  },
  'Question about overtime': {
    fromClient: true,
    paragraphs: (company) => [
      `One of our people at ${company.name} worked at two sites last week, thirty hours at one and sixteen at the other, at different rates.`,
      'Is the overtime figured on the rate of the second site, or on a blended rate? And would it change anything if the second site were a different department in the register?',
      'We would like to get this right before the next run. Thank you.',
    ],
  },
  'Reply to IRS notice': {
    fromClient: false,
    paragraphs: (company) => [
      `We write as the reporting agent of ${company.legalName}, EIN ${company.federalId}, under the enclosed Form 8655, in answer to your notice.`,
      'The deposit in question was made on time. It was credited to the quarter before, because the period was entered wrongly. The acknowledgement from EFTPS is enclosed.',
      'Please move the deposit to the quarter it belongs to, and remove the penalty and interest that were charged. Our client has an unbroken record of timely deposits for the three years before.',
    ],
  },
  'Change of bank account': {
    fromClient: true,
    paragraphs: (company) => [
      `Starting with the next check date, please draw the payroll of ${company.name} and its taxes from our new operating account.`,
      'A voided check is in the portal. Please call our office at the number you have on file before you change anything; do not rely on this letter alone.',
    ],
  },
  'Disengagement letter': {
    fromClient: false,
    paragraphs: (company) => [
      `As agreed, our engagement with ${company.name} ended with the last check date of ${usDate(company.endDay ?? 0)}.`,
      'We have filed the returns of the last quarter and the forms for the year. From now on, deposits, returns and answers to notices are with your new provider.',
      'Your files stay in the portal, and we keep our copies for seven years. We wish you well.',
    ],
  },
  'Merger of payroll accounts': {
    fromClient: false,
    paragraphs: (company) => [
      `With the last check date of June 2025, ${company.name} stops paying wages. From July 1, its employees are paid by ${COMPANIES.find((other) => other.tookOver === company.fileCode)?.name ?? 'its successor'}.`,
      `The return of the second quarter will be marked as the final one. The yearly forms for the first half of 2025 are issued under EIN ${company.federalId}.`,
      'New reports appear under the successor; everything up to June stays where it is.',
    ],
  },
};

function addressBlock(sheet: Sheet, lines: readonly string[]): void {
  for (const line of lines) {
    sheet.text(line, sheet.left, sheet.y, { size: 10, face: 'serif' });
    sheet.y += 13.5;
  }
  sheet.y += 14;
}

export function letter(company: Company, document: LetterDocument): Promise<Buffer> {
  const { fromClient, paragraphs } = LETTERS[document.subject];
  const random = createRandom('letter', company.fileCode, document.subject, document.preparedDay);
  const sender = fromClient
    ? { name: company.name, lines: [company.street, company.cityLine, company.phone] }
    : { name: FIRM.name, lines: [FIRM.street, FIRM.cityLine, FIRM.phone] };
  const addressee = fromClient
    ? [FIRM.name, FIRM.street, FIRM.cityLine]
    : document.subject === 'Reply to IRS notice'
      ? ['Department of the Treasury', 'Internal Revenue Service', 'Accounts Management']
      : [company.name, company.street, company.cityLine];
  const sheet = new Sheet({
    title: `${document.subject} - ${company.name}`,
    author: sender.name,
    preparedDay: document.preparedDay,
    marginPoints: 64,
    footer: `${sender.name}  ·  ${FICTION}`,
  });
  sheet.text(sender.name, sheet.left, sheet.y, {
    size: 14,
    face: 'serifBold',
    color: fromClient ? COLORS.ink : COLORS.accent,
  });
  sheet.text(sender.lines.join('  ·  '), sheet.left, sheet.y + 19, { size: 8, color: COLORS.muted });
  sheet.y += 38;
  sheet.rule(sheet.y, { color: fromClient ? COLORS.faint : COLORS.accent, weight: 1 });
  sheet.y += 28;
  sheet.text(longDate(document.preparedDay), sheet.left, sheet.y, { size: 10, face: 'serif' });
  sheet.y += 30;
  addressBlock(sheet, addressee);
  sheet.text(`Re: ${document.subject}`, sheet.left, sheet.y, { size: 10.5, face: 'serifBold' });
  sheet.y += 26;
  const style = { size: 10.5, face: 'serif', lineGap: 3.2, gapAfter: 11 } as const;
  for (const text of paragraphs(company)) sheet.paragraph(text, style);
  sheet.y += 6;
  sheet.paragraph('Sincerely,', style);
  sheet.y += 24;
  sheet.signature(sheet.left + 6, sheet.y - 2, random.int(1, 500));
  sheet.y += 12;
  sheet.text(fromClient ? personName(random) : 'Renata Okafor, CPA', sheet.left, sheet.y, {
    size: 10.5,
    face: 'serif',
  });
  sheet.text(fromClient ? company.name : FIRM.name, sheet.left, sheet.y + 14, {
    size: 9,
    face: 'serif',
    color: COLORS.muted,
  });
  return sheet.finish();
}

interface Notice {
  readonly heading: string;
  /** `cents` is the amount the notice is about. */
  readonly text: (facts: { period: string; year: number; amount: string; due: string }) => readonly string[];
  readonly asks: 'payment' | 'answer' | 'nothing';
}

const NOTICES: Record<NoticeCode, Notice> = {
  CP14: {
    heading: 'You have a balance due',
    text: ({ period, amount, due }) => [
      `Our records show an unpaid balance of ${amount} on your Form 941 for ${period}.`,
      `Pay the amount due by ${due} to avoid additional penalty and interest charges. If you have already paid, please disregard this notice.`,
    ],
    asks: 'payment',
  },
  CP134B: {
    heading: 'Your federal tax deposits do not match your return',
    text: ({ period, amount, due }) => [
      `The deposits credited to you for ${period} differ from those you reported on Form 941. As a result, you owe ${amount}.`,
      `Compare your deposits with the list below and answer by ${due} if you believe that a deposit is missing or was credited to another period.`,
    ],
    asks: 'payment',
  },
  CP134R: {
    heading: 'Your federal tax deposits are higher than the tax you reported',
    text: ({ period, amount, due }) => [
      `The deposits credited to you for ${period} are ${amount} more than the tax you reported on Form 941.`,
      `If wages were left out of the return, file Form 941-X by ${due}. Otherwise we will refund the difference or apply it as you ask.`,
    ],
    asks: 'answer',
  },
  CP136: {
    heading: 'Your deposit schedule for the coming year',
    text: ({ period }) => [
      `We looked at the tax you reported in the twelve months up to ${period} to find your deposit schedule for the next calendar year.`,
      'Your schedule stays as it is. You need not answer this notice.',
    ],
    asks: 'nothing',
  },
  CP259: {
    heading: 'We have not received your return',
    text: ({ period, due }) => [
      `Our records show that you did not file Form 941 for ${period}.`,
      `File it by ${due}. If you have filed it already, send a signed copy with this notice.`,
    ],
    asks: 'answer',
  },
  CP2100: {
    heading: 'Some payee names and numbers do not match our records',
    text: ({ year, due }) => [
      `One or more Forms 1099-NEC you filed for ${year} have a missing or incorrect taxpayer identification number.`,
      `Compare the list with your records and, where they agree, ask the payee for a new Form W-9 by ${due}. Otherwise begin backup withholding.`,
    ],
    asks: 'answer',
  },
};

function drawNotice(sheet: Sheet, ledger: Ledger, document: NoticeDocument): void {
  const { company } = ledger;
  const notice = NOTICES[document.notice];
  const filed = form941(ledger, document.year, document.quarter);
  const random = createRandom('notice', company.fileCode, document.notice, document.preparedDay);
  const cents = document.notice === 'CP134R' ? filed.line15OverpaidCents : random.int(18_400, 384_000);
  const period = longDate(lastDayOfQuarter(document.year, document.quarter));
  const noticeDay = document.preparedDay - 6;
  const due = longDate(noticeDay + 30);

  sheet.text('Department of the Treasury', sheet.left, sheet.y, { size: 8 });
  sheet.text('Internal Revenue Service', sheet.left, sheet.y + 11, { size: 13, face: 'bold' });
  sheet.text('Service Center, Cincinnati OH', sheet.left, sheet.y + 28, { size: 8 });
  const box = sheet.right - 200;
  const facts: [string, string][] = [
    ['Notice', document.notice],
    ['Tax period', period],
    ['Notice date', longDate(noticeDay)],
    ['Employer ID number', company.federalId],
    ['To contact us', '800-555-0139'],
  ];
  facts.forEach(([label, value], index) => {
    const y = sheet.y + index * 15;
    sheet.text(label, box, y, { size: 8.5, face: 'bold' });
    sheet.text(value, box + 100, y, { size: 8.5 });
    sheet.rule(y + 12, { x: box, width: 200 });
  });
  sheet.y += 104;
  for (const line of [company.legalName.toUpperCase(), company.street.toUpperCase(), company.cityLine.toUpperCase()]) {
    sheet.text(line, sheet.left + 20, sheet.y, { size: 9.5, face: 'mono' });
    sheet.y += 13;
  }
  sheet.y += 30;
  sheet.text(notice.heading, sheet.left, sheet.y, { size: 16, face: 'bold' });
  sheet.y += 24;
  if (notice.asks === 'payment') {
    sheet.text(`Amount due: ${dollars(cents)}`, sheet.left, sheet.y, { size: 13, face: 'bold' });
    sheet.y += 24;
  }
  for (const text of notice.text({ period, year: document.year, amount: dollars(cents), due })) {
    sheet.paragraph(text, { size: 10, lineGap: 3, gapAfter: 10, width: sheet.width - 40 });
  }
  if (document.notice === 'CP134B' || document.notice === 'CP134R') {
    sheet.y += 4;
    sheet.table(
      [
        { head: 'Summary of the account', weight: 60 },
        { head: 'Amount', weight: 30, align: 'right' },
      ],
      [
        ['Tax reported on Form 941', dollars(filed.line12Cents)],
        [
          'Deposits credited to the period',
          dollars(document.notice === 'CP134R' ? filed.line13DepositsCents : filed.line13DepositsCents - cents),
        ],
      ],
      {
        size: 9.5,
        rowHeight: 18,
        width: sheet.width - 40,
        totals: [[document.notice === 'CP134R' ? 'Difference in your favor' : 'Amount you owe', dollars(cents)]],
      },
    );
  }
  sheet.y += 6;
  sheet.text('What you need to do', sheet.left, sheet.y, { size: 11, face: 'bold' });
  sheet.y += 18;
  sheet.paragraph(
    notice.asks === 'nothing'
      ? 'Keep this notice for your records.'
      : `Answer by ${due}. Write the notice number and your employer identification number on everything you send.`,
    { size: 10, width: sheet.width - 40 },
  );
  sheet.y += 10;
  sheet.rule(sheet.y, { color: COLORS.ink });
  sheet.y += 8;
  sheet.text(
    `${document.notice}  ${company.federalId}  ${usDate(noticeDay)}  000001.240117.0${random.digits(5)}`,
    sheet.left,
    sheet.y,
    {
      size: 7.5,
      face: 'mono',
    },
  );
}

/** An IRS notice as it was received: printed, or under a phone, a little askew on grey. */
export function taxNotice(ledger: Ledger, document: NoticeDocument): Promise<Buffer> {
  const sheet = new Sheet({
    title: document.photographed ? 'Scanned document' : `${document.notice} ${ledger.company.legalName}`,
    author: document.photographed ? 'Phone scanner' : 'Internal Revenue Service',
    preparedDay: document.preparedDay,
    marginPoints: 58,
    footer: document.photographed ? '' : `${document.notice}  ·  ${FICTION}`,
  });
  if (document.photographed) {
    sheet.background('#8d8a84');
    sheet.turned(-2.1, () => {
      sheet.box(30, 26, 552, 736, { fill: '#e9e6df' });
      drawNotice(sheet, ledger, document);
      sheet.text(FICTION, sheet.left, 735, { size: 6.5, color: COLORS.muted });
    });
  } else {
    drawNotice(sheet, ledger, document);
  }
  return sheet.finish();
}

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
