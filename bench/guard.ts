// What the wrong-client guard adds to an upload of ten pages.
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import type { FileRow } from '#contract/files.ts';
import { Caller } from './caller.ts';
import { startApplication } from './children.ts';
import type { Engine } from './engines.ts';
import { percentile } from './load.ts';
import { mark, ms, sayTable } from './report.ts';
import { seed, USERS } from './seed.ts';
import { signIn } from './test-bed.ts';

const FILES = 10_000;
const PAGES = 10;
const UPLOADS = 40;
const WARM_UP = 5;
const ADDED_MS = 300;

async function document(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (let page = 1; page <= PAGES; page += 1) {
    const sheet = pdf.addPage([612, 792]);
    sheet.drawText(`${name}   Page ${page} of ${PAGES}`, { x: 40, y: 740, size: 10, font });
    for (let row = 0; row < 40; row += 1)
      sheet.drawText(`Employee ${page}-${row}   80.00   1,640.00   1,271.33`, {
        x: 40,
        y: 700 - row * 15,
        size: 9,
        font,
      });
  }
  return new Uint8Array(await pdf.save());
}

/** One upload after the other, read by the guard and, given a reason, not, in turn. */
export async function measureGuard(engine: Engine, dataDir: string): Promise<void> {
  const databaseUrl = await engine.createDatabase(dataDir);
  await seed({ databaseUrl, dataDir }, FILES);
  const server = await startApplication(dataDir, [], { DATABASE_URL: databaseUrl });
  try {
    const admin = new Caller(server, await signIn(server, USERS.admin));
    const [client] = await admin.ask<{ id: number; name: string }[]>('GET', '/api/clients?limit=1&sort=name');
    if (client === undefined) return;
    const bytes = await document(client.name);
    const took = { read: [] as number[], kept: [] as number[] };
    for (let nth = 0; nth < WARM_UP + UPLOADS; nth += 1) {
      for (const how of ['read', 'kept'] as const) {
        const fields = { clientId: `${client.id}`, fileType: 'company_document' };
        const startedAt = performance.now();
        await admin.upload<FileRow>(
          '/api/files',
          { name: `${how} ${nth}.pdf`, bytes },
          how === 'read' ? fields : { ...fields, keepBecause: 'It is theirs' },
        );
        if (nth >= WARM_UP) took[how].push(performance.now() - startedAt);
      }
    }
    const [read, kept] = [took.read, took.kept].map((times) => times.toSorted((a, b) => a - b)) as [number[], number[]];
    const added = percentile(read, 0.5) - percentile(kept, 0.5);
    sayTable(
      `The wrong-client guard on ${engine.title}: an upload of ${PAGES} pages, ${UPLOADS} times, ms`,
      ['', 'p50', 'p99', 'target', ''],
      [
        ['read by the guard', ms(percentile(read, 0.5)), ms(percentile(read, 0.99)), '', ''],
        ['kept for a reason, not read', ms(percentile(kept, 0.5)), ms(percentile(kept, 0.99)), '', ''],
        ['what the guard adds', ms(added), '', `< ${ADDED_MS}`, mark(added < ADDED_MS)],
      ],
    );
  } finally {
    await server.stop();
  }
}
