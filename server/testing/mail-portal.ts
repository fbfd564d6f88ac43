// A portal with a mail server, and what its Admin asks of them: what the tests of sending share.
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { MailFacts, MailRow } from '#contract/mail.ts';
import { SMTP_TIMEOUTS } from '../mail/smtp.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import { type Firm, makeFirm } from './firm.ts';
import { mailEnvironment, startMailServer, type TestMailServer } from './mail-server.ts';
import { type Caller, startTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

/** What the tests of one file and engine meet. */
interface MailPortal {
  readonly app: TestApp;
  readonly firm: Firm;
  readonly server: TestMailServer;
}

/** Within a `describe`: one application and mail server for all its tests, which `onReady` is told of; each begins without a mail. */
export function mailPortal(kind: DatabaseKind, onReady: (met: MailPortal) => void) {
  let server: TestMailServer;
  let app: TestApp;
  let firm: Firm;
  const usual = { ...SMTP_TIMEOUTS };
  beforeAll(async () => {
    server = await startMailServer();
    app = await startTestApp(kind, mailEnvironment(server.port));
    firm = await makeFirm(app);
    onReady({ app, firm, server });
  });
  afterEach(async () => {
    await app.database.transaction((tx) => tx.deleteFrom('mails').execute());
    server.refuseSender = () => null;
    server.refuseRecipient = () => null;
    server.refuseMessage = () => null;
    server.arrived.length = 0;
    Object.assign(SMTP_TIMEOUTS, usual);
  });
  afterAll(async () => {
    await app.close();
    await server.close();
  });

  const order = async (to: string, by: Caller = app.admin) => {
    const { status, body } = await by.post<MailRow & ErrorBody>('/api/mail/test', { to });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  };
  const list = async (query = '') => (await app.admin.get<MailRow[]>(`/api/mail/messages${query}`)).body;
  const only = async () => {
    const [row, ...rest] = await list();
    expect(rest).toEqual([]);
    return row as MailRow;
  };
  const facts = async () => (await app.admin.get<MailFacts>('/api/mail')).body;
  /** Another portal with the same database, whose mail leaves in another way. */
  const sendBy = async (
    how: string,
    port: number,
    work: (other: TestApp) => Promise<void>,
    options: TestAppOptions = {},
  ) => {
    const other = await startTestApp(kind, mailEnvironment(port, how), options);
    try {
      await other.admin.post('/api/mail/test', { to: 'rosa@example.com' });
      await work(other);
    } finally {
      await other.close();
    }
  };
  /** In the place of the mail server that was closed. */
  const serverAgain = async () => {
    server = await startMailServer({}, server.port);
    onReady({ app, firm, server });
  };

  return { order, list, only, facts, sendBy, serverAgain };
}
