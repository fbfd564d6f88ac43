// Cells of a list of clients, brought into the shape of the form. What is anything else stays as it is, for the form's own sentence: no
// value becomes another one.
const digitsOf = (cell: string) => cell.replace(/\D/g, '');

/** Digits with the signs between them that numbers of phones have: no extension, and no second number. */
const PHONE = /^\s*\+?[\d\s().\u2010-\u2015-]+$/;

/** Ten digits however they are written, with the country's 1 or without. */
export function readPhone(cell: string): string {
  const digits = digitsOf(cell).replace(/^1(?=\d{10}$)/, '');
  return digits.length === 10 && PHONE.test(cell)
    ? digits.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1)-$2-$3')
    : cell.trim();
}

/** Two digits and seven, or nine in a row: three, two and four are a person's number. */
const FEDERAL_ID = /^\s*\d{2}[\s\u2010-\u2015-]{0,3}\d{7}\s*$/;

export function readFederalId(cell: string): string {
  const digits = digitsOf(cell);
  return FEDERAL_ID.test(cell) ? `${digits.slice(0, 2)}-${digits.slice(2)}` : cell.trim();
}

/** 1,204 as spreadsheets write it. */
export const readCount = (cell: string) => (/^\d{1,3}(,\d{3})+$/.test(cell.trim()) ? digitsOf(cell) : cell.trim());

const AMERICAN_DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;

/** Month, day and year as the portal shows them, or year, month and day. */
export function readDate(cell: string): string {
  const [, month = '', day = '', year] = AMERICAN_DATE.exec(cell.trim()) ?? [];
  return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : cell.trim();
}
