// The table of rights against the contract: nothing is missing in it, and each part is tried by a file beside it.
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import { CAPABILITIES } from '#contract/policy/actor.ts';
import { partNames, table } from './table.ts';
import { VIEWERS } from './viewers.ts';

it('B1: the table has every endpoint of the contract, every viewer and no empty cell', () => {
  expect([...new Set(table.map(({ endpoint }) => endpoint))].sort()).toEqual(Object.keys(api).sort());
  expect(new Set(table.map(({ about }) => about)).size).toBe(table.length);
  for (const { about, expected } of table) {
    expect(Object.keys(expected), about).toEqual(Object.keys(VIEWERS));
    for (const cell of Object.values(expected)) expect(cell, about).toMatch(/^\d{3}[+-]?$/);
  }
  const capabilities = Object.values(VIEWERS).flatMap((rights) => (Array.isArray(rights) ? rights : []));
  expect(capabilities.sort()).toEqual([...CAPABILITIES].sort());
});

it('each part of the table is tried by a file', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));
  expect(files.sort()).toEqual([...partNames, 'table'].map((part) => `${part}.test.ts`).sort());
});
