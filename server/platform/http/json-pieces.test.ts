// Documents written in pieces say what they would say in one.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { jsonPieces } from './json-pieces.ts';

async function written(document: object): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of jsonPieces(document)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

it.each([
  ['nothing', {}],
  ['plain values', { a: 1, 'b"\n': 'Łódź\n"', c: null, d: false, e: undefined }],
  ['empty and short lists', { a: [], b: [1], c: [{ d: [1, { e: 'x\ny' }], f: {} }], g: [null, undefined] }],
  ['a long list between others', { a: 1, b: Array.from({ length: 250 }, (_, id) => ({ id, names: ['x'] })), c: [] }],
])('%s are written as in one', async (_what, document) => {
  expect(await written(document)).toBe(JSON.stringify(document, null, 2));
});

it('others are served between the items of a long list', async () => {
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await nextTurn();
      turns += 1;
    }
  })();
  await written({ rows: Array.from({ length: 1_000 }, (_, id) => ({ id })) });
  isOver = true;
  await others;
  expect(turns).toBeGreaterThanOrEqual(9);
});
