// ACH files, as payroll programs write them: records of 94 characters, of which only the headers of batches say whose the file is.
import { describe, expect, it, test } from 'vitest';
import { ACH_ENTRY, type AchBatch, achRecords } from '../../testing/ach-records.ts';
import { clients, file, known, only, said, typeName } from '../../testing/recognition-firm.ts';
import { pageOfText } from '../reading/text-file.ts';
import type { KnownClient } from './proposal.ts';
import { recognise } from './recognise.ts';

const BAKERY = { name: 'HARBOR & PINE BA', id: '1071234567' };
const PLUMBER = { name: 'ACME PLUMBING LL', id: '1082222222' };

const pageOf = (text: string) => pageOfText(Buffer.from(text), 'text/plain');
const achOf = (...batches: readonly AchBatch[]) => achRecords(batches).join('\r\n');
const read = (text: string, name = 'export.txt') => only(file(name, pageOf(text)));

const READY_FOR_BAKERY = { state: 'ready', clientId: 1, period: '2026-11-27', reasons: [] };

it('is ready where the federal id and the cut name of its batch are one client’s', () => {
  const text = achOf(BAKERY);
  for (const record of text.split('\r\n')) expect(record).toHaveLength(94);
  const document = read(text);
  expect(document).toMatchObject({ ...READY_FOR_BAKERY, form: 'Direct deposit', printedName: null, heading: null });
  expect(typeName(document.reportTypeId)).toBe('Direct Deposit / ACH');
  const found = [...(document.clients[0]?.signals ?? []), ...document.typeSignals, ...document.periodSignals];
  expect(found.map(({ kind, text }) => [kind, text])).toEqual([
    ['federalId', '1071234567'],
    ['cutName', 'HARBOR & PINE BA'],
    ['form', 'PPD PAYROLL'],
    ['period', 'Effective entry date 261127'],
  ]);
  // Each where it stands in the second line: ten letters to 72 points.
  expect(found.map(({ marks }) => marks.map(({ page, x, y, width }) => [page, x / 7.2, y, width / 7.2]))).toEqual(
    [
      [40, 10],
      [4, 16],
      [50, 13],
      [69, 6],
    ].map(([column, letters]) => [[1, expect.closeTo(column ?? 0), 12, expect.closeTo(letters ?? 0)]]),
  );
  expect(document.clients.map(({ clientId }) => clientId)).toEqual([1]);
});

test.each([
  ['line feeds', (records: readonly string[]) => `${records.join('\n')}\n`],
  ['the line ends of Windows', (records: readonly string[]) => `${records.join('\r\n')}\r\n\r\n`],
  ['no line ends', (records: readonly string[]) => records.join('')],
  ['no line ends but the last', (records: readonly string[]) => `${records.join('')}\r\n`],
  ['an end of file as MS-DOS wrote it', (records: readonly string[]) => `${records.join('\r\n')}\r\n\u001a`],
  [
    'the blanks at the ends of lines cut off',
    (records: readonly string[]) => records.map((r) => r.trimEnd()).join('\n'),
  ],
])('is recognised with %s', (_, written) => {
  expect(read(written(achRecords([BAKERY])))).toMatchObject(READY_FOR_BAKERY);
  const two = read(written(achRecords([BAKERY, PLUMBER])));
  expect([two.state, two.clients.map(({ clientId }) => clientId)]).toEqual(['toCheck', [1, 2]]);
});

test.each([
  ['9 before it', '9071234567'],
  ['a zero before it', '0071234567'],
  ['a blank before it', ' 071234567'],
  ['a blank behind it', '071234567 '],
  ['its hyphen', '07-1234567'],
])('the federal id may have %s', (_, id) => {
  expect(read(achOf({ ...BAKERY, id }))).toMatchObject(READY_FOR_BAKERY);
});

test.each([
  ['short', 'OAK & ASH', { id: 20, names: ['Oak & Ash LLC'] }],
  ['small letters', 'harbor & pine ba', { id: 1, names: ['Harbor & Pine Bakery LLC'] }],
  ['a cut ending', 'OAK STREET PRINTI', { id: 20, names: ['Oak Street Printing LLC'] }],
  ['a cut between words', 'OAK STREET PRINT', { id: 20, names: ['Oak Street Print Shop Company'] }],
  ['a cut behind a blank', 'NORTHERN LAKES F', { id: 20, names: ['The Northern Lakes Ferry Company of Ohio Inc.'] }],
  ['a joiner in other words', 'OAK AND ASH BAKE', { id: 20, names: ['Oak & Ash Bakehouse LLC'] }],
  ['another name', 'THE ASH TREE INN', { id: 20, names: ['Oak Hospitality LLC', 'The Ash Tree Inn'] }],
])('the name is found with %s', (_, name, client) => {
  const own: KnownClient = { stateId: '', federalId: '00-2020202', ...client };
  const page = pageOf(achOf({ name: name.slice(0, 16), id: '1002020202' }));
  const others = clients.filter(({ id }) => id !== own.id);
  expect(recognise([file('x.txt', page)], { ...known, clients: [...others, own] })).toMatchObject([
    { state: 'ready', clientId: own.id },
  ]);
});

