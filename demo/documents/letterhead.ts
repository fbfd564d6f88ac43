// The heads of documents: the accounting firm's, an agency's, and a company's own.
import { type Day, usDate } from '../calendar.ts';
import { type Company, FIRM } from '../companies.ts';
import { Sheet } from './sheet.ts';
import { COLORS, type SheetOptions } from './typesetter.ts';

/** On every page, so that nobody mistakes a figure for a real one. */
export const FICTION = 'Fictional demonstration data';

interface FirmDocument {
  readonly title: string;
  /** Under the title: the period. */
  readonly subtitle: string;
  readonly company: Company;
  readonly preparedDay: Day;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly landscape?: boolean;
  readonly password?: string;
}

function monogram(sheet: Sheet, x: number, y: number): void {
  sheet.box(x, y, 30, 30, { fill: COLORS.accent, radius: 4 });
  sheet.text(FIRM.monogram, x, y + 9.5, { size: 13, face: 'bold', color: COLORS.paper, width: 30, align: 'center' });
}

/** What the firm prepares: its letterhead, the document's title, and whose it is. */
export function openFirmSheet(document: FirmDocument): Sheet {
  const { company, title, subtitle } = document;
  const options: SheetOptions = {
    title: `${title} ${subtitle} - ${company.name}`,
    author: FIRM.name,
    preparedDay: document.preparedDay,
    landscape: document.landscape ?? false,
    footer: `Prepared by ${FIRM.name} on ${usDate(document.preparedDay)}  ·  Confidential  ·  ${FICTION}`,
    ...(document.password === undefined ? {} : { password: document.password }),
  };
  const sheet = new Sheet(options);
  monogram(sheet, sheet.left, sheet.y);
  sheet.text(FIRM.name, sheet.left + 38, sheet.y + 3, { size: 11, face: 'bold' });
  sheet.text(`${FIRM.street}, ${FIRM.cityLine}  ·  ${FIRM.phone}`, sheet.left + 38, sheet.y + 18, {
    size: 7.5,
    color: COLORS.muted,
  });
  sheet.text(title, sheet.left, sheet.y, {
    size: 15,
    face: 'bold',
    color: COLORS.accent,
    width: sheet.width,
    align: 'right',
  });
  sheet.text(subtitle, sheet.left, sheet.y + 19, {
    size: 8.5,
    color: COLORS.muted,
    width: sheet.width,
    align: 'right',
  });
  sheet.y += 40;
  sheet.rule(sheet.y, { color: COLORS.accent, weight: 1.2 });
  sheet.y += 10;
  const name = { size: 12, face: 'bold' } as const;
  sheet.text(sheet.fitted(company.name, sheet.width, name), sheet.left, sheet.y, name);
  sheet.text(`${company.street}, ${company.cityLine}`, sheet.left, sheet.y + 15, { size: 8, color: COLORS.muted });
  sheet.y += 32;
  sheet.facts([['EIN', company.federalId], ...document.facts]);
  sheet.continueWith(() => {
    sheet.text(
      sheet.fitted(`${company.name}  ·  EIN ${company.federalId}  ·  ${title}, ${subtitle}`, sheet.width - 80, {
        size: 8,
        face: 'bold',
      }),
      sheet.left,
      sheet.y,
      {
        size: 8,
        face: 'bold',
        color: COLORS.muted,
      },
    );
    sheet.text('continued', sheet.left, sheet.y, { size: 8, color: COLORS.muted, width: sheet.width, align: 'right' });
    sheet.y += 14;
  });
  return sheet;
}

interface FormDocument {
  /** 941 */
  readonly number: string;
  readonly title: string;
  readonly year: number;
  /** What is in the box at the right: the quarter, the tax year. */
  readonly period: readonly string[];
  readonly company: Company;
  readonly preparedDay: Day;
  readonly agency: string;
}

