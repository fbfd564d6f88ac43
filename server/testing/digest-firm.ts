// A firm whose people hear by mail of what is new, and the clock and the mails of its tests: what the tests of digests share.
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { localDay, localHour } from '#contract/days.ts';
import type { DigestPace, DigestTopic } from '#contract/digest-words.ts';
import type { OwnDigests } from '#contract/digests.ts';
import type { FileRow } from '#contract/files.ts';
import { ROUND_PACES } from '../mail/digests/rounds.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import { type Firm, makeFirm, type ViewerName } from './firm.ts';
import { mailEnvironment, startMailServer, type TestMailServer } from './mail-server.ts';
import { sendMails } from './send-mails.ts';
import { type Caller, startTestApp, type TestApp } from './test-app.ts';
import { writeDigests } from './write-digests.ts';

/** The firm's time zone unless it says otherwise. */
export const NEW_YORK = 'America/New_York';
export const QUARTER_MS = 15 * MINUTE_MS;
export const SETTLES_MS = 20_000;

const PEOPLE = ['clientA', 'clientB', 'cpa', 'bookkeeper', 'admin2'] as const satisfies readonly ViewerName[];
export const addressOf = (name: ViewerName) => `${name.toLowerCase()}@example.com`;

/** What the tests of one file and engine meet. */
export interface DigestFirm {
  readonly app: TestApp;
  readonly firm: Firm;
  readonly server: TestMailServer;
}

/** Within a `describe`: one application and mail server for all its tests, which `onReady` is told of; each begins with nothing told. */
export function digestFirm(kind: DatabaseKind, onReady: (met: DigestFirm) => void) {
  let server: TestMailServer;
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    server = await startMailServer();
    app = await startTestApp(kind, mailEnvironment(server.port), { clock: 'standing' });
    firm = await makeFirm(app);
    await beginAnew();
    onReady({ app, firm, server });
  });
  afterEach(async () => {
    server.arrived.length = 0;
    await beginAnew();
  });
  afterAll(async () => {
    await app.close();
    await server.close();
  });

  /** As if nobody had chosen anything, and everybody had been told of what there is. */
  const beginAnew = async () => {
    // Just after a quarter of an hour, whatever the time of day: a minute later none is over, and for some hours no morning comes.
    const quarter = Math.floor(app.now() / QUARTER_MS + 1) * QUARTER_MS;
    const seven = localHour(localDay(quarter, NEW_YORK), 7, NEW_YORK);
    const begin = seven > quarter && seven - quarter < 12 * QUARTER_MS ? seven : quarter;
    app.advance(begin + SETTLES_MS - app.now());
    await app.database.transaction(async (tx) => {
      for (const table of ['mails', 'digest_choices', 'digest_rounds', 'requests'] as const)
        await tx.deleteFrom(table).execute();
      await tx.updateTable('firm_settings').set({ digests: null }).execute();
      const rounds = ROUND_PACES.map((pace) => ({ pace, done_until: app.now() }));
      await tx.insertInto('digest_rounds').values(rounds).execute();
      // The clock goes on by days: whoever has done nothing for a week would be signed out.
      await tx.updateTable('sessions').set({ last_seen_at: app.now() }).execute();
      for (const name of PEOPLE) {
        await tx
          .updateTable('users')
          .set({ email: addressOf(name) })
          .where('id', '=', firm.users[name])
          .execute();
      }
    });
    app.advance(MINUTE_MS);
  };

  const report = async (name: string, by: Caller = app.admin, more: Record<string, number> = {}) => {
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0], ...more };
    const { status, body } = await by.upload<FileRow>({ name, bytes: `bytes of ${name}`, fields });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  };
  const document = async (name: string, by: Caller) => {
    const fields = { clientId: firm.clients[0], fileType: 'company_document', documentType: 'Correspondence' };
    const { status, body } = await by.upload<FileRow>({ name, bytes: `bytes of ${name}`, fields });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  };
  const choose = async (who: ViewerName, topic: DigestTopic, pace: DigestPace | null) => {
    const { status, body } = await firm.viewers[who].put<OwnDigests>('/api/digests', { topic, pace });
    expect(status, JSON.stringify(body)).toBe(200);
    // What comes in the same moment was there before.
    app.advance(1);
    return body;
  };
  /** Lets the clock go on until the next quarter of an hour has settled. */
  const toQuarter = async () => {
    const quarter = Math.floor(app.now() / QUARTER_MS + 1) * QUARTER_MS;
    app.advance(quarter + SETTLES_MS - app.now());
    await writeDigests(app);
  };
  const aMinuteOn = async () => {
    app.advance(MINUTE_MS);
    await writeDigests(app);
  };
  /** What came since the last time: to whom, under which subject. */
  const mailed = async () => {
    await sendMails(app);
    return server.arrived.splice(0);
  };
  const told = async () => (await mailed()).map(({ to, mail }) => `${to[0]}: ${mail.subject}`).sort();
  const states = async () =>
    (await app.database.reader.selectFrom('mails').select(['state', 'error']).orderBy('id').execute()).map(
      ({ state, error }) => [state, error],
    );

  return { report, document, choose, toQuarter, aMinuteOn, mailed, told, states };
}
