// What the thread that recognises is told, page by page, and where it says that the words stand.
import { expect, it } from 'vitest';
import { known, register } from '../../testing/recognition-firm.ts';
import { asLookedAt } from '../reading/looked-at.ts';
import { packedPage } from '../reading/packed-page.ts';
import type { PageText } from '../reading/page-text.ts';
import { work } from './recognise-thread.ts';

function marksOn(...pages: readonly PageText[]) {
  work({ file: { key: 7, name: 'print.pdf', bookmarks: [] } });
  for (const page of pages) work({ pages: [packedPage(page).packed] });
  const signals = work({ known }).flatMap(({ clients, typeSignals, periodSignals }) => [
    ...clients.flatMap((client) => client.signals),
    ...typeSignals,
    ...periodSignals,
  ]);
  return signals.flatMap(({ marks }) => marks);
}

it('words of a page that was read turned are marked where they are seen, and those of the page before it where they stand', () => {
  const page = register('Harbor & Pine Bakery LLC', '07-1234567');
  const level = marksOn(page, page);
  expect(new Set(level.map((mark) => mark.page))).toEqual(new Set([1, 2]));
  expect(marksOn(page, { ...page, turned: 90 })).toEqual(
    level.map((mark) => (mark.page === 2 ? asLookedAt(mark, page, 90) : mark)),
  );
});
