// The application with the firm of `firm.ts` in it. To make one asks for two dozen things and hashes and judges some of them: each process makes it
// twice at most, and copies it afterwards.
import { rmSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import process from 'node:process';
import type { DatabaseKind } from '../platform/db/database.ts';
import { type Firm, makeFirm, type ViewerName } from './firm.ts';
import { Caller, type LeftData, startTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

interface MadeFirm {
  readonly left: LeftData;
  readonly firm: Firm;
}

/** What changes nothing of what the firm leaves. */
const CHANGES_NO_DATA = ['TRUST_PROXY', 'MAX_UPLOAD_BYTES', 'METRICS_TOKEN'];

const asked = new Map<DatabaseKind, number>();
const made = new Map<DatabaseKind, Promise<MadeFirm>>();

/** The admin of a copy signs in anew: the earlier time has left nothing. */
async function forgetAdmin({ database, admin }: TestApp): Promise<void> {
  const { id } = (await admin.get<{ id: number }>('/api/auth/me')).body;
  await database.transaction(async (tx) => {
    for (const table of ['sessions', 'security_events'] as const) {
      await tx.deleteFrom(table).where('user_id', '=', id).execute();
    }
  });
}

async function make(kind: DatabaseKind): Promise<MadeFirm> {
  const app = await startTestApp(kind);
  const firm = await makeFirm(app);
  await forgetAdmin(app);
  const left = await app.leave();
  process.once('exit', () => {
    for (const path of [left.folder, left.database].filter((one) => isAbsolute(one)))
      rmSync(path, { recursive: true, force: true });
  });
  return { left, firm };
}

/** As `startTestApp` and `makeFirm` do it. */
export async function startTestFirm(
  kind: DatabaseKind,
  environment: Readonly<Record<string, string>> = {},
  options: TestAppOptions = {},
): Promise<{ app: TestApp; firm: Firm }> {
  const isUsual = Object.keys(environment).every((name) => CHANGES_NO_DATA.includes(name));
  const times = (asked.get(kind) ?? 0) + 1;
  if (isUsual) asked.set(kind, times);
  if (isUsual && times > 1 && options.passwords === undefined && options.flushFile === undefined) {
    const making = made.get(kind) ?? make(kind);
    made.set(kind, making);
    const copied = await making;
    const app = await startTestApp(kind, environment, { ...options, copyOf: copied.left });
    // Its people signed in when it was made, and the first use of a session that rested for minutes changes its row.
    await app.database.transaction((tx) => tx.updateTable('sessions').set({ last_seen_at: app.now() }).execute());
    const viewers = Object.entries(copied.firm.viewers).map(([name, { token }]) => [
      name,
      new Caller(app.origin, token),
    ]);
    return { app, firm: { ...copied.firm, viewers: Object.fromEntries(viewers) as Record<ViewerName, Caller> } };
  }
  const app = await startTestApp(kind, environment, options);
  return { app, firm: await makeFirm(app) };
}
