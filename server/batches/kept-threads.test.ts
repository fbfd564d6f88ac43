// Threads that are kept for the next user have forgotten what the one before told them.
import { expect, it } from 'vitest';
import { packedPage } from './reading/packed-page.ts';
import { work as proposed, forget as recognisingForgets } from './recognition/recognise-thread.ts';
import { forget, work } from './wrong-client/guard-thread.ts';

const text = 'Quarry Lane Roofing Inc.\nFederal ID 00-4561237\nInvoice for the roof\n';
const clients = [{ id: 7, names: ['Quarry Lane Roofing Inc.'], federalId: '00-4561237', stateId: '' }];

it('the one that judges uploads knows no client any more', async () => {
  const named = async () =>
    (
      await work({
        bytes: new TextEncoder().encode(text),
        contentType: 'text/plain',
        isWorkbook: false,
        byNamesAlone: false,
      })
    )?.named;
  await work({ clients });
  expect(await named()).toEqual([{ id: 7, byFederalId: true, byName: true }]);
  expect(await forget()).toBe(true);
  expect(await named()).toEqual([]);
});

it('the one that recognises has no page any more', () => {
  const runs = text.split('\n').map((line, nth) => ({ text: line, x: 0, y: 12 * nth, width: 200, height: 10 }));
  const known = { clients, reportTypes: [], lastYear: 2027 };
  const told = () => {
    proposed({ file: { key: 1, name: 'roof.txt', bookmarks: [] } });
    proposed({ pages: [packedPage({ width: 612, height: 792, runs }).packed] });
  };
  told();
  expect(proposed({ known })).toHaveLength(1);
  // Nobody asks twice: each page is let go as it is read.
  expect(proposed({ known })).toEqual([]);
  told();
  expect(recognisingForgets()).toBe(true);
  expect(proposed({ known })).toEqual([]);
});
