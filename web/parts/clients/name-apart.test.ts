import { expect, it } from 'vitest';
import { nameApart } from './name-apart.ts';

const called = (id: number, name: string) => ({ id, name, federalId: `08-111000${id}` });

it('tells clients of one name apart by their federal ids, and no others', () => {
  const all = [called(1, 'Twin Oaks'), called(2, 'Twin Oaks'), called(3, 'Twin Oaks Dental')];
  expect(all.map((client) => nameApart(client, all))).toEqual([
    'Twin Oaks (08-1110001)',
    'Twin Oaks (08-1110002)',
    'Twin Oaks Dental',
  ]);
});
