// What people do with files, clients and people, one act after the other over one connection: none becomes slow as files grow.
import type { BatchRow, DocumentRow } from '#contract/batches.ts';
import { addBatch, type Caller, timeBatch } from './caller.ts';

/** Those who act on a firm. */
export interface Actors {
  readonly admin: Caller;
  readonly cpa: Caller;
  readonly client: Caller;
}

/** Runs the part of an act that counts. */
export type Timed = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface Act {
  readonly title: string;
  /** Every so often something else: `nth` is another number each time. */
  readonly run: (by: Actors, nth: string, timed: Timed) => Promise<unknown>;
  /** With work in the background, which is asked for now and then. */
  readonly inBackground?: true;
}

interface Made {
  readonly id: number;
}

/** The one that the Client user reaches, and another of the CPA's. */
const [CLIENT, OTHER_CLIENT] = [1, 11];
const [TYPE, OTHER_TYPE] = [1, 2];
const PLACE = { clientId: `${CLIENT}`, fileType: 'report', reportTypeId: `${TYPE}` };
const DOCUMENT = { clientId: `${CLIENT}`, fileType: 'company_document', documentType: 'Correspondence' };

const bytesOf = (nth: string) => new Uint8Array(Buffer.from(`Payroll figures ${nth}`));
const upload = (by: Caller, nth: string, fields: Readonly<Record<string, string>> = PLACE) =>
  by.upload<Made>('/api/files', { name: `Act ${nth}.txt`, bytes: bytesOf(nth) }, fields);
const open = async (by: Caller, { id }: Made, how: 'view' | 'download') =>
  (await by.send('GET', `/api/files/${id}/${how}`)).arrayBuffer();

const client = (nth: string) => ({
  name: `Quarry Mill ${nth} LLC`,
  address: '7 Mill Lane, Springfield',
  phone: '(555)-555-0142',
  federalId: `00-${nth.replaceAll(/\D/g, '').slice(-7).padStart(7, '0')}`,
  stateId: 'S1',
  email: 'office@example.com',
  employeeCount: 3,
  startDate: '2026-01-01',
});

const request = (clientIds: readonly number[]) => ({
  clientIds,
  title: 'Year-end package',
  message: '',
  dueOn: null,
  items: [{ name: 'Bank statements', note: '' }],
});

async function user(by: Actors, nth: string) {
  const roles = await by.admin.ask<{ id: number; systemKey: string | null }[]>('GET', '/api/roles');
  return {
    username: `act-${nth}`,
    password: 'bench-password-2',
    fullName: `Person ${nth}`,
    roleId: roles.find(({ systemKey }) => systemKey === 'client')?.id,
    clientIds: [CLIENT, OTHER_CLIENT],
    reportTypeIds: [TYPE, OTHER_TYPE],
  };
}

/** A batch of one page, accepted and not released. */
async function accepted(by: Actors, nth: string, timed: Timed = (work) => work()): Promise<number> {
  const text = `Payroll Summary\nNorthfield Bakery 001 LLC\nFederal ID: 00-0000001\nPay date 11/13/2026 (${nth})`;
  const id = await addBatch(by.cpa, [{ name: `act ${nth}.txt`, bytes: new Uint8Array(Buffer.from(text)) }]);
  await timed(async () => {
    await by.cpa.send('POST', `/api/batches/${id}/read`);
    await timeBatch(by.cpa, id, ({ state }: BatchRow) => state === 'review');
  });
  const [document] = await by.cpa.ask<DocumentRow[]>('GET', `/api/batches/${id}/documents`);
  await by.cpa.send('POST', `/api/batches/${id}/documents/decide`, {
    ids: [document?.id],
    decision: 'accepted',
    clientId: CLIENT,
    reportTypeId: TYPE,
    period: '2026-11-13',
  });
  return id;
}

