// Clients from a CSV: its columns, and how cells become what the form holds.
import { ClientImportRow, type ClientInput } from '#contract/clients.ts';
import { importClients } from '#web/data/clients.ts';
import { formatDate, today } from '#web/lib/format.ts';
import { ImportDialog, type ImportKind } from '#web/parts/import/import-dialog.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';

type Field = keyof ClientInput;

const digitsOf = (cell: string) => cell.replace(/\D/g, '');

/** Ten digits however they are written, with the country's 1 or without; anything else stays for the form's sentence. */
function readPhone(cell: string): string {
  const digits = digitsOf(cell).replace(/^1(?=\d{10}$)/, '');
  return digits.length === 10 ? digits.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1)-$2-$3') : cell.trim();
}

/** Nine digits however they are written. */
function readFederalId(cell: string): string {
  const digits = digitsOf(cell);
  return digits.length === 9 && /^[\d\s-]+$/.test(cell) ? `${digits.slice(0, 2)}-${digits.slice(2)}` : cell.trim();
}

/** 1,204 as spreadsheets write it. */
const readCount = (cell: string) => (/^\d{1,3}(,\d{3})+$/.test(cell.trim()) ? digitsOf(cell) : cell.trim());

const AMERICAN_DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;

/** Month, day and year as the portal shows them, or year, month and day. */
function readDate(cell: string): string {
  const [, month = '', day = '', year] = AMERICAN_DATE.exec(cell.trim()) ?? [];
  return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : cell.trim();
}

const kind: Omit<ImportKind<Field>, 'columns'> & { columns: () => ImportKind<Field>['columns'] } = {
  title: 'Import Clients',
  noun: 'client',
  list: 'clients',
  schema: ClientImportRow,
  columns: () => [
    {
      field: 'name',
      label: 'Client Name',
      synonyms: [
        'Client',
        'Company Name',
        'Company',
        'Legal Name',
        'Business Name',
        'Business',
        'Customer Name',
        'Customer',
        'Employer Name',
        'Employer',
      ],
      example: 'Harbor & Pine Bakery LLC',
    },
    {
      field: 'address',
      label: 'Address',
      synonyms: ['Full Address', 'Street Address', 'Mailing Address', 'Business Address', 'Street'],
      example: '12 Harbor Street, Portland, ME 04101',
    },
    {
      field: 'phone',
      label: 'Phone Number',
      synonyms: ['Phone No', 'Telephone', 'Telephone Number', 'Main Phone', 'Tel', 'Mobile'],
      read: readPhone,
      example: '(207)-555-0142',
    },
    {
      field: 'email',
      label: 'Email',
      synonyms: ['Email Address', 'Main Email', 'Contact Email', 'Mail'],
      example: 'office@example.com',
    },
    {
      field: 'federalId',
      label: 'Federal ID',
      synonyms: [
        'EIN',
        'FEIN',
        'Federal EIN',
        'Federal ID Number',
        'Federal Tax ID',
        'Employer Identification Number',
        'Tax ID',
        'Tax ID Number',
        'TIN',
      ],
      read: readFederalId,
      example: '00-1234567',
    },
    {
      field: 'stateId',
      label: 'State ID',
      synonyms: ['State ID Number', 'State Tax ID', 'State Withholding ID', 'State EIN', 'State Account'],
      example: 'ME-88121',
    },
    {
      field: 'employeeCount',
      label: 'Number of Employees',
      synonyms: ['Employees', 'Employees Count', 'No of Employees', 'Headcount', 'Staff'],
      absent: { value: '0', words: '0' },
      read: readCount,
      example: '12',
    },
    {
      field: 'startDate',
      label: 'Start Date',
      synonyms: ['Client Since', 'Since', 'Started', 'Start', 'Date'],
      absent: { value: today(), words: 'today' },
      read: readDate,
      show: formatDate,
      example: '01/31/2026',
    },
    {
      field: 'otherNames',
      label: 'Other Names',
      synonyms: [
        'Other Name',
        'DBA',
        'Doing Business As',
        'Trade Name',
        'Short Name',
        'Alias',
        'Aliases',
        'Also Known As',
      ],
      absent: { value: '', words: 'none' },
      example: 'Harbor Pine; HPB',
    },
  ],
};

export function ImportClients(dialog: Pick<Dialog<never>, 'opened' | 'close'>) {
  return <ImportDialog {...dialog} kind={{ ...kind, columns: kind.columns() }} send={importClients} />;
}
