// What the screens show: a firm with names as long as names get, a batch in review, a request and a closed client.
import { expect } from '@playwright/test';
import type { BatchDetails, BatchRow } from '#contract/batches.ts';
import { type ApiCaller, apiAs } from '../api.ts';
import { seedFirm } from '../firm.ts';
import { makePages, makePdf } from '../pdf.ts';
import { ADMIN } from '../server.ts';
import type { FixtureIds, Visitor } from './screen.ts';
import { UNBROKEN } from './unbroken.ts';

/** A client for the trash. */
export const CLOSED_CLIENT = {
  name: 'Closed Lane Florist',
  address: '5 Orchard Lane, Dayton, OH 45402',
  phone: '(937)-555-0118',
  federalId: '08-1112228',
  stateId: 'OH-92',
  email: 'closed@example.com',
  employeeCount: 3,
  startDate: '2025-01-31',
};

/** A firm with names as long as names get, and the ids that the addresses of the screens need. */
export async function seedScreens(origin: string): Promise<{
  fixtureIds: FixtureIds;
  people: Readonly<Record<Exclude<Visitor, 'signed out'>, { username: string; password: string }>>;
}> {
  const firm = await seedFirm(origin, { reports: 3 });
  const { api, clients, reportTypes, cpa, clientUser, outsider, reports } = firm;
  const [client] = clients;
  await api.post('/api/clients', {
    name: `${UNBROKEN} & Sons ${clients[0].id}`,
    address: '4 Orchard Lane, Dayton, OH 45402',
    phone: '(937)-555-0119',
    federalId: '08-1112229',
    stateId: 'OH-91',
    email: `${UNBROKEN.toLowerCase()}@example.com`,
    employeeCount: 12_345,
    startDate: '2025-01-31',
  });
  await api.post('/api/report-types', { name: `${UNBROKEN} Summary ${clients[0].id}` });
  await api.put(`/api/report-types/${reportTypes[0].id}/phrases`, {
    phrases: [
      `Payroll ledger by employee ${client.id}`,
      `Hours by Crew and Shift ${client.id}`,
      `${UNBROKEN} weekly hours ${client.id}`,
    ],
  });
  const pdf = await makePdf([client.name]);
  await api.upload({ clientId: client.id, fileType: 'company_document' }, 'CP575 Notice.pdf', pdf);
  await api.upload({ clientId: client.id, fileType: 'company_document' }, `${UNBROKEN}_2026-09-30.pdf`, pdf);
  // One of the CPA's own: it may be deleted.
  await (await apiAs(origin, cpa)).upload({ clientId: client.id, fileType: 'company_document' }, 'Lease.pdf', pdf);
  const report = { clientId: client.id, fileType: 'report', reportTypeId: reportTypes[0].id };
  const table = await api.upload(
    { ...report, reportTypeId: reportTypes[1].id },
    'Employees.csv',
    Buffer.from(
      `Employee,Department,Hours,Rate,Gross wages\r\n${'"Doe, Jane",Bakery,80,24.50,1960.00\r\n'.repeat(40)}`,
    ),
  );
  const archive = await api.upload(
    { ...report, reportTypeId: reportTypes[1].id },
    'Bundle.zip',
    Buffer.from('504b0304140000000000000000000000000000000000000000000001000000', 'hex'),
  );
  // In the trash: a long name, and a client with a file of its own.
  const thrown = await api.upload(report, `${UNBROKEN}_deleted.pdf`, pdf);
  await api.delete(`/api/files/${thrown.id}`);
  const closed = await api.post<{ id: number }>('/api/clients', {
    ...CLOSED_CLIENT,
    name: `${CLOSED_CLIENT.name} ${clients[0].id}`,
  });
  const letter = await makePdf(['A letter that names nobody']);
  const last = await api.upload({ clientId: closed.id, fileType: 'company_document' }, 'Closing letter.pdf', letter);
  await api.delete(`/api/files/${last.id}`);
  await api.delete(`/api/clients/${closed.id}`);
  await api.upload(report, `${UNBROKEN}_${UNBROKEN}_PayrollJournal_2026-11-13.pdf`, pdf);
  return {
    fixtureIds: {
      reportId: reports[0]?.id ?? 0,
      tableId: table.id,
      archiveId: archive.id,
      batchId: await seedBatch(
        api,
        clients.map(({ name }, nth) => ({ name, federalId: `08-111222${nth + 1}` })),
      ),
      requestId: await seedRequest(api, await apiAs(origin, clientUser), client.id),
      clientId: client.id,
      username: cpa.username,
    },
    people: { admin: ADMIN, cpa, client: clientUser, outsider },
  };
}

