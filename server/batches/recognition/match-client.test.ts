// Whose a document is: cases as they come out of payroll programs, agencies and scanners.
import { describe, expect, test } from 'vitest';
import { clients, file, known, only, register, said, typeName } from '../../testing/recognition-firm.ts';
import { typedPage } from '../../testing/typed-page.ts';
import { recognise } from './recognise.ts';

describe('whose a document is', () => {
  test('federal id and name agree: ready, with the words that decided', () => {
    const document = only(file('scan0047.pdf', register('Harbor & Pine Bakery LLC', '07-1234567')));
    expect(document).toMatchObject({
      clientId: 1,
      state: 'ready',
      reasons: [],
      period: '2025-03-14',
      correction: false,
    });
    expect(typeName(document.reportTypeId)).toBe('Payroll Register');
    const [candidate] = document.clients;
    expect(candidate?.signals.map(({ kind, text }) => [kind, text])).toEqual([
      ['federalId', '07-1234567'],
      ['legalName', 'Harbor & Pine Bakery LLC'],
    ]);
    const [mark] = candidate?.signals[1]?.marks ?? [];
    expect(mark).toMatchObject({ page: 1, x: 30, y: 36, height: 8 });
    expect(document.typeSignals[0]?.text).toBe('Payroll Register');
    expect(document.periodSignals[0]?.text).toContain('03/14/2025');
  });

  test.each([
    ['HARBOR AND PINE BAKERY, L.L.C.', 1],
    ['Harbor&Pine Bakery', 1],
    ['Company: 0123 - HARBOR & PINE BAKERY LLC', 1],
    ["O'Dell and Sons Landscaping Company", 8],
    ['ODELL & SONS LANDSCAPING CO.', 8],
    ['Acme Plumbing of Ohio, Incorporated', 3],
    ['For: HP Bakehouse', 1],
    ['Larkspur Hospitality Group LLC d/b/a Larkspur Cafe', 4],
  ])('%s is a way to write client %i', (name, id) => {
    const federalId = clients.find((client) => client.id === id)?.federalId ?? '';
    expect(only(file('x.pdf', register(name, federalId)))).toMatchObject({ clientId: id, state: 'ready' });
  });

  test('a name alone is not enough, with the right file name it is', () => {
    const page = register('Harbor & Pine Bakery LLC', '');
    expect(said(only(file('scan0047.pdf', page)))).toEqual(['oneSignal']);
    expect(only(file('HarborPineBakery_Register.pdf', page))).toMatchObject({ clientId: 1, state: 'ready' });
    // Initials fit many companies.
    expect(said(only(file('HPB register.pdf', page)))).toEqual(['oneSignal']);
  });

  test('a name that the place was too short for counts beside the federal id, and not without it', () => {
    expect(only(file('x.pdf', register('HARBOR & PINE BAK', '07-1234567')))).toMatchObject({
      clientId: 1,
      state: 'ready',
    });
    expect(only(file('HarborPineBakery.pdf', register('HARBOR & PINE BAK', ''))).state).toBe('toCheck');
  });

  test.each([
    [
      'another client’s federal id stands there too',
      register('Harbor & Pine Bakery LLC', '07-1234567', 'EIN: 08-2222222'),
      'contradiction',
    ],
    ['the federal id is another client’s', register('Harbor & Pine Bakery LLC', '08-2222222'), 'contradiction'],
    ['the federal id is nobody’s', register('Harbor & Pine Bakery LLC', '09-7654321'), 'anotherCompany'],
    [
      'another client is named too',
      register('Harbor & Pine Bakery LLC', '07-1234567', 'Acme Plumbing LLC'),
      'contradiction',
    ],
    [
      'a company out of reach is named too',
      register('Harbor & Pine Bakery LLC', '07-1234567', 'Hidden Valley Farms Inc.'),
      'anotherCompany',
    ],
    ['the name is of another kind of company', register('Harbor & Pine Bakery Inc.', '07-1234567'), 'anotherCompany'],
  ])('never ready where %s', (_, page, reason) => {
    const document = only(file('HarborPineBakery.pdf', page));
    expect(document.state).toBe('toCheck');
    expect(said(document)).toContain(reason);
  });

  test.each([
    ['of another company', 'EIN: XX-XXX6702', ['contradiction']],
    ['of another company, in stars', 'Employer identification number    **-***6702', ['contradiction']],
    ['of the client', 'EIN: XX-XXX4567', []],
    ['of the client beside another', 'EIN: XX-XXX4567    Federal ID: XX-XXX6702', []],
    ['of another company beside the whole one of the client', 'EIN: 07-1234567    Federal ID: XX-XXX6702', []],
    ['of a bank', 'Bank EIN: XX-XXX6702', []],
    ['of a payee', "Recipient's TIN: XX-XXX6702", []],
    ['of nobody', 'XX-XXX6702', []],
    ['that goes on', 'EIN: XX-XXX6702-001', []],
    ['of a person', 'Federal social security number: XXX-XX-6702', []],
  ])('a masked federal id %s', (_, line, reasons) => {
    const document = only(file('HarborPineBakery_Register.pdf', register('Harbor & Pine Bakery LLC', '', line)));
    expect([document.clientId, said(document)]).toEqual([1, reasons]);
  });

  test('a file that is named after another client is not ready', () => {
    const document = only(file('AcmePlumbing_Register.pdf', register('Harbor & Pine Bakery LLC', '07-1234567')));
    expect([document.clientId, said(document)]).toEqual([1, ['contradiction']]);
  });

  test.each([
    ['Acme Plumbing Supply Inc.'],
    ['Acme Plumbing of Michigan LLC'],
    ['Old Acme Plumbing LLC'],
    ['Acme Plumbing Inc.'],
    ['Acme Plumbing 2 LLC'],
    ['Acme Plumbing, Heating and Cooling'],
    ['Bank of Acme Plumbing'],
  ])('%s is not Acme Plumbing LLC, whatever the file is called', (name) => {
    expect(only(file('AcmePlumbing_Register.pdf', register(name, ''))).state).toBe('toCheck');
  });

  test('a name that goes on in the next line is the longer one', () => {
    const page = typedPage(`
      Employer's name
      Acme Plumbing
      of Ohio Inc.
      #Payroll Register
    `);
    expect(only(file('AcmePlumbing_Register.pdf', page)).state).toBe('toCheck');
  });

  test.each([
    ['in the middle below', 'Acme Plumbing\n  of Ohio'],
    ['with its ending', '  Acme Plumbing\nHoldings Group Inc.'],
    ['that is not below its beginning', 'Run 18    Acme Plumbing\n             of Ohio'],
    ['of another client, without its ending', 'Zephyr Ridge\nRoofing', 'ZephyrRidge'],
  ])('a name that goes on %s is the longer one', (_, lines, fileName = 'AcmePlumbing') => {
    const short = { id: 12, names: ['Zephyr Ridge LLC'], stateId: '', federalId: '00-1212121' };
    const page = typedPage(`${lines}\n#Payroll Register\nCheck Date: 03/14/2025`);
    const firm = { ...known, clients: [...known.clients, short] };
    expect(recognise([file(`${fileName}_Register.pdf`, page)], firm)[0]?.state).toBe('toCheck');
  });

  test.each([
    ['a telephone number', 'Acme Plumbing\n(614) 555-0139', 'ready'],
    ['another of its own names', 'HP Bakehouse\nDayton, OH 45402', 'ready'],
    ['a sign and more of the name', 'Acme Plumbing\n& of Ohio', 'toCheck'],
  ])('of a name above %s', (_, lines, state) => {
    const clients = known.clients.map((client) =>
      client.id === 1 ? { ...client, names: [...client.names, 'HP Bakehouse Dayton'] } : client,
    );
    const page = typedPage(`${lines}\n#Payroll Register\nCheck Date: 03/14/2025`);
    const name = `${lines.split('\n')[0]?.replaceAll(' ', '')}.pdf`;
    expect(recognise([file(name, page)], { ...known, clients })[0]?.state).toBe(state);
  });

  test('a beginning that many clients share is nobody’s', () => {
    const named = (count: number) =>
      Array.from({ length: count }, (_, nth) => ({
        id: 20 + nth,
        names: [`Meadowlark Services of ${'abcdefghijklmnopqrstuvwxyz'[nth]}burg LLC`],
        stateId: '',
        federalId: `00-20000${10 + nth}`,
      }));
    const stateAmong = (count: number) =>
      recognise([file('x.pdf', register('MEADOWLARK SERVI', '00-2000012'))], { ...known, clients: named(count) })[0]
        ?.state;
    expect([stateAmong(20), stateAmong(21)]).toEqual(['ready', 'toCheck']);
  });

  test('a name that was cut and may be two clients’ counts beside the federal id, and is not the bureau’s', () => {
    const cut = 'ACME PLUMBIN';
    const found = (...pages: readonly ReturnType<typeof typedPage>[]) => recognise([file('x.pdf', ...pages)], known);
    const [own] = found(register(cut, '08-3333333'));
    expect([own?.clientId, own?.state]).toEqual([3, 'ready']);
    const bureaus = typedPage(`
      Cedar Payroll Bureau Inc.    EIN 00-7777777
      #Payroll Register
      ${cut}
      Check Date: 03/14/2025
    `);
    const [printed] = found(bureaus);
    expect([printed?.state, said(printed)]).toEqual(['toCheck', ['contradiction']]);
    // Its page is not the next one's for that.
    expect(found(register(cut, ''), register('Acme Plumbing LLC', '08-2222222')).map(({ state }) => state)).not.toEqual(
      ['ready'],
    );
  });

  test('of near-twins the longer name is the longer one', () => {
    expect(only(file('x.pdf', register('Acme Plumbing of Ohio Inc.', '08-3333333')))).toMatchObject({
      clientId: 3,
      state: 'ready',
    });
    expect(said(only(file('x.pdf', register('Acme Plumbing of Ohio Inc.', '08-2222222'))))).toContain('contradiction');
    expect(only(file('x.pdf', register('Bright Path Therapy Inc.', '00-9999992')))).toMatchObject({
      clientId: 10,
      state: 'ready',
    });
    expect(only(file('BrightPathTherapy.pdf', register('Bright Path Therapy', ''))).state).toBe('toCheck');
  });

  test('one federal id of two clients is told apart by the trade name', () => {
    expect(only(file('x.pdf', register('The Larkspur Inn', '09-4444444')))).toMatchObject({
      clientId: 5,
      state: 'ready',
    });
    const both = only(file('x.pdf', register('Larkspur Hospitality Group LLC', '09-4444444')));
    expect([both.clientId, said(both)]).toEqual([null, ['severalClients']]);
    expect(both.clients.map(({ clientId }) => clientId)).toEqual([4, 5]);
  });

  test('a company out of reach is never named', () => {
    const document = only(file('HiddenValleyFarms.pdf', register('Hidden Valley Farms Inc.', '00-6666666')));
    expect(document).toMatchObject({ clientId: null, clients: [], state: 'toCheck' });
    expect(said(document)).toEqual(['anotherCompany']);
    expect(JSON.stringify(document)).not.toContain('Hidden Valley');
  });

  test('a federal id in boxes is read, and a social security number is none', () => {
    const title = typedPage(`
      #Employer's QUARTERLY Federal Tax Return    Q1 2025
      Employer identification number (EIN)
      Name (not your trade name)    Harbor & Pine Bakery LLC
    `);
    const boxes = (digits: string, hyphens: readonly number[]) =>
      [...digits].map((text, at) => ({
        text,
        x: 260 + at * 16 + hyphens.filter((hyphen) => hyphen <= at).length * 10,
        y: 50,
        width: 5,
        height: 8,
      }));
    const dash = { text: '—', x: 291, y: 50, width: 7, height: 8 };
    const printed = { ...title, runs: [...boxes('071234567', [2]), ...title.runs, dash] };
    expect(only(file('x.pdf', printed))).toMatchObject({ clientId: 1, form: '941', state: 'ready' });
    const person = { ...title, runs: [...title.runs, { text: '071-23-4567', x: 260, y: 50, width: 50, height: 8 }] };
    expect(said(only(file('x.pdf', person)))).toContain('oneSignal');
  });

  test('who prepared a return, and who received a 1099, is not whose it is', () => {
    const prepared = typedPage(`
      #Employer's QUARTERLY Federal Tax Return    Q1 2025
      Employer identification number (EIN)    07-1234567
      Name (not your trade name)    Harbor & Pine Bakery LLC


      Paid Preparer Use Only
      Firm's name    Cedar Payroll Bureau Inc.    EIN    00-7777777
    `);
    expect(only(file('x.pdf', prepared))).toMatchObject({ clientId: 1, state: 'ready' });
    const contractor = typedPage(`
      #Form 1099-NEC    2025
      PAYER'S TIN    09-7654321
      PAYER'S name    Zenith Foods LLC
      RECIPIENT'S TIN    07-1234567
      RECIPIENT'S name    Harbor & Pine Bakery LLC
    `);
    const document = only(file('HarborPineBakery_1099.pdf', contractor));
    expect([document.state, said(document)]).toEqual(['toCheck', expect.arrayContaining(['anotherCompany'])]);
  });

  test('a client may be another client’s contractor or bank', () => {
    const contractor = typedPage(`
      #Form 1099-NEC    2025
      PAYER'S TIN    08-2222222
      PAYER'S name    Acme Plumbing LLC
      RECIPIENT'S TIN    07-1234567
      RECIPIENT'S name    Harbor & Pine Bakery LLC
    `);
    expect(only(file('x.pdf', contractor))).toMatchObject({ clientId: 2, state: 'ready' });
    const deposit = typedPage(`
      #Deposit Confirmation    Pay date 03/14/2025
      Taxpayer EIN    08-2222222
      Taxpayer name    Acme Plumbing LLC
      Bank name    Zephyr Ridge Roofing Inc.
    `);
    expect(only(file('x.pdf', deposit))).toMatchObject({ clientId: 2, state: 'ready' });
  });

  test('who only stands at the foot of a page has prepared it', () => {
    const page = typedPage(`
      #Payroll Summary    Q1 2025
      Zenith Foods
      ${'\n'.repeat(34)}
      Cedar Payroll Bureau Inc.   EIN 00-7777777
    `);
    expect(said(only(file('x.pdf', page)))).toEqual(['oneSignal']);
  });

  const bureaus = (body: string) =>
    file(
      'x.pdf',
      typedPage(`
      Cedar Payroll Bureau Inc.
      EIN 00-7777777
      #Payroll Register
      ${body}
      Check Date: 03/14/2025
    `),
    );

  test.each([['Quarry Hollow Plumbing Corp.'], ['Cobalt Crest Brewing, Co.'], ['ZEPHYR & POINT FREIGHT LINES CO.']])(
    'G126: what the bureau prints for %s, who is no client, is not the bureau’s',
    (name) => {
      const document = only(bureaus(name));
      expect([document.state, said(document)]).toEqual(['toCheck', expect.arrayContaining(['anotherCompany'])]);
    },
  );

  test('what it prints for itself is, where its address names a state too', () => {
    expect(only(bureaus('1200 Mill Street\n      DENVER, CO. 80202'))).toMatchObject({ clientId: 7, state: 'ready' });
  });

  test('who printed a report stands in its footer, and matters not where the head has the company’s own federal id', () => {
    const printed = (federalId: string) =>
      register('Harbor & Pine Bakery LLC', federalId, `${'\n'.repeat(48)}Cedar Payroll Bureau Inc.   EIN 00-7777777`);
    expect(only(file('x.pdf', printed('07-1234567')))).toMatchObject({ clientId: 1, state: 'ready', reasons: [] });
    expect(said(only(file('HarborPineBakery.pdf', printed(''))))).toContain('contradiction');
    expect(only(file('HarborPineBakery.pdf', printed('09-7654321'))).state).toBe('toCheck');
  });

  test('a federal id on the documents of many companies is nobody’s', () => {
    const footer = '\n\nCedar Payroll Bureau Inc.   EIN 00-7777777';
    const own = (name: string, id: string) => file('x.pdf', register(name, id, footer));
    const batch = [
      own('Harbor & Pine Bakery LLC', '07-1234567'),
      own('Acme Plumbing LLC', '08-2222222'),
      own('Acme Plumbing of Ohio Inc.', '08-3333333'),
      own('Zephyr Ridge Roofing Inc.', '00-1010101'),
      own('Zenith Foods', ''),
    ];
    expect(recognise(batch, known).map(({ clientId, state }) => [clientId, state])).toEqual([
      [1, 'ready'],
      [2, 'ready'],
      [3, 'ready'],
      [11, 'ready'],
      [null, 'toCheck'],
    ]);
    // By itself, the page of a company that is no client does not become the bureau's.
    expect(only(own('Zenith Foods LLC', '')).state).toBe('toCheck');
  });
});
