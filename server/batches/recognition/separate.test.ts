// What pages are one document: print files as processors get them.
import { describe, expect, test } from 'vitest';
import { file, journal, known, only, ranges, said, typeName } from '../../testing/recognition-firm.ts';
import { blankPage, emptyPage, typedPage } from '../../testing/typed-page.ts';
import { recognise } from './recognise.ts';

describe('what pages are one document', () => {
  const one = ['HARBOR & PINE BAKERY LLC', '07-1234567'] as const;
  const two = ['ACME PLUMBING LLC', '08-2222222'] as const;

  test('page numbers, the company and separator sheets part a print file', () => {
    const print = file(
      'Print file.pdf',
      journal(...one, 'PAGE 1 OF 2'),
      journal(...one, 'PAGE 2 OF 2'),
      journal(...two, 'PAGE 1 OF 1'),
      typedPage('*** BATCH SEPARATOR ***'),
      journal(...one, 'PAGE 1 OF 1'),
    );
    const documents = recognise([print], known);
    expect(ranges(documents)).toEqual([
      [1, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
    expect(documents.map(({ state, clientId }) => [state, clientId])).toEqual([
      ['ready', 1],
      ['ready', 2],
      ['toCheck', null],
      ['ready', 1],
    ]);
    expect(said(documents[2])).toContain('separator');
  });

  test('without page numbers the company’s change is enough', () => {
    const documents = recognise([file('x.pdf', journal(...one, ''), journal(...one, ''), journal(...two, ''))], known);
    expect(ranges(documents)).toEqual([
      [1, 2],
      [3, 3],
    ]);
  });

  test('what a page goes on with that was misread lacks it, and is not ready', () => {
    const goesOn = (id: string, words: string) =>
      typedPage(`
      HARBOR & PINE BAKERY LLC   EIN ${id}   PAYROLL JOURNAL, CHECK DATE 03/14/2025   ${words}
      GROSS WAGES   1,204.11
    `);
    const found = (second: ReturnType<typeof goesOn>) =>
      recognise([file('x.pdf', journal(...one, ''), second, journal(...two, ''))], known);
    // As it was printed, and with a digit of it misread.
    expect(ranges(found(goesOn('07-1234567', 'continued')))).toEqual([
      [1, 2],
      [3, 3],
    ]);
    const misread = found(goesOn('01-1234567', 'continued'));
    expect(misread.map(({ state, clientId }) => [state, clientId])).toEqual([
      ['toCheck', 1],
      ['toCheck', 1],
      ['ready', 2],
    ]);
    expect(said(misread[0])).toEqual(['missingPages']);
    // Where the page before it is not even there, the first one is missing.
    const [alone] = recognise([file('x.pdf', goesOn('07-1234567', 'continued'))], known);
    expect([alone?.state, said(alone)]).toEqual(['toCheck', ['missingPages']]);
    // Without the word it is another document.
    expect(said(found(goesOn('01-1234567', ''))[0])).toEqual([]);
  });

  test('that a page is continued is said of the page, and is no part of a name', () => {
    const id = 12;
    const care = {
      id,
      names: ['Continued Care Homes LLC', 'The Long Report Continued'],
      stateId: '',
      federalId: '00-1212121',
    };
    const firm = { ...known, clients: [...known.clients, care] };
    const page = (name: string, title: string) =>
      typedPage(`
      ${name}      ${title}
      FEIN: 00-1212121      CHECK DATE: 03/14/2025

      EMPLOYEE          HOURS
      Tamsin Castellan  80.00
    `);
    const found = (name: string, title: string) => {
      const [document] = recognise([file('x.pdf', page(name, title))], firm);
      return [document?.state, document?.clientId, said(document)];
    };
    const named = ['Continued Care Homes LLC', 'CONTINUED CARE HOMES LLC', 'The Long Report Continued'];
    for (const name of named) {
      expect(found(name, 'Payroll Journal'), name).toEqual(['ready', id, []]);
    }
    expect(found('The Long Report Continued', 'Payroll Journal Continued')).toEqual(['toCheck', id, ['missingPages']]);
    for (const words of [
      'Payroll Journal      continued',
      'Payroll Journal      (Continued)',
      'Payroll Journal (continued)',
      'Payroll Journal - Continued',
      'Payroll Journal Continued',
      "Payroll Journal (cont'd)",
      'Payroll Journal cont’d',
      'Payroll Journal      Continued from page 2',
      'Payroll Journal      ... continued ...',
    ]) {
      expect(found('Continued Care Homes LLC', words), words).toEqual(['toCheck', id, ['missingPages']]);
    }
  });

  test('numbers that run through the whole print file part nothing', () => {
    const pages = [one, one, two, two].map((company, index) =>
      journal(company[0], company[1], `PAGE ${index + 1} OF 4`),
    );
    expect(ranges(recognise([file('x.pdf', ...pages)], known))).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test('nor do they make one of a company’s returns of two quarters', () => {
    const first = (quarter: string, page: number) =>
      typedPage(`
        #Employer's QUARTERLY Federal Tax Return
        Employer identification number (EIN)    07-1234567
        Name (not your trade name)    Harbor & Pine Bakery LLC
        ${quarter} 2025    Page ${page} of 4
      `);
    const second = (page: number) =>
      typedPage(`
        Tell us about your deposit schedule and tax liability for this quarter
        Name (not your trade name)    Harbor & Pine Bakery LLC
        Page ${page} of 4
      `);
    const pages = [first('Q1', 1), second(2), first('Q2', 3), second(4)];
    const documents = recognise([file('x.pdf', ...pages)], known);
    expect(ranges(documents)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(documents.map(({ state, period }) => [state, period])).toEqual([
      ['ready', '2025-Q1'],
      ['ready', '2025-Q2'],
    ]);
  });

  test('a page that could not be read stands by itself and says why', () => {
    const unread = (fault: 'tooLong' | 'damaged') => ({ ...emptyPage, unread: fault });
    const pages = [
      journal(...one, 'PAGE 1 OF 1'),
      unread('tooLong'),
      unread('damaged'),
      journal(...two, 'PAGE 1 OF 1'),
    ];
    const documents = recognise([file('x.pdf', ...pages)], known);
    expect(documents.map(({ fromPage, toPage, state }) => [fromPage, toPage, state])).toEqual([
      [1, 1, 'ready'],
      [2, 2, 'toCheck'],
      [3, 3, 'toCheck'],
      [4, 4, 'ready'],
    ]);
    expect([said(documents[1]), said(documents[2])]).toEqual([['pageTooLong'], ['pageDamaged']]);
  });

  test('blank backs of sheets belong to their fronts, and part nothing', () => {
    const sides = [
      journal(...one, 'PAGE 1 OF 2'),
      blankPage,
      journal(...one, 'PAGE 2 OF 2'),
      blankPage,
      journal(...two, 'PAGE 1 OF 1'),
      blankPage,
      typedPage('*** BATCH SEPARATOR ***'),
      blankPage,
      journal(...one, 'PAGE 1 OF 1'),
      blankPage,
    ];
    const documents = recognise([file('duplex.pdf', ...sides)], known);
    expect(ranges(documents)).toEqual([
      [1, 4],
      [5, 6],
      [7, 8],
      [9, 10],
    ]);
    expect(documents.map(({ state, clientId }) => [state, clientId])).toEqual([
      ['ready', 1],
      ['ready', 2],
      ['toCheck', null],
      ['ready', 1],
    ]);
  });

  test('blank backs are no pages that numbers promise, and do not hide that numbers run through the file', () => {
    const lacking = recognise([file('x.pdf', journal(...one, 'PAGE 1 OF 2'), blankPage)], known);
    expect(said(lacking[0])).toContain('missingPages');
    const sides = [one, one, two, two].flatMap((company, index) => [
      journal(company[0], company[1], `PAGE ${index + 1} OF 4`),
      blankPage,
    ]);
    expect(ranges(recognise([file('x.pdf', ...sides)], known))).toEqual([
      [1, 4],
      [5, 8],
    ]);
  });

  test('a page that nobody claims is a document of its own, and so is one without text', () => {
    const lost = typedPage('Thank you for your patience.');
    const documents = recognise(
      [file('x.pdf', journal(...one, 'PAGE 1 OF 1'), lost, emptyPage, journal(...two, ''))],
      known,
    );
    expect(documents.map((document) => [document.fromPage, document.toPage, document.state])).toEqual([
      [1, 1, 'ready'],
      [2, 2, 'toCheck'],
      [3, 3, 'toCheck'],
      [4, 4, 'ready'],
    ]);
    expect([said(documents[1])?.includes('unclaimedPages'), said(documents[2])?.includes('noText')]).toEqual([
      true,
      true,
    ]);
  });

  test('the same report of a company that is not recognised never goes out with the one before it', () => {
    const summary = (name: string, id: string) =>
      typedPage(`
        #Payroll Summary
        ${name}
        ${id}
        Gross wages    12,345.00
      `);
    const print = file('x.pdf', summary('Harbor & Pine Bakery LLC', 'EIN 07-1234567'), summary('Zenith Foods', ''));
    expect(recognise([print], known).map(({ state }) => state)).not.toContain('ready');
  });

  test('the second page of a form that stands where another one’s has been is a document of its own', () => {
    const first = typedPage(`
      #Employer's QUARTERLY Federal Tax Return
      Q1 2025
      Employer identification number (EIN)    07-1234567
      Name (not your trade name)    Harbor & Pine Bakery LLC
    `);
    const second = typedPage('Tell us about your deposit schedule and tax liability for this quarter.');
    const documents = recognise([file('x.pdf', first, second, second)], known);
    expect(documents.map(({ fromPage, toPage, state }) => [fromPage, toPage, state])).toEqual([
      [1, 2, 'ready'],
      [3, 3, 'toCheck'],
    ]);
  });

  test('two companies’ pages are parted where the same bureau stands on both', () => {
    const footer = '\n    Cedar Payroll Bureau Inc.   EIN 00-7777777';
    const pages = [one, two].map(([name, id]) => journal(name, id, footer));
    expect(ranges(recognise([file('x.pdf', ...pages)], known))).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  const row = 'Tamsin Castellan      80.00      2,100.00      1,640.22';
  const columns = 'Employee              Hours      Gross         Net';
  const firstPage = (bureau: string, name: string, id: string) =>
    typedPage(`
      ${bureau}
      #Payroll Register
      ${name}      EIN: ${id}      Check Date: 03/14/2025

      ${columns}
      ${row}
      ${row}
    `);

  test.each([
    ['the bureau’s name and the heads of the table', (bureau: string) => `${bureau}\n\n      ${columns}\n      ${row}`],
    ['the table alone', () => row],
    ['a page number and the table', (_: string, page: number) => `Page ${page}\n      ${columns}\n      ${row}`],
  ])('pages that repeat %s go on with their register', (_, later) => {
    for (const bureau of ['Keystone Payroll', 'Keystone Payroll Services Inc.', 'Cedar Payroll Bureau Inc.']) {
      // A company's name above the client's on one page alone is for a person to look at.
      if (bureau.endsWith('Inc.') && !later(bureau, 2).includes(bureau)) continue;
      const pages = [2, 3, 4, 5].map((page) => typedPage(`      ${later(bureau, page)}`));
      const print = file('x.pdf', firstPage(bureau, ...one), ...pages, firstPage(bureau, ...two), ...pages);
      const documents = recognise([print, file('y.pdf', firstPage(bureau, ...one), ...pages)], known);
      expect(ranges(documents), bureau).toEqual([
        [1, 5],
        [6, 10],
        [1, 5],
      ]);
      expect(
        documents.map(({ state, clientId }) => [state, clientId]),
        bureau,
      ).toEqual([
        ['ready', 1],
        ['ready', 2],
        ['ready', 1],
      ]);
    }
  });

  test('a page of another company, or of another day, does not go on with a register for having its table', () => {
    const bureau = 'Keystone Payroll';
    const print = file(
      'x.pdf',
      firstPage(bureau, ...one),
      typedPage(`
      ${bureau}
      Zenith Foods

      ${columns}
      ${row}
    `),
    );
    expect(recognise([print], known).map(({ state }) => state)).not.toEqual(['ready']);
    const another = typedPage(`
      ${bureau}
      Check Date: 03/28/2025

      ${columns}
      ${row}
    `);
    expect(recognise([file('x.pdf', firstPage(bureau, ...one), another)], known)[0]?.state).toBe('toCheck');
  });

  test('the last page of a journal that says so stays with it', () => {
    const last = typedPage(`
      ${row}

      *** end of report ***
    `);
    const totals = typedPage(`
      Journal totals
      *** END OF REPORT ***
    `);
    const sheet = typedPage('*** End of report ***');
    const figures = typedPage(`
      Run Date: 03/16/2025
      Grand totals
      Employees paid      24
      Gross pay      2,100.00
      *** End of report ***
    `);
    for (const end of [last, totals, sheet, figures]) {
      const print = file('x.pdf', journal(...one, ''), typedPage(`      ${row}`), end, journal(...two, ''));
      const documents = recognise([print], known);
      expect(ranges(documents).at(-1)).toEqual([4, 4]);
    }
    for (const end of [sheet, figures]) {
      const print = file('x.pdf', firstPage('', ...one), typedPage(`      ${row}`), last, firstPage('', ...two), end);
      const documents = recognise([print], known);
      expect(ranges(documents)).toEqual([
        [1, 3],
        [4, 5],
      ]);
      expect(documents.map(({ state }) => state)).toEqual(['ready', 'ready']);
    }
  });

  test.each([
    ['names somebody who is not recognised', 'Zenith Foods\n\nTotals      80.00      2,100.00'],
    ['names such a one below a large title', '#Zenith Foods\nJournal totals'],
    ['has the totals of such a one', 'Totals for Zenith Foods'],
    ['says whose report ends', `${row}\n\n*** End of report for Zenith Foods ***`],
    ['is for another day', 'Check Date: 03/28/2025\n\nTotals      80.00      2,100.00'],
    ['is for a month', 'Month of April 2025\n\nTotals      80.00      2,100.00'],
    ['comes after another end', '*** end of report ***', '*** end of report ***'],
  ])('a last page that %s does not go out with the journal before it', (_, page, before = '') => {
    const ended = before === '' ? [] : [typedPage(before)];
    const end = typedPage(`${page}\n*** end of report ***`);
    const documents = recognise([file('x.pdf', firstPage('', ...one), ...ended, end)], known);
    expect(documents.map(({ state }) => state)).toEqual(['toCheck']);
    expect(said(documents[0])).toContain('unclaimedPages');
  });

  test.each([
    '#Workers Compensation Report',
    '#Direct Deposit Advice',
    'Form 941 Liability Report',
    // In the size of the rest, as programs print that have one size.
    'CASH REQUIREMENTS',
    'Labor Distribution Report',
    "WORKERS' COMPENSATION SUMMARY",
  ])('a page of the same company that is headed %s does not go out with the journal before it', (title) => {
    const other = typedPage(`
      HARBOR & PINE BAKERY LLC
      ${title}
      EIN: 07-1234567
    `);
    const documents = recognise([file('x.pdf', journal(...one, ''), other)], known);
    expect(documents.map((document) => [document.state, said(document)])).toEqual([['toCheck', ['unclaimedPages']]]);
  });

  test('a page with no other title than its first one goes on with it', () => {
    const letterhead = '#Keystone Payroll Reports\n        HARBOR & PINE BAKERY LLC    EIN: 07-1234567';
    const first = typedPage(`
        ${letterhead}
        #Payroll Register
        Check Date: 03/14/2025
    `);
    const second = typedPage(`
        ${letterhead}
        Employees paid    24
    `);
    const documents = recognise([file('x.pdf', first, second)], known);
    expect(documents.map(({ state, toPage }) => [state, toPage])).toEqual([['ready', 2]]);
  });

  test('a missing page is said', () => {
    const documents = recognise([file('x.pdf', journal(...one, 'PAGE 1 OF 3'), journal(...one, 'PAGE 2 OF 3'))], known);
    expect(documents.map(said)).toEqual([['missingPages']]);
  });

  test('two companies on one page are never ready, nor is their page anybody’s second one', () => {
    const both = typedPage(`
      HARBOR & PINE BAKERY LLC      PAYROLL JOURNAL
      FEIN: 07-1234567


      ACME PLUMBING LLC      PAYROLL JOURNAL
      FEIN: 08-2222222
    `);
    const documents = recognise([file('x.pdf', journal(...one, ''), both, journal(...two, ''))], known);
    expect(documents.map((document) => [document.fromPage, document.toPage, document.state])).toEqual([
      [1, 1, 'ready'],
      [2, 2, 'toCheck'],
      [3, 3, 'ready'],
    ]);
    expect(documents[1]?.clients.map(({ clientId }) => clientId)).toEqual([1, 2]);
  });

  test('bookmarks part a file, and name the client', () => {
    const plain = typedPage(`
      #Payroll Summary
      Quarter 1, 2025
      EIN 07-1234567
    `);
    const given = {
      ...file('x.pdf', plain, plain),
      bookmarks: [1, 2].map((page) => ({ title: 'Harbor & Pine Bakery LLC', page, depth: 0 })),
    };
    expect(recognise([given], known).map(({ fromPage, toPage, state }) => [fromPage, toPage, state])).toEqual([
      [1, 1, 'ready'],
      [2, 2, 'ready'],
    ]);
  });

  test('a file without pages is judged by its name alone, and never ready', () => {
    const document = only(file('HarborPineBakery_Payroll Register 3-14-25.xlsx'));
    expect(document).toMatchObject({ fromPage: 0, toPage: 0, clientId: 1, period: '2025-03-14', state: 'toCheck' });
    expect(typeName(document.reportTypeId)).toBe('Payroll Register');
  });
});
