// Cells of a list of clients: what is meant becomes what the form holds, and what is not is left for a fault that says so.
import { expect, test } from 'vitest';
import { ClientImportRow } from '#contract/clients.ts';
import { readCount, readDate, readFederalId, readPhone } from './client-cells.ts';

const SOUND = {
  name: 'Plover Plumbing',
  address: '3 Fictional Way',
  phone: '(207)-555-0144',
  email: 'c@example.com',
  federalId: '00-1234567',
  stateId: 'ME-3',
  employeeCount: '12',
  startDate: '2026-01-31',
  otherNames: '',
};
const readers = { phone: readPhone, federalId: readFederalId, employeeCount: readCount, startDate: readDate };
type Field = keyof typeof readers;

test.each<[Field, string, string]>([
  ['phone', '(207) 555-0143', '(207)-555-0143'],
  ['phone', '+1 207 555 0144', '(207)-555-0144'],
  ['phone', '207.555.0145', '(207)-555-0145'],
  ['phone', '1-207-555-0145', '(207)-555-0145'],
  ['federalId', '00-1234567', '00-1234567'],
  ['federalId', '00 1234567', '00-1234567'],
  ['federalId', '001234567', '00-1234567'],
  ['federalId', '00\u20111234567', '00-1234567'],
  ['employeeCount', '1,204', '1204'],
  ['startDate', '1/31/2026', '2026-01-31'],
])('%s %j is %j', (field, cell, value) => {
  expect(readers[field](cell)).toBe(value);
  expect(ClientImportRow.safeParse({ ...SOUND, [field]: readers[field](cell) }).success).toBe(true);
});

test.each<[Field, string]>([
  ['phone', '555-0142 ext 123'],
  ['phone', '(207) 555-0143 x 12'],
  ['phone', '207-555-01 or 44'],
  ['phone', '555-0142'],
  ['federalId', '123-45-6789'],
  ['federalId', '123 45 6789'],
  ['federalId', '1234567'],
  ['federalId', '4.56E+08'],
  ['employeeCount', '12.0'],
  ['employeeCount', 'about 12'],
  ['startDate', '45323'],
  ['startDate', '13/02/2026'],
  ['startDate', '1/2/24'],
])('%s %j stays as it is, and is a fault', (field, cell) => {
  const value = readers[field](cell);
  const { error } = ClientImportRow.safeParse({ ...SOUND, [field]: value });
  expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
  if (field !== 'startDate') expect(value).toBe(cell);
});
