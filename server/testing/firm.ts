// A small firm with named viewers, for tests of access: three clients, three report types, one user of every kind.
import type { FileRow } from '#contract/files.ts';
import type { Capability } from '#contract/policy/actor.ts';
import type { Caller, TestApp } from './test-app.ts';

export const PASSWORD = 'viewer password';

/** Part of everything that belongs to the second client, so that a leak is found by its name. */
export const CANARY = 'CANARY2';

interface Row {
  id: number;
}

/** The application, in whatever process it runs. */
export type FirmApp = Pick<TestApp, 'admin' | 'login'>;

export interface Firm {
  readonly clients: readonly [number, number, number];
  readonly reportTypes: readonly [number, number, number];
  readonly roles: {
    readonly admin: number;
    readonly cpa: number;
    readonly client: number;
    readonly bookkeeper: number;
  };
  readonly users: Readonly<Record<ViewerName, number>>;
  readonly viewers: Readonly<Record<ViewerName, Caller>>;
  /** c1 t1, c2 t1, c1 t2, company document of c1 by clientA, c1 without type by admin. */
  readonly files: {
    readonly f1: FileRow;
    readonly f2: FileRow;
    readonly f3: FileRow;
    readonly f4: FileRow;
    readonly f5: FileRow;
  };
}

/** Client of client 1, Client of client 2, CPA of clients 1 and 3, custom role on client 1, custom role without lists, a second Admin. */
export type ViewerName = 'clientA' | 'clientB' | 'cpa' | 'bookkeeper' | 'listless' | 'admin2';

export function clientInput(name: string, more: Record<string, unknown> = {}) {
  return {
    name,
    address: '12 Harbor Street, Portland, ME 04101',
    phone: '(207)-555-0142',
    federalId: '00-1234567',
    stateId: 'ME-88121',
    email: 'office@example.com',
    employeeCount: 12,
    startDate: '2024-02-29',
    ...more,
  };
}

async function made<T extends Row>(answer: Promise<{ status: number; body: unknown }>): Promise<T> {
  const { status, body } = await answer;
  if (status !== 201) throw new Error(`Expected 201, got ${status}: ${JSON.stringify(body)}`);
  return body as T;
}

/** Makes a role, optionally with capabilities, and returns its id. */
export async function addRole(app: FirmApp, name: string, capabilities: readonly Capability[] = []): Promise<number> {
  const { id } = await made<Row>(app.admin.post('/api/roles', { name }));
  if (capabilities.length > 0) await app.admin.put('/api/permissions', { roleId: id, capabilities });
  return id;
}

export async function addUser(
  app: FirmApp,
  username: string,
  roleId: number,
  lists: { clientIds?: readonly number[] | null; reportTypeIds?: readonly number[] | null } = {},
): Promise<{ id: number; caller: Caller }> {
  const { id } = await made<Row>(
    app.admin.post('/api/users', { username, password: PASSWORD, fullName: `Full ${username}`, roleId, ...lists }),
  );
  return { id, caller: await app.login(username, PASSWORD) };
}

export async function makeFirm(app: FirmApp): Promise<Firm> {
  const { admin } = app;
  const client = (name: string, more?: Record<string, unknown>) =>
    made<Row>(admin.post('/api/clients', clientInput(name, more)));
  const c1 = await client('Harbor & Pine Bakery LLC');
  const c2 = await client(`${CANARY} Acme Plumbing LLC`, {
    address: `${CANARY} 9 Mill Road, Dayton`,
    email: 'canary2@example.com',
    stateId: CANARY,
  });
  const c3 = await client('Acme Plumbing of Ohio Inc.');
  const type = (name: string) => made<Row>(admin.post('/api/report-types', { name }));
  const t1 = await type('Payroll Journal');
  const t2 = await type('Form 941');
  const t3 = await type('Tax Notice');

  const { body: roleRows } = await admin.get<{ id: number; systemKey: string | null }[]>('/api/roles');
  const role = (key: string) => roleRows.find((row) => row.systemKey === key)?.id ?? 0;
  const bookkeeperRole = await addRole(app, 'Bookkeeper');
  const roles = { admin: role('admin'), cpa: role('cpa'), client: role('client'), bookkeeper: bookkeeperRole };

  const clientA = await addUser(app, 'clientA', roles.client, { clientIds: [c1.id], reportTypeIds: [t1.id] });
  const clientB = await addUser(app, 'clientB', roles.client, { clientIds: [c2.id], reportTypeIds: [t1.id] });
  const cpa = await addUser(app, 'cpa', roles.cpa, { clientIds: [c1.id, c3.id], reportTypeIds: [t1.id, t2.id] });
  const bookkeeper = await addUser(app, 'bookkeeper', roles.bookkeeper, {
    clientIds: [c1.id],
    reportTypeIds: [t1.id],
  });
  const listless = await addUser(app, 'listless', roles.bookkeeper, { clientIds: null, reportTypeIds: null });
  const admin2 = await addUser(app, 'admin2', roles.admin);

  const report = (by: Caller, name: string, clientId: number, reportTypeId?: number) =>
    made<FileRow>(
      by.upload({
        name,
        bytes: `bytes of ${name}`,
        fields: { clientId, fileType: 'report', ...(reportTypeId === undefined ? {} : { reportTypeId }) },
      }),
    );
  const files = {
    f1: await report(admin, 'f1.txt', c1.id, t1.id),
    f2: await report(admin, `${CANARY} f2.txt`, c2.id, t1.id),
    f3: await report(admin, 'f3.txt', c1.id, t2.id),
    f4: await made<FileRow>(
      clientA.caller.upload({
        name: 'f4.txt',
        bytes: 'bytes of f4.txt',
        fields: { clientId: c1.id, fileType: 'company_document', documentType: 'Correspondence' },
      }),
    ),
    f5: await report(admin, 'f5.txt', c1.id),
  };
  return {
    clients: [c1.id, c2.id, c3.id],
    reportTypes: [t1.id, t2.id, t3.id],
    roles,
    users: {
      clientA: clientA.id,
      clientB: clientB.id,
      cpa: cpa.id,
      bookkeeper: bookkeeper.id,
      listless: listless.id,
      admin2: admin2.id,
    },
    viewers: {
      clientA: clientA.caller,
      clientB: clientB.caller,
      cpa: cpa.caller,
      bookkeeper: bookkeeper.caller,
      listless: listless.caller,
      admin2: admin2.caller,
    },
    files,
  };
}
