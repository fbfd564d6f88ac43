// Clients from a CSV: its columns, and how cells become what the form holds.

import { isCalendarDate } from '#contract/calendar-date.ts';
import { ClientImportRow, type ClientInput } from '#contract/clients.ts';
import { importClients } from '#web/data/clients.ts';
import { formatDate, today } from '#web/lib/format.ts';
import { ImportDialog } from '#web/parts/import/import-dialog.tsx';
import type { ImportKind } from '#web/parts/import/import-kind.ts';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { readCount, readDate, readFederalId, readPhone } from './client-cells.ts';

type Field = keyof ClientInput;

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
      show: (value) => (isCalendarDate(value) ? formatDate(value) : value),
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
