// The firm on which the table of rights is tried: its viewers, a client and a report type within their lists and one beyond, and files of each.
import type { Capability } from '#contract/policy/actor.ts';
import type { DatabaseKind } from '../../platform/db/database.ts';
import { addRole, addUser, clientInput } from '../firm.ts';
import type { Answer, Caller, TestApp } from '../test-app.ts';
import { VIEWERS, VIEWERS_ON, type ViewerName } from './viewers.ts';

export type RightsFirm = Awaited<ReturnType<typeof makeRightsFirm>>;

export async function idOf(answer: Promise<Answer>): Promise<number> {
  const { status, body } = await answer;
  if (status !== 201) throw new Error(`Expected 201, got ${status}: ${JSON.stringify(body)}`);
  return (body as { id: number }).id;
}

export async function currentSession(by: Caller): Promise<number> {
  const { body } = await by.get<{ id: number; current: boolean }[]>('/api/auth/sessions');
  return body.find(({ current }) => current)?.id ?? 0;
}

export async function makeRightsFirm(kind: DatabaseKind, app: TestApp) {
  const callers = {} as Record<ViewerName, Caller>;
  const userIds = {} as Record<ViewerName, number>;
  const roleIds = {} as Record<ViewerName, number>;
  const clients = { near: 0, far: 0 };
  const types = { known: 0, other: 0 };
  const files = { report: 0, document: 0, untyped: 0, otherType: 0, farReport: 0, farDocument: 0 };
  const bystander = { id: 0, sessionId: 0 };
  const sessions = {} as Record<ViewerName, number>;

  let made = 0;
  const fresh = (what: string) => `${what} ${++made}`;

  /** Adds a client or report type to every viewer's list, past the API. */
  async function bringIntoReach(entry: { clientId?: number; reportTypeId?: number }): Promise<void> {
    const listed = Object.values(userIds).filter((id) => id !== 0);
    await app.database.transaction(async (tx) => {
      for (const user_id of listed) {
        if (entry.clientId)
          await tx.insertInto('user_clients').values({ user_id, client_id: entry.clientId }).execute();
        if (entry.reportTypeId) {
          await tx.insertInto('user_report_types').values({ user_id, report_type_id: entry.reportTypeId }).execute();
        }
      }
    });
  }

  const uploadAsAdmin = (fields: Record<string, string | number>) => idOf(app.admin.upload({ fields }));
  const aType = () => idOf(app.admin.post('/api/report-types', { name: fresh('type') }));
  const aClient = () => idOf(app.admin.post('/api/clients', clientInput(fresh('Client'))));

  clients.near = await aClient();
  clients.far = await aClient();
  types.known = await aType();
  types.other = await aType();
  const { body: systemRoles } = await app.admin.get<{ id: number; systemKey: string | null }[]>('/api/roles');
  const lists = { clientIds: [clients.near], reportTypeIds: [types.known] };
  for (const [viewer, rights] of Object.entries(VIEWERS) as [ViewerName, (typeof VIEWERS)[ViewerName]][]) {
    // Who does not call is not needed; `custom` is the role of those whom calls are about, too.
    if (viewer !== 'custom' && !VIEWERS_ON[kind].includes(viewer)) continue;
    if (rights === null) {
      callers[viewer] = app.anonymous;
      userIds[viewer] = 0;
      roleIds[viewer] = 0;
      continue;
    }
    const builtIn = systemRoles.find((role) => role.systemKey === rights)?.id;
    roleIds[viewer] = builtIn ?? (await addRole(app, `role ${viewer}`, rights as readonly Capability[]));
    const { id, caller } = await addUser(app, `viewer ${viewer}`, roleIds[viewer], rights === 'admin' ? {} : lists);
    userIds[viewer] = id;
    callers[viewer] = caller;
    sessions[viewer] = await currentSession(caller);
  }
  const { id, caller } = await addUser(app, 'bystander', roleIds.custom, lists);
  Object.assign(bystander, { id, sessionId: await currentSession(caller) });

  const report = { clientId: clients.near, fileType: 'report' };
  files.report = await uploadAsAdmin({ ...report, reportTypeId: types.known });
  files.document = await uploadAsAdmin({ clientId: clients.near, fileType: 'company_document' });
  files.untyped = await uploadAsAdmin(report);
  files.otherType = await uploadAsAdmin({ ...report, reportTypeId: types.other });
  files.farReport = await uploadAsAdmin({ clientId: clients.far, fileType: 'report', reportTypeId: types.known });
  files.farDocument = await uploadAsAdmin({ clientId: clients.far, fileType: 'company_document' });

  return {
    kind,
    app,
    callers,
    userIds,
    roleIds,
    sessions,
    clients,
    types,
    files,
    bystander,
    fresh,
    aClient,
    aType,
    bringIntoReach,
    uploadAsAdmin,
  };
}
