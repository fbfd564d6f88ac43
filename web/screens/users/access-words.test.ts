// What the dialogs of users say of access: of what was taken over, and of what the rows of a list give.
import { describe, expect, it } from 'vitest';
import { listedAccess, type TakenAccess, takenWords } from './access-words.ts';

const cpa: TakenAccess = {
  from: 'Rosa Okafor',
  roleName: 'CPA',
  seesAll: false,
  clients: 2,
  allClients: false,
  keepsAllClients: false,
  reportTypes: 1,
  left: 0,
};

describe('what was taken over', () => {
  it.each<[Partial<TakenAccess>, string]>([
    [{}, 'role CPA, 2 clients, and 1 report type. Nothing is saved yet.'],
    [{ allClients: true }, 'role CPA, all clients, also later ones, and 1 report type. Nothing is saved yet.'],
    [
      { roleName: 'Admin', seesAll: true, clients: 0, reportTypes: 0 },
      'role Admin, which sees every client and report type. Nothing is saved yet.',
    ],
    [
      { keepsAllClients: true },
      'role CPA, 2 clients, and 1 report type. Nothing is saved yet. Not taken over, because you may not give it: all clients, also later ones.',
    ],
  ])('%j', (taken, words) => {
    expect(takenWords({ ...cpa, ...taken })).toBe(`Taken over from Rosa Okafor: ${words}`);
  });
});

describe('what a row of a list gives', () => {
  const row = { fullName: 'Pat Lind', clients: 'Alder Row', reportTypes: 'All', isClient: true };
  const everyClient = 'Pat is a Client user and will see every client, since the list says "All".';

  it.each([
    [row, null],
    [{ ...row, clients: 'Alder Row; all ' }, everyClient],
    [
      { ...row, clients: 'All', isClient: false },
      'Pat will see the clients of today and none that come later: that is what "All" means in a list. Where later ones are meant too, tick "All clients, also later ones" once Pat is added.',
    ],
    [
      { ...row, clients: 'ALL', reportTypes: '' },
      `${everyClient} Pat will see company documents, but no report until at least one report type is ticked.`,
    ],
    [{ ...row, clients: ' ' }, 'Pat will see nothing until at least one client is ticked.'],
  ])('%j', (listed, words) => {
    expect(listedAccess(listed)).toBe(words);
  });
});
