// What file names say about clients and report types, as firms write them.
import { expect, test } from 'vitest';
import { clientProposer, namesCorrection, proposeDocumentType, reportTypeProposer } from './propose.ts';

const clients = [
  { id: 1, names: ['Harbor & Pine Bakery, LLC'], federalId: '00-1234567' },
  { id: 2, names: ['Harbor Light Dental, Inc.', 'Smile House'], federalId: '00-7654321' },
  { id: 3, names: ["O'Brien Roofing Co."], federalId: '00-1112223' },
  { id: 4, names: ['Café Sonnet'], federalId: '00-4445556' },
];

test.each([
  ['Harbor & Pine Bakery LLC - 941 Q3 2025.pdf', 1],
  ['HarborPineBakery_941.pdf', 1],
  ['2025Q3_941_HARBORPINE_FILED.pdf', 1],
  ['HarborPine W-2 2025.pdf', 1],
  ['HPB 941 3Q25 signed.pdf', 1],
  ['hpb-journal.pdf', 1],
  ['941 00-1234567.pdf', 1],
  ['941_001234567_2025.pdf', 1],
  ['Smile House journal.pdf', 2],
  ['harbor light 940.pdf', 2],
  ['OBrien Roofing register.csv', 3],
  ["O'Brien 940.pdf", 3],
  ['cafe-sonnet.pdf', 4],
  // Two clients begin so.
  ['Harbor 941.pdf', null],
  // The federal id of one counts more than the name of another.
  ['Harbor Light 00-1234567.pdf', 1],
  // Inside longer words and numbers there is no client.
  ['subscription obriens.pdf', null],
  ['1001234567.pdf', null],
  ['scan0001.pdf', null],
  ['the company of inc.pdf', null],
])('%s is of client %s', (name, client) => {
  expect(clientProposer(clients)(name)).toBe(client);
});

test.each([
  ['IMG_1234.jpg', null],
  ['IMG_20260315_142233.jpg', null],
  ['IMG-20260315-WA0003.jpg', null],
  ['IMG_1234 voided check.jpg', null],
  ['img (2).jpg', null],
  ['DSC_0001.JPG', null],
  ['dsc-001.jpg', null],
  ['Scan.pdf', null],
  ['Scan 2026-03-15.pdf', null],
  ['scan_of_check.pdf', null],
  // People write them too.
  ['IMG 941 Q1 2026.pdf', 1],
  ['Journal IMG.pdf', 1],
  ['IMG_1234 Iron Mountain Grill.jpg', 1],
  ['DSC 2025 W-2.pdf', 2],
  ['dsc-journal.pdf', 2],
])('%s, as cameras and scanners begin names, is of client %s', (name, client) => {
  const called = [
    { id: 1, names: ['Iron Mountain Grill, LLC'], federalId: '' },
    { id: 2, names: ['Doe Smith Carpentry', 'DSC'], federalId: '' },
    { id: 3, names: ['Sunset Cove Auto Notary'], federalId: '' },
  ];
  expect(clientProposer(called)(name)).toBe(client);
});

test('two clients with the same name are not told apart', () => {
  const twins = [1, 2].map((id) => ({ id, names: ['Harbor & Pine'], federalId: `00-000000${id}` }));
  expect(clientProposer(twins)('Harbor Pine 941.pdf')).toBeNull();
  expect(clientProposer(twins)('Harbor Pine 00-0000002.pdf')).toBe(2);
});

const types = [
  { id: 1, name: 'Form 941' },
  { id: 2, name: 'Form 940' },
  { id: 3, name: 'W-2' },
  { id: 4, name: 'Payroll Journal' },
  { id: 5, name: 'Payroll Summary' },
  { id: 6, name: 'Form 941-X' },
  { id: 7, name: 'Tax Liability' },
];

test.each([
  ['941 Q3.pdf', 1],
  ['Form941-2025-Q3 (1).pdf', 1],
  ['941-X_2025Q1_amended.pdf', 6],
  ['HPB_940_2025.pdf', 2],
  ['W2 2025.pdf', 3],
  ['w-2s HarborPine.pdf', 3],
  ['JournalHarbor.pdf', 4],
  ['harbor payroll journal 2025-03-14.pdf', 4],
  ['tax liability.pdf', 7],
  // What several types share tells nothing.
  ['payroll 2025.pdf', null],
  ['944 Q3.pdf', null],
  ['19410.pdf', null],
  ['scan.pdf', null],
])('%s is of report type %s', (name, type) => {
  expect(reportTypeProposer(types)(name)).toBe(type);
});

test.each([
  ['Tax Return 2025.pdf', 'Tax Return'],
  ['HarborPine_1120S_2024.pdf', 'Tax Return'],
  ['Balance Sheet Q3.xlsx', 'Financial Statement'],
  ['letter of the IRS.pdf', 'Correspondence'],
  ['Financial statements with letter.pdf', null],
  ['941 Q3.pdf', null],
])('%s is a company document of type %s', (name, type) => {
  expect(proposeDocumentType(name)).toBe(type);
});

test.each([
  ['Journal 2026-11-13 corrected.pdf', true],
  ['AMENDED_941.pdf', true],
  ['BVC reg 11-20-26 REVISED.PDF', true],
  ['Register_rerun.csv', true],
  ['941-X Q1 2026.pdf', true],
  ['HarborPine_941x.pdf', true],
  ['945-X 2025.pdf', true],
  ['W-2c 2025.pdf', true],
  ['941 Q1 2026.pdf', false],
  ['W-2 2025.pdf', false],
  ['Correctional Supply journal.pdf', false],
  ['Journal 2026-11-13 (2).pdf', false],
])('%s says that it corrects another: %s', (name, says) => {
  expect(namesCorrection(name)).toBe(says);
});
