// A firm that says for how many years its files are kept: what the tests of retention share.
import { afterEach, beforeEach, expect } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { DueFile, RetentionRules } from '#contract/retention.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import type { Firm } from './firm.ts';
import { ADMIN_PASSWORD, type Caller, type TestApp } from './test-app.ts';
import { startTestFirm } from './test-firm.ts';

/** What one test meets. */
interface RetentionFirm {
  readonly app: TestApp;
  readonly firm: Firm;
  /** Signed in on the server's day. */
  readonly admin: Caller;
}

/** Within a `describe`: before each test a firm of its own, which `onTest` is told of, and again whenever its Administrator signs in anew. */
export function retentionFirm(kind: DatabaseKind, onTest: (met: RetentionFirm) => void) {
  let app: TestApp;
  let firm: Firm;
  let admin: Caller;
  beforeEach(async () => {
    ({ app, firm } = await startTestFirm(kind));
    ({ admin } = app);
    onTest({ app, firm, admin });
  });
  afterEach(() => app.close());

  /** Moves the server's day. Sessions end meanwhile. */
  async function onDay(day: string): Promise<void> {
    app.advance(Date.parse(`${day}T12:00:00Z`) - app.now());
    admin = await app.login('admin', ADMIN_PASSWORD);
    onTest({ app, firm, admin });
  }
  const keep = (reportTypeId: number | null, years: number | null, by = admin) =>
    by.put<RetentionRules & ErrorBody>('/api/retention/rules', { reportTypeId, years });
  const due = async (query = '') => (await admin.get<DueFile[]>(`/api/retention${query}`)).body;
  const namesDue = async (query = '') => (await due(query)).map(({ originalName }) => originalName);
  async function upload(name: string, period: string | null, more: Record<string, string | number> = {}) {
    const fields = {
      clientId: firm.clients[0],
      fileType: 'report',
      reportTypeId: firm.reportTypes[0],
      ...(period === null ? {} : { period }),
      ...more,
    };
    const { status, body } = await admin.upload<FileRow>({ name, bytes: `bytes of ${name}`, fields });
    expect(status).toBe(201);
    return body;
  }

  return { onDay, keep, due, namesDue, upload };
}
