// What of a folder is sent: by the list of what is no document, and only where the files came with a folder.
import { expect, it } from 'vitest';
import { whyNotSent, withoutStrays, withoutSystemFiles } from './chosen-files.ts';

/** As a drop hands it over. */
const dropped = (path: string) => Object.assign(new File(['words'], path.replace(/.*\//, '')), { path });
const pathsOf = (files: readonly File[]) => files.map((file) => (file as File & { path: string }).path);

const DROPPED = ['/March/run.pdf', '/March/desktop.ini', '/March/.DS_Store', '/March/Thumbs.db', '/March/._run.pdf'];

it('has nothing of what systems put into a folder, and beside its files', () => {
  expect(pathsOf(withoutStrays(DROPPED.map(dropped)))).toEqual(['/March/run.pdf']);
  expect(pathsOf(withoutStrays(['./desktop.ini', './._run.pdf'].map(dropped)))).toEqual([
    './desktop.ini',
    './._run.pdf',
  ]);
});

it('names in a batch what stands beside a file', () => {
  const files = withoutSystemFiles(DROPPED.map(dropped));
  expect(files.map(whyNotSent)).toEqual([null, 'resourceFork']);
});
