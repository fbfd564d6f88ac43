// IRS notices, as the post brings them and as a phone takes them.
import { lastDayOfQuarter, longDate, usDate } from '../calendar.ts';
import { dollars } from '../money.ts';
import type { Ledger } from '../payroll.ts';
import { createRandom } from '../random.ts';
import { form941 } from '../returns.ts';
import type { NoticeCode, NoticeDocument } from './descriptor.ts';
import { FICTION } from './letterhead.ts';
import { Sheet } from './sheet.ts';
import { COLORS } from './typesetter.ts';

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