test('a name that fills its field is whole where none goes on from it', () => {
  const own: KnownClient = { id: 20, names: ['Oak Street Print'], stateId: '', federalId: '00-2020202' };
  const page = pageOf(achOf({ name: 'OAK STREET PRINT', id: '1002020202' }));
  const [document] = recognise([file('x.txt', page)], { ...known, clients: [...clients, own] });
  expect(document?.clients[0]?.signals.map(({ kind }) => kind)).toEqual(['federalId', 'legalName']);
});

describe('near twins whose names are cut alike', () => {
  const twins: readonly KnownClient[] = [
    { id: 30, names: ['Acme Plumbing of Oregon LLC'], stateId: '', federalId: '00-3030303' },
    // Its name ends where the others' are cut.
    { id: 31, names: ['Acme Plumbing of'], stateId: '', federalId: '00-3131313' },
  ];
  const recognised = (id: string) =>
    recognise([file('x.txt', pageOf(achOf({ name: 'ACME PLUMBING OF', id })))], {
      ...known,
      clients: [...clients, ...twins],
    })[0];

  it.each([
    ['1083333333', 3],
    ['1003030303', 30],
    ['1003131313', 31],
  ])('are told by the federal id', (id, clientId) => {
    expect(recognised(id)).toMatchObject({ state: 'ready', clientId });
  });

  it('are not told by the name alone, nor by the federal id of a third', () => {
    expect(recognised('BANKS0012')?.state).toBe('toCheck');
    expect(recognised('1082222222')).toMatchObject({ state: 'toCheck' });
    expect(said(recognised('1082222222'))).toContain('contradiction');
  });
});

test.each<[string, AchBatch, string[]]>([
  ['the federal id of one client, the name of another', { ...BAKERY, id: PLUMBER.id }, ['contradiction']],
  ['the federal id of a near twin', { ...PLUMBER, id: '1083333333' }, ['contradiction']],
  ['the federal id of nobody', { ...BAKERY, id: '1005005005' }, ['oneSignal', 'anotherCompany']],
  ['the number that the bank gave', { ...BAKERY, id: 'HPBAKERY01' }, ['oneSignal']],
  ['a D-U-N-S number with the digits of a federal id', { ...BAKERY, id: '3071234567' }, ['oneSignal']],
  ['the name of nobody', { ...BAKERY, name: 'ELM RIDGE CATERI' }, ['oneSignal', 'anotherCompany']],
  ['the name of another kind of company', { ...PLUMBER, name: 'ACME PLUMBING PC' }, ['oneSignal', 'anotherCompany']],
  ['no name', { ...BAKERY, name: '' }, ['oneSignal']],
  ['a federal id that two clients share', { name: 'LARKSPUR HOSPITA', id: '1094444444' }, ['severalClients']],
])('%s: to check', (_, batch, reasons) => {
  const document = read(achOf(batch));
  expect(document).toMatchObject({ state: 'toCheck', period: '2026-11-27' });
  expect(said(document)).toEqual(expect.arrayContaining(reasons));
  expect(typeName(document.reportTypeId)).toBe('Direct Deposit / ACH');
});

test('a name that no client has may be remembered as one of theirs', () => {
  expect(read(achOf({ ...BAKERY, name: 'HARBOR PINE BKRY' }))).toMatchObject({ printedName: 'HARBOR PINE BKRY' });
});

describe('a file of several batches', () => {
  it('is ready where all are of one company and day', () => {
    expect(read(achOf(BAKERY, { ...BAKERY, description: 'BONUS' }))).toMatchObject(READY_FOR_BAKERY);
  });

  it.each<[string, AchBatch, string]>([
    ['two clients', PLUMBER, 'severalClients'],
    ['a client and a company that is none', { name: 'ELM RIDGE CATERI', id: '1005005005' }, 'anotherCompany'],
    ['a client and a number of another company', { ...BAKERY, id: '1005005005' }, 'anotherCompany'],
    ['a client and whoever has another number', { name: '', id: 'ELMRIDGE' }, 'anotherCompany'],
    ['a client and another name', { ...BAKERY, name: 'ELM RIDGE CATERI' }, 'anotherCompany'],
    ['a client and one out of reach', { name: 'HIDDEN VALLEY FA', id: '1006666666' }, 'anotherCompany'],
  ])('of %s is to check, whichever is first', (_, other, reason) => {
    for (const batches of [
      [BAKERY, other],
      [other, BAKERY],
      [BAKERY, BAKERY, other],
    ]) {
      const document = read(achOf(...batches));
      expect(document.state).toBe('toCheck');
      expect(said(document)).toContain(reason);
    }
  });

  it('of more companies than anybody compares is nobody’s', () => {
    const many = Array.from({ length: 400 }, (_, index) => ({ name: `STORE ${index}`, id: `1005${index + 100000}` }));
    expect(read(achOf(...many, BAKERY)).state).toBe('toCheck');
    expect(read(achOf(BAKERY, ...many)).state).toBe('toCheck');
  });

  it('with two days has no period, and says so', () => {
    const document = read(achOf(BAKERY, { ...BAKERY, day: '261204' }), 'ACH_20261127.txt');
    expect(document).toMatchObject({ state: 'toCheck', clientId: 1, period: null });
    expect(said(document)).toEqual(['severalPeriods']);
  });
});

