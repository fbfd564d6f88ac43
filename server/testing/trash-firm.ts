// A firm whose files and clients are deleted and come back: what the tests of the trash share.
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { TrashRow } from '#contract/trash.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import type { Firm } from './firm.ts';
import { apartFromComing, firmRows } from './full-firm.ts';
import type { Caller, TestApp } from './test-app.ts';
import { startTestFirm } from './test-firm.ts';

/** What one test meets. */
export interface TrashFirm {
  readonly app: TestApp;
  readonly firm: Firm;
}

/** Within a `describe`: before each test a firm of its own, which `onTest` is told of. */
export function trashFirm(kind: DatabaseKind, onTest: (met: TrashFirm) => void) {
  let app: TestApp;
  let firm: Firm;
  beforeEach(async () => {
    ({ app, firm } = await startTestFirm(kind));
    onTest({ app, firm });
  });
  afterEach(() => app.close());

  const removeFile = async (by: Caller, { id }: { id: number }) =>
    expect((await by.delete(`/api/files/${id}`)).status).toBe(204);
  const restoreFile = (by: Caller, { id }: { id: number }) => by.post<FileRow & ErrorBody>(`/api/files/${id}/restore`);
  const restoreClient = (by: Caller, id: number) => by.post<ErrorBody>(`/api/clients/${id}/restore`);
  const trashOf = async (by: Caller, query = '') => (await by.get<TrashRow[]>(`/api/trash${query}`)).body;
  const namesIn = async (by: Caller, query = '') => (await trashOf(by, query)).map(({ name }) => name);
  const storedKeys = async () =>
    (await Readable.from(app.context.services.blobs.list()).toArray()).map(({ storageKey }) => storageKey).sort();
  const bytesOf = async (by: Caller, { id }: { id: number }) => (await by.fetch(`/api/files/${id}/download`)).text();
  /** Everything but the log, what was looked at, sign-ins, and since when a file is news. */
  async function stateOfFirm(): Promise<Record<string, string[]>> {
    const { activity, activity_counts, security_events, sessions, known_networks, attempts, jobs, ...rows } =
      await firmRows(app.database);
    return { ...rows, files: apartFromComing(rows['files']) };
  }

  return { removeFile, restoreFile, restoreClient, trashOf, namesIn, storedKeys, bytesOf, stateOfFirm };
}
