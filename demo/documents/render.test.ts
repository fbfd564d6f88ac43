// The documents themselves: the same bytes each time, and the figures of the payroll on the page.
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { companyByCode } from '../companies.ts';
import { amount } from '../money.ts';
import { ledgerOf } from '../payroll.ts';
import { planFirm } from '../plan.ts';
import { form941 } from '../returns.ts';
import type { DocumentDescriptor } from './descriptor.ts';
import { createRenderer } from './render.ts';

const plan = planFirm('full');
const render = createRenderer();

/** One file of each kind, the first there is. */
const examples = [...new Map(plan.files.toReversed().map(({ document }) => [document.kind, document])).values()];

function documentWhere(test: (document: DocumentDescriptor) => boolean): DocumentDescriptor {
  const file = plan.files.find(({ document }) => test(document));
  if (file === undefined) throw new Error('The plan has no such file');
  return file.document;
}

/** The words set on a PDF's pages, in their order. */
function wordsOf(pdf: Buffer): string {
  const words: string[] = [];
  const opening = '\nstream\n';
  let from = pdf.indexOf(opening);
  while (from !== -1) {
    const start = from + opening.length;
    const end = pdf.indexOf('\nendstream', start);
    const bytes = pdf.subarray(start, end);
    // The metadata's stream is plain XML.
    const content = bytes[0] === 0x3c ? '' : inflateSync(bytes).toString('latin1');
    for (const [, shown = ''] of content.matchAll(/\[(.*?)\] TJ/g)) {
      words.push(
        [...shown.matchAll(/<([0-9a-f]*)>/g)]
          .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
          .join(''),
      );
    }
    from = pdf.indexOf(opening, end);
  }
  return words.join('\n');
}

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;

describe('the documents', () => {
  it('are there in every kind', () => {
    expect(examples).toHaveLength(27);
  });

  it.each(examples.map((document) => [document.kind, document] as const))(
    '%s has the same bytes each time',
    async (kind, document) => {
      const bytes = await render(document);
      const again = await createRenderer()(document);
      expect(again.equals(bytes)).toBe(true);
      const start = bytes.toString('latin1', 0, 5);
      if (kind === 'nothing') expect(bytes).toHaveLength(0);
      else if (kind === 'photo') expect(start).toBe('\x89PNG\r');
      else if (kind === 'renamed-program') expect(start.slice(0, 2)).toBe('MZ');
      else if (kind === 'register-csv') expect(start).toBe('Check');
      else if (kind === 'ach-text') expect(start).toBe('101 0');
      else expect(start).toBe('%PDF-');
    },
  );

  it('differ from each other', async () => {
    const files = plan.files.slice(1000, 1060);
    const hashes = new Set<string>();
    for (const { document } of files) {
      hashes.add(
        createHash('sha256')
          .update(await render(document))
          .digest('hex'),
      );
    }
    expect(hashes.size).toBe(files.length);
  });

  it('carry the totals of the registers to the Form 941', async () => {
    const company = companyByCode('HarborPineBakery');
    const form = form941(ledgerOf(company), 2025, 1);
    const words = wordsOf(
      await render(
        documentWhere(
          (document) =>
            document.kind === 'form-941' &&
            document.company === company.index &&
            document.year === 2025 &&
            document.quarter === 1,
        ),
      ),
    );
    for (const text of [company.legalName, company.federalId, 'Quarter 1, 2025', 'Fictional demonstration data']) {
      expect(words).toContain(text);
    }
    for (const cents of [form.line2WagesCents, form.line5aTaxCents, form.line12Cents])
      expect(words).toContain(amount(cents));
  });

  it('give a register its period, check date, people and totals, on as many pages as it takes', async () => {
    const company = companyByCode('KestrelHomeHealth');
    const ledger = ledgerOf(company);
    const document = documentWhere((known) => known.kind === 'payroll-register' && known.company === company.index);
    const run = document.kind === 'payroll-register' ? ledger.runs[document.run] : undefined;
    const pdf = await render(document);
    const words = wordsOf(pdf);
    expect(pagesOf(pdf)).toBeGreaterThan(4);
    expect(words).toContain(`Total, ${company.employees} employees`);
    expect(words).toContain(amount(run?.totals.grossCents ?? -1));
    expect(words).toContain(amount(run?.totals.netCents ?? -1));
  });

  it('write an ACH file in full blocks of 94 characters a record, with the total of the run', async () => {
    const document = documentWhere(({ kind }) => kind === 'ach-text');
    const text = (await render(document)).toString('latin1');
    const records = text.split('\r\n').slice(0, -1);
    expect(records.length % 10).toBe(0);
    expect(new Set(records.map((record) => record.length))).toEqual(new Set([94]));
    const run =
      document.kind === 'ach-text' ? ledgerOf(companyByCode('AcmePlumbingOhio')).runs[document.run] : undefined;
    const control = records.find((record) => record.startsWith('8220'));
    expect(Number(control?.slice(32, 44))).toBe(run?.totals.netCents);
  });

  it('come twice with the same bytes where a client sent the same scan twice', async () => {
    const scans = plan.files.filter((file) => file.originalName.startsWith('scan0047'));
    expect(scans).toHaveLength(2);
    const [first, second] = await Promise.all(scans.map(({ document }) => createRenderer()(document)));
    expect(second && first?.equals(second)).toBe(true);
  });
});