export const acts: readonly Act[] = [
  { title: 'a report is uploaded (cpa)', run: (by, nth, timed) => timed(() => upload(by.cpa, nth)) },
  { title: 'a document is sent (client)', run: (by, nth, timed) => timed(() => upload(by.client, nth, DOCUMENT)) },
  {
    title: 'what may be there already is asked (cpa)',
    run: async (by, nth, timed) => {
      const file = { ...PLACE, clientId: CLIENT, reportTypeId: TYPE, name: `Act ${nth}.txt`, size: 30 };
      await timed(() => by.cpa.ask('POST', '/api/files/already-there', { files: [file] }));
    },
  },
  ...(['view', 'download'] as const).flatMap((how): Act[] => [
    {
      title: `a report is opened, ${how} (cpa)`,
      run: async (by, nth, timed) => {
        const file = await upload(by.admin, nth);
        await timed(() => open(by.cpa, file, how));
      },
    },
    {
      title: `a report is opened, ${how} (client)`,
      run: async (by, nth, timed) => {
        const file = await upload(by.admin, nth);
        await timed(() => open(by.client, file, how));
      },
    },
  ]),
  {
    title: 'a document that a client sent is opened (cpa)',
    run: async (by, nth, timed) => {
      const file = await upload(by.client, nth, DOCUMENT);
      await timed(() => open(by.cpa, file, 'view'));
    },
  },
  {
    title: 'a view is announced (cpa)',
    run: async (by, nth, timed) => {
      const { id } = await upload(by.admin, nth);
      await timed(() => by.cpa.ask('POST', '/api/activity-logs', { action: 'view', fileId: id }));
    },
  },
  {
    title: 'the page of a report (cpa)',
    run: async (by, nth, timed) => {
      const { id } = await upload(by.cpa, nth);
      await timed(() => by.cpa.ask('GET', `/api/files/${id}/facts`));
    },
  },
  {
    title: 'a report is filed for another period (cpa)',
    run: async (by, nth, timed) => {
      const { id } = await upload(by.cpa, nth);
      await timed(() => by.cpa.ask('PUT', `/api/files/${id}`, { period: '2026-Q1' }));
    },
  },
  {
    title: 'a report is filed under another client and type (admin)',
    run: async (by, nth, timed) => {
      const { id } = await upload(by.admin, nth);
      const place = { clientId: OTHER_CLIENT, reportTypeId: OTHER_TYPE };
      await timed(() => by.admin.ask('PUT', `/api/files/${id}`, place));
    },
  },
  {
    title: 'a report is replaced (cpa)',
    run: async (by, nth, timed) => {
      const { id } = await upload(by.cpa, nth);
      await timed(() => upload(by.cpa, `${nth} anew`, { ...PLACE, replaces: `${id}` }));
    },
  },
  {
    title: 'a report is deleted (admin)',
    run: async (by, nth, timed) => {
      const { id } = await upload(by.admin, nth);
      await timed(() => by.admin.send('DELETE', `/api/files/${id}`));
    },
  },
  {
    title: 'a report is restored (admin)',
    run: async (by, nth, timed) => {
      const { id } = await upload(by.admin, nth);
      await by.admin.send('DELETE', `/api/files/${id}`);
      await timed(() => by.admin.ask('POST', `/api/files/${id}/restore`, {}));
    },
  },
  {
    title: 'a hold is placed and lifted (admin)',
    run: async (by, nth, timed) => {
      const file = await upload(by.admin, nth);
      await timed(async () => {
        const hold = await by.admin.ask<Made>('POST', '/api/holds', { kind: 'file', id: file.id, reason: 'Audit' });
        await by.admin.send('POST', `/api/holds/${hold.id}/lift`);
      });
    },
  },
  {
    title: 'a batch of one page is proposed (cpa)',
    inBackground: true,
    run: (by, nth, timed) => accepted(by, nth, timed),
  },
  {
    title: 'and released (cpa)',
    inBackground: true,
    run: async (by, nth, timed) => {
      const id = await accepted(by, nth);
      await timed(async () => {
        await by.cpa.send('POST', `/api/batches/${id}/release`, {});
        await timeBatch(by.cpa, id, ({ state }: BatchRow) => state === 'released');
      });
    },
  },
  {
    title: 'a client is made (admin)',
    run: (by, nth, timed) => timed(() => by.admin.ask('POST', '/api/clients', client(nth))),
  },
  {
    title: 'a client is renamed (admin)',
    run: async (by, nth, timed) => {
      const { id } = await by.admin.ask<Made>('POST', '/api/clients', client(nth));
      const anew = { ...client(nth), name: `Quarry Hill ${nth} LLC` };
      await timed(() => by.admin.ask('PUT', `/api/clients/${id}`, anew));
    },
  },
  {
    title: 'a client without files is deleted and restored (admin)',
    run: async (by, nth, timed) => {
      const { id } = await by.admin.ask<Made>('POST', '/api/clients', client(nth));
      await timed(async () => {
        await by.admin.send('DELETE', `/api/clients/${id}`);
        await by.admin.ask('POST', `/api/clients/${id}/restore`, {});
      });
    },
  },
  {
    title: 'a user is made (admin)',
    run: async (by, nth, timed) => {
      const body = await user(by, nth);
      await timed(() => by.admin.ask('POST', '/api/users', body));
    },
  },
  {
    title: 'a user’s lists are changed (admin)',
    run: async (by, nth, timed) => {
      const { password: _password, ...body } = await user(by, nth);
      const { id } = await by.admin.ask<Made>('POST', '/api/users', { ...body, password: 'bench-password-2' });
      await timed(() => by.admin.ask('PUT', `/api/users/${id}`, { ...body, clientIds: [CLIENT] }));
    },
  },
  {
    title: 'a user is deleted (admin)',
    run: async (by, nth, timed) => {
      const { id } = await by.admin.ask<Made>('POST', '/api/users', await user(by, nth));
      await timed(() => by.admin.send('DELETE', `/api/users/${id}`));
    },
  },
  {
    title: 'a report type is made, renamed and deleted (admin)',
    run: (by, nth, timed) =>
      timed(async () => {
        const { id } = await by.admin.ask<Made>('POST', '/api/report-types', { name: `Type ${nth}` });
        await by.admin.ask('PUT', `/api/report-types/${id}`, { name: `Type anew ${nth}` });
        await by.admin.send('DELETE', `/api/report-types/${id}`);
      }),
  },
  {
    title: 'a report type of many files is renamed (admin)',
    run: (by, nth, timed) =>
      timed(() => by.admin.ask('PUT', `/api/report-types/${OTHER_TYPE}`, { name: `Payroll Register ${nth}` })),
  },
  {
    title: 'a client of many files is renamed (admin)',
    run: (by, nth, timed) =>
      timed(() =>
        by.admin.ask('PUT', `/api/clients/${OTHER_CLIENT}`, { ...client(nth), name: `Northfield 011 ${nth}` }),
      ),
  },
  {
    title: 'a request is sent (cpa)',
    run: (by, _nth, timed) => timed(() => by.cpa.ask('POST', '/api/requests', request([CLIENT]))),
  },
  {
    title: 'a request is answered (client)',
    run: async (by, nth, timed) => {
      const { ids } = await by.cpa.ask<{ ids: number[] }>('POST', '/api/requests', request([CLIENT]));
      const { items } = await by.client.ask<{ items: Made[] }>('GET', `/api/requests/${ids[0]}`);
      const file = { name: `Answer ${nth}.txt`, bytes: bytesOf(nth) };
      await timed(() => by.client.upload(`/api/request-items/${items[0]?.id}/files`, file));
    },
  },
  {
    title: 'a request is closed (cpa)',
    run: async (by, _nth, timed) => {
      const { ids } = await by.cpa.ask<{ ids: number[] }>('POST', '/api/requests', request([CLIENT]));
      await timed(() => by.cpa.send('POST', `/api/requests/${ids[0]}/close`));
    },
  },
  {
    title: 'what people chose is kept (cpa)',
    run: (by, _nth, timed) => timed(() => by.cpa.send('PUT', '/api/auth/preferences', { chosenClientId: CLIENT })),
  },
];
