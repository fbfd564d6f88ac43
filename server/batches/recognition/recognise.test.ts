// Whole print files: of a firm with many clients whose names are alike, and made to keep whoever reads them busy.
import { expect, test } from 'vitest';
import { file, known, register, said } from '../../testing/recognition-firm.ts';
import { typedPage } from '../../testing/typed-page.ts';
import { asFarAsRecognised } from '../reading/page-text.ts';
import { recognise } from './recognise.ts';

test('300 companies whose names differ by a number, of 1,500 clients, are all told apart', () => {
  const many = Array.from({ length: 1500 }, (_, index) => ({
    id: 1000 + index,
    names: [`${['North', 'South', 'East', 'West'][index % 4]} ${index} Trading Company LLC`],
    federalId: `00${String(index).padStart(7, '0')}`,
    stateId: '',
  }));
  const row = 'Tamsin Castellan of Dayton   ***-**-1234   80.00   North trading hours   2,100.00   123.45';
  const pages = many
    .slice(0, 300)
    .map(({ names, federalId }) =>
      register(names[0] ?? '', `00-${federalId.slice(2)}`, `\n${Array.from({ length: 45 }, () => row).join('\n')}`),
    );
  const documents = recognise([file('print.pdf', ...pages)], { ...known, clients: many });
  expect(documents.filter(({ state }) => state === 'ready').map(({ clientId }) => clientId)).toEqual(
    many.slice(0, 300).map(({ id }) => id),
  );
});

test.each([
  ['as many numbers as it holds', '07-1234567 '],
  ['hyphens', '- '],
  ['one name after the other', 'Acme Plumbing LLC '],
  ['page numbers', 'page - '],
  ['dates', '01/01/2025 - '],
  ['one endless word', 'harborpine'],
])('a page of nothing but %s is to be checked', (_, text) => {
  const long = { text: text.repeat(20_000), x: 0, y: 0, width: 600, height: 8 };
  const short = Array.from({ length: 20_000 }, (_run, index) => ({ text, x: index * 30, y: 40, width: 20, height: 8 }));
  const documents = recognise([file('x.pdf', { width: 612, height: 792, runs: [...short, long] })], known);
  expect(documents.map(({ state }) => state)).toEqual(['toCheck']);
});

test('what is left out of a long page would have said nothing', () => {
  const head = register('Harbor & Pine Bakery LLC', '07-1234567');
  const rows = Array.from({ length: 5_000 }, (_, nth) => {
    const text = `Acme Plumbing LLC ${nth}`;
    return { text, x: 30, y: 400 + nth * 14, width: 90, height: 8 };
  });
  const whole = file('x.pdf', { ...head, runs: [...head.runs, ...rows] });
  const pages = whole.pages.map(asFarAsRecognised);
  expect(pages[0]?.runs.length).toBeLessThan(4_000);
  expect(recognise([{ ...whole, pages }], known)).toEqual(recognise([whole], known));
});

test('a list of clients is nobody’s', () => {
  const many = Array.from({ length: 200 }, (_, index) => ({
    id: index,
    names: [`Trading House ${index}a LLC`],
    federalId: '',
    stateId: '',
  }));
  const page = typedPage(many.map(({ names }) => names[0]).join('\n'), 4000);
  const [document] = recognise([file('x.pdf', page)], { ...known, clients: many });
  expect(document).toMatchObject({ clientId: null, state: 'toCheck' });
  expect(document?.clients).toHaveLength(12);
  expect(said(document)).toContain('severalClients');
});
