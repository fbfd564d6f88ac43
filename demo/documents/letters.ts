// Letters between the firm, its clients and the agencies.
import { longDate, usDate } from '../calendar.ts';
import { COMPANIES, type Company, FIRM } from '../companies.ts';
import { dollars } from '../money.ts';
import { personName } from '../people.ts';
import { createRandom } from '../random.ts';
import { stateOf } from '../states.ts';
import type { LetterDocument, LetterSubject } from './descriptor.ts';
import { addressBlock, FICTION } from './letterhead.ts';
import { Sheet } from './sheet.ts';
import { COLORS } from './typesetter.ts';

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
      '3.  Every contractor whom you paid has given you a Form W-9.',
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
