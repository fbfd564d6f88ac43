// What recognition makes of the files that the demo hands out: the honest ones are ready and right, the traps are left to a person.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageIn } from '#server/batches/reading/packed-page.ts';
import { readDocument } from '#server/batches/reading/read-document.ts';
import type { Known, ProposedDocument, ReadFile } from '#server/batches/recognition/proposal.ts';
import { recognise } from '#server/batches/recognition/recognise.ts';
import { decideContentType } from '#server/platform/blobs/content-type.ts';
import { ANCHOR_DAY, isoDate } from '../calendar.ts';
import { companyAt } from '../companies.ts';
import { createRenderer } from '../documents/render.ts';
import { companiesOf, type FirmSize, planFirm } from '../plan.ts';
import { looseFiles } from './mail.ts';
import { payRunFile } from './pay-run.ts';
import type { PrintedPart } from './print-file.ts';
import { QUARTER, quarterFile, YEAR } from './quarter.ts';
import { writeToDrop } from './to-drop.ts';

const plan = planFirm('full');
const companies = companiesOf('full');
const render = createRenderer();

/** The ids are places in the plan. */
function knownOf({ clients, reportTypes }: typeof plan): Known {
  return {
    clients: clients.map(({ name, otherNames = [], federalId, stateId }, id) => ({
      id,
      names: [name, ...otherNames],
      federalId: federalId ?? '',
      stateId: stateId ?? '',
    })),
    reportTypes: reportTypes.map((name, id) => ({ id, name, phrases: [] })),
    lastYear: 2027,
  };
}

async function read(name: string, bytes: Uint8Array): Promise<ReadFile & { unreadable: string | null }> {
  const contentType = await decideContentType(Buffer.from(bytes.subarray(0, 4096)), bytes.length, name);
  const reading = await readDocument(Uint8Array.from(bytes), { contentType, signal: new AbortController().signal });
  if ('unreadable' in reading) return { key: 1, name, pages: [], bookmarks: [], unreadable: reading.unreadable };
  const { pages: packed, bookmarks } = reading.document;
  return { key: 1, name, pages: packed.map((page) => pageIn(page.packed)), bookmarks, unreadable: null };
}

const pages = ({ fromPage, toPage }: Pick<PrintedPart, 'fromPage' | 'toPage'>) => `${fromPage}-${toPage}`;

/** What a document is said to be, in words that a failing test can show. */
const proposed = (document: ProposedDocument, of = plan) => ({
  pages: pages(document),
  client: document.clientId === null ? null : of.clients[document.clientId]?.name,
  type: document.reportTypeId === null ? null : of.reportTypes[document.reportTypeId],
  period: document.period,
  correction: document.correction,
});
const truth = (part: PrintedPart) => ({
  pages: pages(part),
  client: part.company === null ? null : companyAt(part.company).name,
  type: part.reportTypeName,
  period: part.period,
  correction: part.correction === true,
});

describe('the print file of a pay run', async () => {
  const file = await payRunFile(companies, render);

  it('is of a run that is not on file, for 20 companies', () => {
    expect(file.name).toBe('payrun-2026-11-27.pdf');
    expect(new Set(file.parts.map(({ company }) => company)).size).toBe(20);
    const length = file.parts.at(-1)?.toPage ?? 0;
    expect(length).toBeGreaterThanOrEqual(40);
    expect(length).toBeLessThanOrEqual(60);
    // A month is over on its last day.
    for (const { period } of file.parts) expect(`${period}-99` > isoDate(ANCHOR_DAY)).toBe(true);
  });

  it('has every document ready, with its pages, client, type and period', async () => {
    const documents = recognise([await read(file.name, file.bytes)], knownOf(plan));
    expect(documents.map((document) => proposed(document))).toEqual(file.parts.map(truth));
    const ready = documents.filter(({ state }) => state === 'ready');
    expect(ready.length).toBeGreaterThanOrEqual(documents.length * 0.95);
  });
});

