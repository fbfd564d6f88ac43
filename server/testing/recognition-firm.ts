// A firm for tests of recognition, and short ways to ask what becomes of its files.
import { USUAL_REPORT_TYPES } from '#contract/usual-report-types.ts';
import type { PageText } from '../batches/reading/page-text.ts';
import type { Known, KnownClient, ProposedDocument, ReadFile } from '../batches/recognition/proposal.ts';
import { recognise } from '../batches/recognition/recognise.ts';
import { typedPage } from './typed-page.ts';

export const clients: readonly KnownClient[] = [
  { id: 1, names: ['Harbor & Pine Bakery LLC', 'HP Bakehouse'], stateId: 'OH-52 104 4471', federalId: '07-1234567' },
  { id: 2, names: ['Acme Plumbing LLC'], stateId: '52-118830', federalId: '08-2222222' },
  { id: 3, names: ['Acme Plumbing of Ohio Inc.'], stateId: '', federalId: '083333333' },
  {
    id: 4,
    names: ['Larkspur Hospitality Group LLC dba Larkspur Café'],
    stateId: 'NY 77-4410021',
    federalId: '09-4444444',
  },
  {
    id: 5,
    names: ['Larkspur Hospitality Group LLC dba The Larkspur Inn'],
    stateId: 'NY 77-4410038',
    federalId: '09-4444444',
  },
  { id: 6, names: ['Hidden Valley Farms Inc.'], stateId: 'CA 909-1188-2', federalId: '00-6666666', outOfReach: true },
  { id: 7, names: ['Cedar Payroll Bureau Inc.'], stateId: 'WH 600-4400-19', federalId: '00-7777777' },
  { id: 8, names: ['O’Dell & Sons Landscaping, Co.'], stateId: '', federalId: '00-8888888' },
  { id: 9, names: ['Bright Path Therapy LLC'], stateId: '', federalId: '00-9999991' },
  { id: 10, names: ['Bright Path Therapy Inc.'], stateId: '', federalId: '00-9999992' },
  { id: 11, names: ['Zephyr Ridge Roofing Inc.'], stateId: '', federalId: '00-1010101' },
];
export const known: Known = {
  clients,
  lastYear: 2027,
  reportTypes: [
    ...USUAL_REPORT_TYPES.map((name, index) => ({ id: 100 + index, name, phrases: [] })),
    { id: 200, name: 'Retirement Listing', phrases: ['401k contribution detail'] },
  ],
};
export const typeName = (id: number | null) => known.reportTypes.find((type) => type.id === id)?.name ?? null;

let nextKey = 1;
export const file = (name: string, ...pages: readonly PageText[]): ReadFile => ({
  key: nextKey++,
  name,
  pages,
  bookmarks: [],
});
export const said = (document: ProposedDocument | undefined) => document?.reasons.map(({ kind }) => kind);
/** The one document that a file is. */
export function only(given: ReadFile): ProposedDocument {
  const [document, more] = recognise([given], known);
  if (document === undefined || more !== undefined) throw new Error('The file is not one document');
  return document;
}

export const ranges = (documents: readonly ProposedDocument[]) =>
  documents.map(({ fromPage, toPage }) => [fromPage, toPage]);

export const register = (name: string, id: string, more = '') =>
  typedPage(`
    ${name}
    #Payroll Register
    ${id === '' ? '' : `EIN: ${id}`}
    Check Date: 03/14/2025
    ${more}

    Employee          Hours    Gross
    Tamsin Castellan  80.00    2,100.00
  `);

export const journal = (name: string, id: string, page: string) =>
  typedPage(`
    ${name}      PAYROLL JOURNAL      ${page}
    FEIN: ${id}      CHECK DATE: 03/14/2025

    EMPLOYEE          HOURS
    Tamsin Castellan  80.00
  `);
