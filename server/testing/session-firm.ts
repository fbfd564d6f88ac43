// A firm with people who sign in, each test with some of its own: what the tests of sessions share.
import { afterAll, beforeAll } from 'vitest';
import type { DatabaseKind } from '../platform/db/database.ts';
import { addUser, type Firm } from './firm.ts';
import type { Caller, TestApp } from './test-app.ts';
import { startTestFirm } from './test-firm.ts';

export const NEW_PASSWORD = 'a new password';

/** What the tests of one file and engine meet. */
export interface SessionFirm {
  readonly app: TestApp;
  readonly firm: Firm;
}

/** Within a `describe`: one application for all its tests, which `onReady` is told of. */
export function sessionFirm(kind: DatabaseKind, onReady: (met: SessionFirm) => void) {
  let app: TestApp;
  let firm: Firm;
  let people = 0;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
    onReady({ app, firm });
  });
  afterAll(() => app.close());

  /** A CPA of this test alone, so that tests do not end each other's sessions. */
  async function newPerson(): Promise<{ id: number; username: string; caller: Caller }> {
    people += 1;
    const username = `person${people}`;
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
    return { username, ...(await addUser(app, username, firm.roles.cpa, lists)) };
  }

  const signIn = (username: string, password: string, headers: Record<string, string> = {}) =>
    app.anonymous.fetch('/api/auth/login', {
      method: 'POST',
      body: JSON.stringify({ username, password }),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const cookieOf = (response: Response) => response.headers.getSetCookie()[0] ?? '';
  const cookiePair = (response: Response) => cookieOf(response).split(';', 1)[0] ?? '';
  const statusOf = async (caller: Caller) => (await caller.get('/api/auth/me')).status;
  const openFileBy = (cookie: string) =>
    app.anonymous.fetch(`/api/files/${firm.files.f1.id}/view`, { headers: { cookie } }).then((answer) => answer.status);

  return { newPerson, signIn, cookieOf, cookiePair, statusOf, openFileBy };
}