/** A client's copy of a form that was filed: number, name and period across the top, then the filer. */
export function openFormSheet(form: FormDocument): Sheet {
  const sheet = new Sheet({
    title: `Form ${form.number} ${form.period.join(' ')} - ${form.company.legalName}`,
    author: FIRM.name,
    preparedDay: form.preparedDay,
    footer: `Form ${form.number}  ·  Client copy, filed electronically ${usDate(form.preparedDay)} by ${FIRM.name}  ·  ${FICTION}`,
  });
  drawFormHead(sheet, form);
  return sheet;
}

/** The head alone, for a document that holds several forms. */
export function drawFormHead(sheet: Sheet, form: FormDocument): void {
  const { company } = form;
  const top = sheet.y;
  const boxWidth = 108;
  const boxX = sheet.right - boxWidth;
  const titleX = sheet.left + 124;
  const titleSize = sheet.sizeToFit(form.title, boxX - titleX - 10, 'bold', [12.5, 11, 10, 9]);
  sheet.text('Form', sheet.left, top + 10, { size: 8 });
  sheet.text(form.number, sheet.left + 24, top, { size: form.number.length > 5 ? 20 : 24, face: 'bold' });
  sheet.text(form.title, titleX, top + 3, { size: titleSize, face: 'bold' });
  sheet.text(form.agency, titleX, top + 19, { size: 8, color: COLORS.muted });
  sheet.box(boxX, top - 4, boxWidth, 36, { fill: COLORS.accentSoft, radius: 3 });
  form.period.forEach((line, index) => {
    sheet.text(line, boxX, top + 3 + index * 13, {
      size: index === 0 ? 10.5 : 8,
      face: index === 0 ? 'bold' : 'regular',
      width: boxWidth,
      align: 'center',
    });
  });
  sheet.y = top + 38;
  sheet.rule(sheet.y, { color: COLORS.ink, weight: 1.4 });
  sheet.y += 9;
  sheet.facts(
    [
      ['Employer identification number', company.federalId],
      ['Name', company.legalName],
      ['Trade name', company.tradeName ?? '–'],
      ['Address', company.street],
      ['City, state, ZIP code', company.cityLine],
      ['Telephone', company.phone],
    ],
    { columns: 3 },
  );
  sheet.rule(sheet.y - 2);
  sheet.y += 6;
  const heading = `Form ${form.number}, ${form.period.join(', ')}`;
  sheet.continueWith(() => {
    sheet.text(heading, sheet.left, sheet.y, { size: 8, face: 'bold', color: COLORS.muted });
    sheet.text(`${company.legalName}  ·  EIN ${company.federalId}`, sheet.left, sheet.y, {
      size: 8,
      color: COLORS.muted,
      width: sheet.width,
      align: 'right',
    });
    sheet.y += 18;
  });
}

/** Under the last figures of a return: who signs for it. */
export function signatureBlock(sheet: Sheet, preparedDay: Day, seed: number): void {
  sheet.need(76);
  sheet.y += 8;
  sheet.rule(sheet.y, { color: COLORS.ink });
  sheet.y += 7;
  sheet.paragraph(
    'Under penalties of perjury, I declare that I have examined this return, including accompanying schedules, and to the best of my knowledge and belief it is true, correct and complete.',
    { size: 7.5, color: COLORS.muted, gapAfter: 22 },
  );
  sheet.signature(sheet.left + 12, sheet.y, seed);
  sheet.text(usDate(preparedDay), sheet.left + 330, sheet.y - 9, { size: 9 });
  sheet.rule(sheet.y + 4, { width: 220 });
  sheet.rule(sheet.y + 4, { x: sheet.left + 320, width: 110 });
  sheet.text(`Reporting agent: ${FIRM.name}, under Form 8655`, sheet.left, sheet.y + 8, {
    size: 7,
    color: COLORS.muted,
  });
  sheet.text('Date', sheet.left + 320, sheet.y + 8, { size: 7, color: COLORS.muted });
  sheet.y += 24;
}

/** Whom a letter is to, line by line. */
export function addressBlock(sheet: Sheet, lines: readonly string[]): void {
  for (const line of lines) {
    sheet.text(line, sheet.left, sheet.y, { size: 10, face: 'serif' });
    sheet.y += 13.5;
  }
  sheet.y += 14;
}
