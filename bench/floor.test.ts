// The floor answers as the application does: else its figures would be those of less work, or `npm run bench` would end there.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATABASE_KINDS } from '#server/testing/test-database.ts';
import { type Engine, openEngine } from './engines.ts';
import { scenarios } from './scenarios.ts';
import { openTestBed, type TestBed } from './test-bed.ts';
import { assertRightBytes, assertSameAnswers } from './throughput.ts';

const FILES = 2_000;

describe.each(DATABASE_KINDS)('the floor on %s', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-floor-'));
  let engine: Engine;
  let bed: TestBed;

  beforeAll(async () => {
    // PostgreSQL runs as somebody else.
    chmodSync(folder, 0o711);
    engine = await openEngine(kind, folder);
    bed = await openTestBed(engine, join(folder, 'firm'), FILES, { nodeFlags: [], plain: true });
  });

  afterAll(async () => {
    await bed?.stop();
    await engine?.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(scenarios.filter(({ sameAnswer }) => sameAnswer).map((one) => [one.name, one] as const))(
    'answers %s as the application does',
    (_, scenario) => assertSameAnswers(bed, scenario),
  );

  it('sends the same bytes, and takes a file as the application does', async () => {
    await assertRightBytes(bed);
    const upload = scenarios.find(({ name }) => name === 'upload');
    const [request] = upload?.load(bed.firm, bed.tokens).requests ?? [];
    const taken = await Promise.all(
      [bed.application, bed.floor].map(async ({ origin }) => {
        const answer = await fetch(new URL('/api/files', origin), {
          method: 'POST',
          headers: { ...request?.headers },
          body: new Uint8Array(request?.body as Buffer),
        });
        const {
          id: _id,
          uploadedAt: _at,
          createdAt: _made,
          ...file
        } = (await answer.json()) as Record<string, unknown>;
        return [answer.status, file];
      }),
    );
    expect(taken[0]).toEqual(taken[1]);
    expect(taken[0]?.[0]).toBe(201);
  });
});
