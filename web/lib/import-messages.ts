// What the import of a list says, apart from the other sentences: no page needs it before its dialog opens.
import { inFigures } from '#contract/plain-words.ts';

/** As many rows are named by their numbers. */
const ROWS_NAMED = 100;

export const importWords = {
  drop: 'or drop a CSV file here',
  paste: 'With a first line that names the columns, as copied from a spreadsheet.',
  pasted: 'Pasted rows',
  workbook:
    'This is an Excel workbook. In Excel, choose File, Save As and the type "CSV UTF-8 (Comma delimited)", and choose that file here.',
  notText: 'This is not a text file. Please choose a CSV file.',
  western: 'Read as Windows-1252, since the file is not UTF-8. Please look at letters with accents.',
  damaged: 'Some letters of the file cannot be read and stand as \uFFFD. Please look at letters with accents.',
  tooLarge: 'This file is larger than 4 MB. Please split it.',
  tooMany: (rows: number, most: number) =>
    `This file has ${inFigures(rows)} rows. At most ${inFigures(most)} are imported at once: please split it, each part with the first line.`,
  empty: 'There is nothing in it.',
  onlyHeader: 'There are no rows below the first line, which names the columns.',
  quotes: (row: number) => `Row ${row} has a quotation mark that is not closed.`,
  unreadable: 'This file could not be read.',
  columnWithoutName: (nth: number) => `Column ${nth}`,
  notInFile: (instead: string | undefined) => (instead ? `Not in the file: ${instead}` : 'Not in the file'),
  noColumn: 'Please choose the column',
  ignored: (columns: readonly string[]) => `Not imported: ${columns.join(', ')}`,
  wholeRow: 'Row',
  moreCells:
    'This row has more cells than the first line has names. A comma in a cell needs quotation marks around it.',
  checking: 'Checking the rows...',
  lacking: 'Please choose the columns that were not found.',
  notChecked: 'The rows could not be checked',
  sound: (rows: string) => `${rows} checked, nothing is wrong.`,
  faulty: (faults: string, rows: string) => `${faults} in ${rows}. Nothing is imported while a row has a fault.`,
  onlySound: (rows: string) => `Leave those out and import the ${rows} without a fault`,
  warned: (rows: string) => `${rows} to look at before you import`,
  ofRow: (row: number, sentence: string) => `Row ${row}: ${sentence}`,
  warnedMore: (rows: readonly number[]) =>
    `and ${inFigures(rows.length)} more, in ${rows.length === 1 ? 'row' : 'rows'} ${rows.slice(0, ROWS_NAMED).join(', ')}${rows.length > ROWS_NAMED ? ' and others' : ''}`,
  notTaken: {
    question: 'They were not downloaded, and cannot be shown again. Close anyway?',
    keepLabel: 'Go Back',
    leaveLabel: 'Close Anyway',
  },
  taken: 'The file was downloaded. Keep it safe, and delete it when everybody has what it holds for them.',
  takeAgain: 'Download Again',
  invite: 'Invite those without a password in the file: links by which they choose their own',
  invitations: (count: string, until: string, mailed: number) =>
    `${count} got an invitation link, good once and until ${until}. ${mailed === 0 ? '' : `${inFigures(mailed)} of the links ${mailed === 1 ? 'is' : 'are'} on the way by mail. `}The links are shown this once: download them now. Send each person their own alone.`,
  passwords: (count: string) =>
    `${count} got a generated password. They are shown this once: download them now, they cannot be looked up later.`,
} as const;
