// What the dialog of a user says of the access that was taken over.
import { describe, expect, it } from 'vitest';
import { type TakenAccess, takenWords } from './access-words.ts';

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