/** A late request of which one item was sent, one sent back, one does not apply and one is open. */
export async function seedRequest(staff: ApiCaller, person: ApiCaller, clientId: number): Promise<number> {
  const items = ['Bank statements', `${UNBROKEN} adjustments`, 'Forms W-9 of contractors', 'Notices from tax agencies'];
  const { ids } = await staff.post<{ ids: [number] }>('/api/requests', {
    clientIds: [clientId],
    title: 'Year-end package',
    message: 'For the forms W-2 and 1099.',
    dueOn: '2026-01-15',
    items: items.map((name) => ({ name, note: 'January to December' })),
  });
  const [id] = ids;
  const { items: made } = await staff.get<{ items: { id: number }[] }>(`/api/requests/${id}`);
  const [sent = 0, back = 0, not = 0] = made.map((item) => item.id);
  for (const item of [sent, back]) {
    await person.upload({}, `${UNBROKEN}.pdf`, Buffer.from(`%PDF-1.7 ${item}`), `/api/request-items/${item}/files`);
  }
  await staff.post(`/api/request-items/${back}/decide`, { decision: 'sendBack', reason: 'The second page is missing' });
  await person.post(`/api/request-items/${not}/does-not-apply`, { note: 'We paid no contractors' });
  return id;
}

interface Company {
  readonly name: string;
  readonly federalId: string;
}

const READ_WITHIN_MS = 60_000;

/** Pages of a journal as a payroll program prints it. */
const journal = ({ name, federalId }: Company) =>
  [1, 2].map((page) => [
    name,
    `Federal ID ${federalId}`,
    'Payroll Journal',
    `Check Date 11/20/2026    Page ${page} of 2`,
    'Employee    Hours    Gross    Taxes    Net',
    ...Array.from({ length: 14 }, (_, nth) => `Employee ${page * 20 + nth}    80.00    1,960.00    294.51    1,665.49`),
  ]);

/** A print file of these companies, of one that is no client, and a text that names nobody; read, and in review. */
export async function seedBatch(api: ApiCaller, companies: readonly Company[]): Promise<number> {
  const unknown = { name: 'Kestrel Joinery LLC', federalId: '07-5550123' };
  const name = 'payrun-2026-11-20_all-companies.pdf';
  const { id } = await api.post<BatchRow>('/api/batches', { name: `${name} and 2 others` });
  const files = [
    [name, await makePages([...companies, unknown].flatMap(journal))],
    [
      'Notes_about_the_run_without_a_single_space_in_the_name_of_the_file_2026-11-20.txt',
      Buffer.from('Nobody is named'),
    ],
    ['scan0042.pdf', Buffer.from('%PDF-1.7 cut off')],
  ] as const;
  for (const [file, bytes] of files) await api.upload({}, file, bytes, `/api/batches/${id}/files`);
  await api.post(`/api/batches/${id}/read`);
  const read = async () => {
    const { batch } = await api.get<BatchDetails>(`/api/batches/${id}`);
    return batch.fault ?? batch.state;
  };
  await expect.poll(read, { message: 'the batch is read', timeout: READ_WITHIN_MS, intervals: [200] }).toBe('review');
  return id;
}
