// Whose a document is by a state id: one signal, which makes two with a name or a federal id.
import { describe, expect, test } from 'vitest';
import { clients, file, known, only, said } from '../../testing/recognition-firm.ts';
import { typedPage } from '../../testing/typed-page.ts';
import type { KnownClient } from './proposal.ts';
import { recognise } from './recognise.ts';

const REGISTER = '#Payroll Register    Check Date: 03/14/2025';
const of = (text: string) => only(file('x.pdf', typedPage(text)));
const kinds = (text: string) => of(text).clients[0]?.signals.map(({ kind }) => kind);

describe('a state id', () => {
  test.each([
    ['as it is written down', 'State ID: OH-52 104 4471'],
    ['without its signs', 'State account no. 521044471'],
    ['with other signs', 'OH Withholding 52-104.4471'],
    ['in two cells', 'State ID    52-104   4471'],
    ['before a comma', 'Account 521044471, quarterly'],
  ])('%s, beside the name', (_, line) => {
    const document = of(`
      ${REGISTER}
      Harbor & Pine Bakery LLC
      ${line}
      Check Date: 03/14/2025
    `);
    expect([document.clientId, document.state]).toEqual([1, 'ready']);
    expect(document.clients[0]?.signals.map(({ kind }) => kind)).toEqual(['stateId', 'legalName']);
  });

  test('one digit to a box', () => {
    const boxes = [...'521044471'].map((digit, nth) => ({
      text: digit,
      x: 100 + nth * 20,
      y: 90,
      width: 5,
      height: 8,
    }));
    const page = typedPage(`
      ${REGISTER}
      Harbor & Pine Bakery LLC
    `);
    const boxed = only(file('x.pdf', { ...page, runs: [...page.runs, ...boxes] }));
    expect([boxed.clientId, boxed.state]).toEqual([1, 'ready']);
    // Of ten digits it is another number.
    const more = [...boxes, { text: '9', x: 280, y: 90, width: 5, height: 8 }];
    expect(said(only(file('x.pdf', { ...page, runs: [...page.runs, ...more] })))).toEqual(['oneSignal']);
  });

  test('tells companies apart that share their federal id and name', () => {
    const document = of(`
      ${REGISTER}
      Larkspur Hospitality Group LLC
      EIN 09-4444444
      State ID: NY 77-4410038
    `);
    expect([document.clientId, document.state]).toEqual([5, 'ready']);
  });

  test('alone is one signal', () => {
    const document = of(`
      ${REGISTER}
      State ID: 521044471
    `);
    expect([document.clientId, said(document)]).toEqual([1, ['oneSignal']]);
  });

  test.each([
    ['part of a longer number', 'Account 99-521044471'],
    ['the beginning of one', 'Account 521044471-88'],
    ['an amount', 'Total 5,210,444.71'],
    ['words between', 'Runs 52 of 104 checks 4471'],
    ['of somebody else', 'Prepared by agent 521044471'],
    ['another one', 'State ID 521044472'],
  ])('%s is none', (_, line) => {
    expect(
      kinds(`
      ${REGISTER}
      Harbor & Pine Bakery LLC
      ${line}
    `),
    ).toEqual(['legalName']);
  });

  test('in the lower part of the page is none', () => {
    expect(
      kinds(`
      ${REGISTER}
      Harbor & Pine Bakery LLC
      ${'\n'.repeat(34)}
      State ID 521044471
    `),
    ).toEqual(['legalName']);
  });

  test('of another client speaks against the one that is named', () => {
    const document = of(`
      ${REGISTER}
      Harbor & Pine Bakery LLC
      EIN 07-1234567
      State ID: 52-118830
    `);
    expect([document.clientId, document.state, said(document)]).toEqual([1, 'toCheck', ['contradiction']]);
  });

  test('of a client out of reach is another company’s, and does not name it', () => {
    const document = of(`
      ${REGISTER}
      Harbor & Pine Bakery LLC
      EIN 07-1234567
      State ID: CA 909-1188-2
    `);
    expect([said(document), document.clients.map(({ clientId }) => clientId)]).toEqual([['anotherCompany'], [1]]);
  });

  test('of the bureau on every page speaks against nobody', () => {
    const companies = clients.filter(({ id }) => id < 12 && id !== 7 && id !== 6 && id !== 4 && id !== 5);
    const pages = companies.map(({ names, federalId }) =>
      typedPage(`
        ${REGISTER}
        ${names[0]}
        EIN: ${federalId.length === 9 ? `${federalId.slice(0, 2)}-${federalId.slice(2)}` : federalId}
        Filed under WH 600-4400-19
      `),
    );
    const documents = recognise([file('print.pdf', ...pages)], known);
    expect(documents.map(({ clientId, state }) => [clientId, state])).toEqual(companies.map(({ id }) => [id, 'ready']));
  });

  const twoFirms = (one: string, other: string): KnownClient[] => [
    { id: 1, names: ['Quarry Mill Stone LLC'], federalId: '00-1231231', stateId: one },
    { id: 2, names: ['Willow Crest Dental PLLC'], federalId: '00-3213213', stateId: other },
  ];
  test.each([
    ['that two clients have', twoFirms('77-120045', '77 120 045'), '77-120045'],
    ['that is the federal id', twoFirms('00-1231231', ''), '001231231 state'],
    ['that holds the federal id', twoFirms('001231231-001', ''), '001231231-001'],
    ['that is another client’s federal id', twoFirms('00-3213213', ''), '003213213'],
    ['that is too short', twoFirms('A-1204', ''), 'A-1204'],
    ['of hardly any digits', twoFirms('WHOLD-12', ''), 'WHOLD-12'],
  ])('%s tells nobody', (_, firms, printed) => {
    const page = typedPage(`
      ${REGISTER}
      Quarry Mill Stone LLC
      State ID: ${printed}
    `);
    const [document] = recognise([file('x.pdf', page)], { ...known, clients: firms });
    const found = document?.clients.flatMap(({ signals }) => signals.map(({ kind }) => kind));
    expect(found).not.toContain('stateId');
  });
});
