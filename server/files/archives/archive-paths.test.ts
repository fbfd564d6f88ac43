// Where each file of an archive lies in it: apart from all others, for any system, whatever it is called.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ARCHIVE_FILES_MAX } from '#contract/file-kinds.ts';
import { archivePaths } from './archive-zip.ts';

const MANIFEST = 'manifest.csv';

describe('the paths in an archive', () => {
  /** Those of one client name are of one client, unless an id says otherwise. */
  const paths = (...files: [client: string, name: string, id?: number][]) =>
    archivePaths(
      files.map(([clientName, originalName, id = files.findIndex(([named]) => named === clientName)]) => ({
        clientId: id,
        clientName,
        originalName,
        fileType: 'report',
        reportTypeName: 'Journal',
        documentType: null,
      })),
    );

  it('keep files of one name apart, whatever the case', async () => {
    expect(await paths(['Acme', 'W-2.pdf'], ['Acme', 'w-2.pdf'], ['Acme', 'W-2.pdf'], ['Other', 'W-2.pdf'])).toEqual([
      'Acme/Journal/W-2.pdf',
      'Acme/Journal/w-2 (2).pdf',
      'Acme/Journal/W-2 (3).pdf',
      'Other/Journal/W-2.pdf',
    ]);
  });

  it('keep two clients of one name apart', async () => {
    expect(
      await paths(['Acme', 'W-2.pdf'], ['Acme', 'W-2.pdf', 1_000], ['acme', 'W-2.pdf'], ['Acme', '941.pdf']),
    ).toEqual(['Acme/Journal/W-2.pdf', 'Acme (2)/Journal/W-2.pdf', 'acme (3)/Journal/W-2.pdf', 'Acme/Journal/941.pdf']);
  });

  it('are those of Other for documents without a type, which are shown as that', async () => {
    const document = { clientId: 1, clientName: 'Acme', fileType: 'company_document', reportTypeName: null } as const;
    const made = await archivePaths([
      { ...document, originalName: 'Bare.txt', documentType: null },
      { ...document, originalName: 'Plain.txt', documentType: 'Other' },
    ]);
    expect(made).toEqual(['Acme/Other/Bare.txt', 'Acme/Other/Plain.txt']);
  });

  it('G11: have no name that is too long for a disk, in whatever letters', async () => {
    const made = await paths(['Я'.repeat(200), '日.pdf'], [`${'Я'.repeat(199)}Ж`, '日.pdf']);
    const folder = 'Я'.repeat(100);
    expect(made).toEqual([`${folder}/Journal/日.pdf`, `${folder} (2)/Journal/日.pdf`]);
  });

  it('G11: stay unique where names look like the numbers appended to others', async () => {
    const names = [
      'x.pdf',
      'x (2).pdf',
      'X.PDF',
      'x.pdf',
      'x (2).pdf',
      'x (3).pdf',
      'x',
      'x',
      '.x',
      '.x',
      'ΑΣ',
      'ας',
      'ασ',
    ];
    expect(await paths(...names.map((name): [string, string] => ['Acme', name]))).toEqual([
      'Acme/Journal/x.pdf',
      'Acme/Journal/x (2).pdf',
      'Acme/Journal/X (3).PDF',
      'Acme/Journal/x (4).pdf',
      'Acme/Journal/x (2) (2).pdf',
      'Acme/Journal/x (3) (2).pdf',
      'Acme/Journal/x',
      'Acme/Journal/x (2)',
      'Acme/Journal/.x',
      'Acme/Journal/.x (2)',
      'Acme/Journal/ΑΣ',
      'Acme/Journal/ας (2)',
      'Acme/Journal/ασ (3)',
    ]);
  });

  it('G11: leave the manifest its name, whatever is called the same', async () => {
    const made = await paths(
      [MANIFEST, MANIFEST],
      ['Manifest.CSV', 'x'],
      ['_manifest.csv', 'X'],
      ['manifest.csv.', 'x'],
    );
    expect(made).toEqual([
      '_manifest.csv/Journal/manifest.csv',
      '_Manifest.CSV (2)/Journal/x',
      '_manifest.csv (3)/Journal/X',
      '_manifest.csv (4)/Journal/x',
    ]);
  });

  it('G11: are the same each time, and no two are one, whatever files are called', async () => {
    const unit = fc.constantFrom('x', 'X', '.', ' ', '(', '2', ')', 'ß', 'Σ', 'ς', '/', '\u0301', 'e', '日');
    const name = fc.oneof(
      fc.constantFrom('x.pdf', 'x (2).pdf', 'x (3).pdf', 'X.pdf', 'x (2) (2).pdf', MANIFEST),
      fc.string({ unit, maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, name), { maxLength: 40 }), async (files) => {
        const made = await paths(...files);
        expect(await paths(...files)).toEqual(made);
        const seen = made.flatMap((path) =>
          [path.toUpperCase(), path.toLowerCase()].map((form) => form.normalize('NFC')),
        );
        const distinct = new Set(seen.filter((_, at) => at % 2 === 0));
        expect(distinct.size).toBe(files.length);
        expect(new Set(seen.filter((_, at) => at % 2 === 1)).size).toBe(files.length);
        expect(made.filter((path) => path.toLowerCase().startsWith(`${MANIFEST}/`))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  // Each would take minutes if every file tried all the numbers before its own.
  it.each([
    ['equal', () => `${'x'.repeat(176)}.pdf`],
    ['mixed', (nth: number) => (nth % 2 === 0 ? 'x.pdf' : `x (${nth}).pdf`)],
    ['numbered before', (nth: number) => (nth < 10_000 ? `x (${nth + 2}).pdf` : 'x.pdf')],
  ])('G11: of twenty thousand files with %s names take no longer than distinct names', async (_kind, nameOf) => {
    const files = Array.from({ length: 20_000 }, (_, nth): [string, string] => ['C'.repeat(200), nameOf(nth)]);
    expect(new Set(await paths(...files)).size).toBe(files.length);
  });

  it('G11: are built in slices, between which others are served', async () => {
    const odd = `${'. '.repeat(88)}x.pdf`;
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await paths(...Array.from({ length: ARCHIVE_FILES_MAX }, (): [string, string] => [`${'. '.repeat(99)}x`, odd]));
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(19);
  });

  it('never lead out of the folder, or to a name that some system reserves', async () => {
    for (const path of await paths(['../..', '../../etc/passwd'], ['C:\\x', 'CON'], ['a/b', '..'], ['', ' . '])) {
      expect(path.split('/')).toHaveLength(3);
      for (const part of path.split('/')) expect(part).toMatch(/^(?!\.+$)(?!con$)[^\\/:*?"<>|]+$/i);
    }
  });
});
