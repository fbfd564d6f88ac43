// Long lists are written some rows at a time, and are the same answers as if they were not.
import { expect, it } from 'vitest';
import { z } from 'zod';
import { listInTurns, serializerOf } from './serializers.ts';

const serialize = serializerOf(z.array(z.strictObject({ id: z.int(), name: z.string() })));
const rowsOf = (length: number) =>
  Array.from({ length }, (_, id) => ({ id, name: `"quoted" [${id}],`, undeclared: 'stays here' }));

it.each([0, 1, 100, 101, 250])('a list of %i rows is written as at once', async (length) => {
  const written = await listInTurns(rowsOf(length), serialize);
  expect(written).toBe(serialize(rowsOf(length)));
  expect(JSON.parse(written)).toHaveLength(length);
  expect(written).not.toContain('stays here');
});

it('others have their turn while a long list is written', async () => {
  let turns = 0;
  let isWritten = false;
  const others = () => {
    turns += 1;
    if (!isWritten) setImmediate(others);
  };
  setImmediate(others);
  await listInTurns(rowsOf(1_000), serialize);
  isWritten = true;
  expect(turns).toBeGreaterThan(5);
});