test.each(['      ', '000000', '261131', '990101'])('with the day %j it is to check', (day) => {
  for (const batches of [[{ ...BAKERY, day }], [BAKERY, { ...BAKERY, day }]]) {
    const document = read(achOf(...batches));
    expect(document).toMatchObject({ state: 'toCheck', clientId: 1, period: null });
    expect(said(document)).toEqual(['unreadPeriod']);
  }
});

test.each<[string, readonly AchBatch[]]>([
  ['payments of taxes', [{ ...BAKERY, kind: 'CCD', description: 'TAX DEP' }]],
  ['payments with remarks', [{ ...BAKERY, kind: 'CTX', description: 'CHILDSUPP' }]],
  ['pay and taxes', [BAKERY, { ...BAKERY, kind: 'CCD', description: 'TAX DEP' }]],
  ['debits of persons', [{ ...BAKERY, service: '225', description: 'DUES' }]],
  ['what takes pay back', [{ ...BAKERY, service: '200', description: 'REVERSAL' }]],
])('%s have their client and day, and no type', (_, batches) => {
  const document = read(achOf(...batches));
  expect(document).toMatchObject({ state: 'toCheck', clientId: 1, reportTypeId: null, period: '2026-11-27' });
  expect(said(document)).toEqual(['noType']);
});

test('a firm without a report type for it has that said', () => {
  const page = pageOf(achOf(BAKERY));
  expect(said(recognise([file('x.txt', page)], { ...known, reportTypes: [] })[0])).toEqual(['unknownType']);
});

test.each<[string, (records: readonly string[]) => readonly string[]]>([
  ['the end of the file', (records) => records.slice(0, -8)],
  ['the middle of a record', (records) => [...records.slice(0, 3), (records[3] ?? '').slice(0, 40)]],
  ['the middle of the next header', (records) => [...records.slice(0, 5), (records[5] ?? '').slice(0, 40)]],
  ['a batch', (records) => [...records.slice(0, 5), ...records.slice(9)]],
])('one that lacks %s is to check', (_, cut) => {
  const records = achRecords([BAKERY, BAKERY]);
  expect(read(records.join('\n'))).toMatchObject(READY_FOR_BAKERY);
  const document = read(cut(records).join('\n'));
  expect(document).toMatchObject({ state: 'toCheck', clientId: 1 });
  expect(said(document)).toEqual(['missingPages']);
});

test('another file behind it is to check', () => {
  expect(said(read(`${achOf(BAKERY)}\r\n${achOf(PLUMBER)}`))).toEqual(
    expect.arrayContaining(['severalClients', 'missingPages']),
  );
});

test('one that is longer than what is read of it is to check', () => {
  const records = achRecords([BAKERY]);
  const long = [...records.slice(0, 2), ...Array.from({ length: 12_000 }, () => ACH_ENTRY), ...records.slice(2)];
  for (const end of ['\r\n', '']) {
    const document = read(long.join(end));
    expect(document).toMatchObject({ state: 'toCheck', clientId: 1, period: '2026-11-27' });
    expect(said(document)).toEqual(['missingPages']);
  }
});

test.each<[string, (records: readonly string[]) => readonly string[]]>([
  ['merely starts with 101', () => ['101 Main Street, Dayton, OH', '5 employees', '8 hours']],
  ['has another format', (records) => records.map((record) => record.replace('094101', '080101'))],
  ['has a longer record', (records) => records.map((record, at) => (at === 2 ? `${record}0` : record))],
  ['has a record of no such file', (records) => [...records.slice(0, 3), 'X'.repeat(94), ...records.slice(3)]],
  ['has no batch', (records) => [...records.slice(0, 1), ...records.slice(5)]],
])('a text that %s is none', (_, written) => {
  const document = read(written(achRecords([BAKERY])).join('\n'));
  expect(document).toMatchObject({ state: 'toCheck', form: null, reportTypeId: null, period: null });
});

test('a page that says it is one, with places that no text file has, is none', () => {
  const run = { text: `101 ${'0'.repeat(30)}094101`, x: 0, y: 0, width: 10, height: 12 };
  const runs = [run, { ...run, x: 1e12 }, { ...run, x: Number.NaN }, { ...run, x: -5, y: 12 }];
  expect(only(file('x.pdf', { width: 612, height: 792, runs })).state).toBe('toCheck');
});