describe.each<FirmSize>(['full', 'small'])('the print file of a quarter, for the %s firm', async (size) => {
  const of = planFirm(size);
  const file = await quarterFile(companiesOf(size));
  const documents = recognise([await read(file.name, file.bytes)], knownOf(of));
  const at = (part: PrintedPart) => documents.find(({ fromPage }) => fromPage === part.fromPage);

  it('is of a quarter that is not on file', () => {
    const there = of.files.filter(
      ({ document }) => 'quarter' in document && document.year === YEAR && document.quarter === QUARTER,
    );
    expect(there).toEqual([]);
  });

  it('is separated as it was put together', () => {
    expect(documents.map(pages)).toEqual(file.parts.map(pages));
  });

  it('has nothing ready that is wrong', () => {
    const honest = file.parts.filter(({ trap }) => trap === null);
    const ready = documents.filter(({ state }) => state === 'ready');
    expect(ready.map((document) => proposed(document, of))).toEqual(honest.map(truth));
  });

  it('leaves each trap to a person, and says why', () => {
    const traps = file.parts.filter(({ trap }) => trap !== null);
    expect(
      traps.map(({ trap }) => [trap, at(file.parts.find((part) => part.trap === trap) as PrintedPart)?.state]),
    ).toEqual(traps.map(({ trap }) => [trap, 'toCheck']));
    const reasons = new Map(traps.map((part) => [part.trap, at(part)?.reasons.map(({ kind }) => kind)]));
    expect(reasons.get('The federal id is missing')).toContain('oneSignal');
    expect(reasons.get('The company is no client')).toContain('anotherCompany');
    expect(reasons.get('The name of one company over the federal id of its near-twin')).toContain('contradiction');
    expect(reasons.get('One page speaks of two companies')).toContain('severalClients');
    expect(reasons.get('A page is missing')).toContain('missingPages');
    expect(reasons.get('A separator sheet')).toContain('separator');
    expect(reasons.get('A page that nobody claims')).toContain('unclaimedPages');
    if (size === 'full') expect(reasons.get('Two clients share this name and federal id')).toContain('severalClients');
  });
});

describe('the loose files', async () => {
  const files = await looseFiles(render);
  const opened = await Promise.all(files.map(async ({ name, bytes }) => read(name, bytes)));

  it('are as they come: twice, empty, broken off, locked, without text', () => {
    const unreadable = opened.filter((file) => file.unreadable !== null).map((file) => [file.name, file.unreadable]);
    expect(unreadable).toEqual([
      ['state return download.pdf', 'damaged'],
      ['Employee roster LOCKED.pdf', 'password'],
    ]);
    expect(files.filter(({ bytes }) => bytes.length === 0)).toHaveLength(1);
    const [first, second] = files.filter(({ name }) => name.startsWith('Form 941'));
    expect(Buffer.compare(first?.bytes ?? Buffer.alloc(0), second?.bytes ?? Buffer.alloc(1))).toBe(0);
  });

  it('are not believed where the name lies', () => {
    const documents = recognise(
      opened.map((file, key) => ({ ...file, key })),
      knownOf(plan),
    );
    const lying = documents.find(({ fileKey }) => files[fileKey]?.name.startsWith('Tax Liability'));
    expect(lying).toMatchObject({ state: 'toCheck', reasons: [{ kind: 'contradiction' }] });
    const ready = documents
      .filter(({ state }) => state === 'ready')
      .map(({ fileKey, clientId }) => [files[fileKey]?.name, plan.clients[clientId ?? -1]?.name]);
    expect(ready).toEqual([
      ['scan0047.pdf', 'Harbor & Pine Bakery LLC'],
      ['Reports (3).pdf', 'Bluestem Veterinary Clinic PC'],
      ['Reports (3).pdf', 'Bluestem Veterinary Clinic PC'],
      ['Reports (3).pdf', 'Granite Ridge Roofing Inc.'],
      ['Form 941 Q3 2024 - Granite Ridge Roofing Inc.pdf', 'Granite Ridge Roofing Inc.'],
      ['Form 941 Q3 2024 - Granite Ridge Roofing Inc (1).pdf', 'Granite Ridge Roofing Inc.'],
      ['ACH_20261127.txt', 'Acme Plumbing LLC'],
      ['EFTPS_270296922347408_2024-10-15.pdf', 'Harbor & Pine Bakery LLC'],
    ]);
    const ach = documents.find(({ fileKey }) => files[fileKey]?.name === 'ACH_20261127.txt');
    expect(ach && proposed(ach)).toMatchObject({ type: 'Direct Deposit / ACH', period: '2026-11-27' });
  });
});

it('all of it is written to one folder, with the same bytes each time', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'coffer-to-drop-'));
  try {
    const folders = [join(parent, 'one'), join(parent, 'other')];
    for (const folder of folders) await writeToDrop(companiesOf('small'), folder);
    const [one, other] = folders.map((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => ({
          name: entry.name,
          within: entry.parentPath.slice(folder.length + 1),
          bytes: readFileSync(join(entry.parentPath, entry.name), 'base64'),
        })),
    );
    expect(other).toEqual(one);
    const loose = one?.filter(({ within }) => within === 'mail-and-downloads');
    expect(loose).toHaveLength(13);
    expect(
      one
        ?.filter(({ within }) => within === '')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['payrun-2026-11-27.pdf', 'quarter-2024Q3-with-traps.pdf']);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
});
