// How long lists are validated: in pieces, with the same answer as in one.
import { describe, expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import type { ClientImport } from '#contract/clients.ts';
import type { FieldFaults, Refusal } from '#contract/errors.ts';
import { IMPORT_ROWS_MAX } from '#contract/imports.ts';
import { clientInput } from '../testing/firm.ts';
import { readInput } from './read-input.ts';

const endpoint = api['clients.import'];
const rowsOf = (length: number) => Array.from({ length }, (_, index) => clientInput(` Company ${index} `));
const read = (body: unknown) => readInput(endpoint, { params: {}, query: {}, body });
const faultsOf = (body: unknown) =>
  read(body).then(
    () => null,
    ({ fields }: Refusal): FieldFaults | undefined => fields,
  );

describe('a list of many rows', () => {
  it('is read like one of few', async () => {
    const { body } = await read({ rows: rowsOf(IMPORT_ROWS_MAX), dryRun: true });
    const { rows, ...rest } = body as typeof ClientImport._output;
    expect(rest).toEqual({ dryRun: true });
    expect(rows.map(({ name }) => name)).toEqual(rowsOf(IMPORT_ROWS_MAX).map(({ name }) => name.trim()));
  });

  it('has the faults of its rows under their places, and those of its other fields', async () => {
    const rows = rowsOf(130);
    rows[3] = clientInput('X');
    rows[129] = clientInput('Y', { phone: '' });
    expect(await faultsOf({ rows, dryRun: 'yes', more: 1 })).toMatchObject({
      'rows.3.name': 'Name must be at least 2 characters',
      'rows.129.name': 'Name must be at least 2 characters',
      'rows.129.phone': 'Phone must be in format: (XXX)-XXX-XXXX',
      more: 'Unknown field: more',
      dryRun: expect.any(String),
    });
    expect(await faultsOf({ rows: rowsOf(IMPORT_ROWS_MAX + 1) })).toEqual({
      rows: 'At most 2,000 rows can be imported at once',
    });
    expect(await faultsOf({ rows: 'x'.repeat(100) })).toEqual({ rows: 'There are no rows' });
    expect(Object.keys((await faultsOf({ rows: rows.map(() => null) })) ?? {})).toHaveLength(20);
  });

  it('lets others in while it is read', async () => {
    let turns = 0;
    let over = false;
    const turn = () => {
      turns += 1;
      if (!over) setImmediate(turn);
    };
    setImmediate(turn);
    await read({ rows: rowsOf(IMPORT_ROWS_MAX) });
    over = true;
    expect(turns).toBeGreaterThan(30);
  });
});
