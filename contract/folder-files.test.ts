// What in a folder or a ZIP is no document.
import { expect, test } from 'vitest';
import { noDocument } from './folder-files.ts';

test.each([
  ['March/run.pdf', null],
  ['../run.pdf', null],
  ['./run.pdf', null],
  ['a.b/c..pdf', null],
  ['.DS_Store', 'system'],
  ['March/Thumbs.db', 'system'],
  ['__MACOSX/March/._run.pdf', 'system'],
  ['March/._run.pdf', 'resourceFork'],
  ['March/.run.pdf.swp', 'hidden'],
  ['.git/config', 'hidden'],
  ['March/.old/run.pdf', 'hidden'],
])('%s is %s', (path, reason) => {
  expect(noDocument(path)).toBe(reason);
});
