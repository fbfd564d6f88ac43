// What is said to speak for a document.
import { expect, it } from 'vitest';
import type { DocumentRow, Signal } from '#contract/batches.ts';
import { clientWords, signalsOf, typeWords } from './document-words.ts';

const mark = (page: number) => ({ page, x: 1, y: 2, width: 3, height: 4 });
const fileName: Signal = { kind: 'fileName', text: 'ACH_20261127.txt', marks: [] };
const documentOf = (client: Signal[], type: Signal[], period: Signal[]) =>
  ({
    fromPage: 1,
    toPage: 2,
    clientId: 1,
    clients: [{ clientId: 1, clientName: 'Acme', signals: client }],
    typeSignals: type,
    periodSignals: period,
  }) as unknown as DocumentRow;

it('says what speaks for several things once', () => {
  expect(signalsOf(documentOf([fileName], [fileName], [fileName]))).toEqual([fileName]);
});

it('marks what reads alike wherever it stands, each place once', () => {
  const form = (...pages: number[]): Signal => ({ kind: 'form', text: '941', marks: pages.map(mark) });
  expect(signalsOf(documentOf([], [form(1), form(2)], [form(1)]))).toEqual([form(1, 2)]);
});

it('says what stands on the pages of the document alone, and what stands on none', () => {
  const form = (...pages: number[]): Signal => ({ kind: 'form', text: '941', marks: pages.map(mark) });
  const elsewhere: Signal = { kind: 'federalId', text: '08-1112221', marks: [mark(3)] };
  expect(signalsOf(documentOf([elsewhere], [form(2, 3)], [fileName]))).toEqual([form(2), fileName]);
});

it('tells the same words apart that speak in another way', () => {
  const [legal, other] = (['legalName', 'otherName'] as const).map(
    (kind): Signal => ({ kind, text: 'Acme', marks: [] }),
  );
  expect(signalsOf(documentOf([legal, other] as Signal[], [], [fileName]))).toEqual([legal, other, fileName]);
});

it('says of a closed document that it is, and not that it has no client or type', () => {
  const row = (more: Partial<DocumentRow>) =>
    ({
      clientName: null,
      reportTypeName: null,
      form: null,
      period: null,
      correction: false,
      ...more,
    }) as unknown as DocumentRow;
  const words = (document: DocumentRow) => [clientWords(document), typeWords(document)];
  expect(words(row({ closed: false }))).toEqual(['No client', 'No report type']);
  expect(words(row({ closed: true }))).toEqual(['Closed to you', 'You do not reach its client or type']);
  // What of it is in reach is said.
  expect(words(row({ closed: true, reportTypeName: 'Form 941' }))).toEqual(['Closed to you', 'Form 941']);
  expect(words(row({ closed: true, clientName: 'Acme' }))).toEqual(['Acme', 'You do not reach its client or type']);
});
