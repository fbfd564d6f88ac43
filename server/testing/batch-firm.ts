// A firm whose processor has batches, each test with people and files of its own: what the tests of batches share.
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { BatchDetails, BatchRow, DocumentRow } from '#contract/batches.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import { addUser, type Firm } from './firm.ts';
import type { Caller, TestApp } from './test-app.ts';
import { insertTestBatch, type TestDocument } from './test-batch.ts';
import { startTestFirm } from './test-firm.ts';
import { testPdf } from './test-pdf.ts';

const WITHIN = { timeout: 30_000, interval: 30 };

interface Person {
  readonly id: number;
  readonly caller: Caller;
}

const [near, second] = [0, 1] as const;
const clientOf = (firm: Firm, nth: 0 | 1 | 2) => firm.clients[nth] as number;
const typeOf = (firm: Firm) => firm.reportTypes[0] as number;

/** Within a `describe`: one application for all its tests, each of which meets people of its own. */
function meetInTurn(kind: DatabaseKind) {
  let app: TestApp;
  let firm: Firm;
  let processor: Person;
  let clientUser: Person;
  let made = 0;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  // Others each time, so that no test meets another's batches and files.
  beforeEach(async () => {
    made += 1;
    const reportTypeIds = [typeOf(firm)];
    processor = await addUser(app, `processor${made}`, firm.roles.cpa, {
      clientIds: [clientOf(firm, near), clientOf(firm, second)],
      reportTypeIds,
    });
    clientUser = await addUser(app, `reader${made}`, firm.roles.client, {
      clientIds: [clientOf(firm, near)],
      reportTypeIds,
    });
  });
  afterEach(async () => {
    await app.context.jobs.stop();
    vi.restoreAllMocks();
  });

  return {
    get app() {
      return app;
    },
    get firm() {
      return firm;
    },
    /** A CPA with the first two clients. */
    get processor() {
      return processor;
    },
    /** The Client of the first of them. */
    get clientUser() {
      return clientUser;
    },
    /** How many tests began: part of what must differ. */
    get made() {
      return made;
    },
  };
}

/** What the tests ask of the bytes that are stored. */
function storedBytes(met: { readonly app: TestApp }) {
  async function missingBlobs(keys: readonly string[]): Promise<string[]> {
    const there = new Set<string>();
    for await (const { storageKey } of met.app.context.services.blobs.list()) there.add(storageKey);
    return keys.filter((key) => !there.has(key));
  }

  async function blobCount(): Promise<number> {
    let count = 0;
    for await (const _entry of met.app.context.services.blobs.list()) count += 1;
    return count;
  }

  return { missingBlobs, blobCount };
}

/** Within a `describe`: one application for all its tests; `met` is what the test that runs meets. */
export function batchFirm(kind: DatabaseKind) {
  const met = meetInTurn(kind);
  const client = (nth: 0 | 1 | 2) => clientOf(met.firm, nth);
  const type = () => typeOf(met.firm);

  const path = (id: number, rest = '') => `/api/batches/${id}${rest}`;
  const documentsOf = async (id: number, by = met.processor.caller) =>
    (await by.get<DocumentRow[]>(path(id, '/documents'))).body;
  const batchOf = async (id: number, by = met.processor.caller) => (await by.get<BatchDetails>(path(id))).body.batch;
  /** What the processor of this test filed, as far as `by` reaches it. */
  const reportsOf = async (by: Caller) =>
    (await by.get<FileRow[]>('/api/files')).body.filter(({ uploadedById }) => uploadedById === met.processor.id);

  /** A batch in review with one print file: two pages for the first client, two for the second. */
  async function inReview(documents?: readonly TestDocument[]) {
    const bytes = await testPdf([['alpha one'], ['alpha two'], ['beta one'], ['beta two']]);
    const place = { reportTypeId: type(), period: '2026-Q1' };
    return insertTestBatch(met.app, {
      ownerId: met.processor.id,
      state: 'review',
      name: `Pay run ${met.made}`,
      fileName: 'payrun.pdf',
      bytes,
      pages: 4,
      documents: documents ?? [
        { from: 1, to: 2, state: 'accepted', clientId: client(near), ...place },
        { from: 3, to: 4, state: 'accepted', clientId: client(second), ...place },
      ],
    });
  }

  const release = (id: number, body: object = {}, by = met.processor.caller) =>
    by.post<BatchRow & ErrorBody>(path(id, '/release'), body);

  /** Lets jobs run until nothing of the batch is being read or released. */
  async function settled(id: number): Promise<BatchRow> {
    await met.app.context.jobs.start();
    await vi.waitFor(async () => {
      const found = await batchOf(id);
      expect([found.state, found.releasing]).not.toContain('reading');
      expect(found.releasing).toBe(0);
    }, WITHIN);
    // A release that has made its last file says of the batch that it is released just afterwards.
    await met.app.context.jobs.stop();
    return batchOf(id);
  }

  async function released(documents?: readonly TestDocument[]) {
    const batch = await inReview(documents);
    expect((await release(batch.id)).status).toBe(200);
    await settled(batch.id);
    return batch;
  }

  const bytesOf = async (fileId: number, by: Caller) =>
    new Uint8Array(await (await by.fetch(`/api/files/${fileId}/download`)).arrayBuffer());

  return {
    met,
    near,
    second,
    client,
    type,
    path,
    documentsOf,
    batchOf,
    reportsOf,
    inReview,
    release,
    settled,
    released,
    bytesOf,
    ...storedBytes(met),
  };
}
