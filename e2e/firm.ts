// A small firm for a browser test: clients, report types, people of each role and files, created through the API.
import { type ApiCaller, apiAs } from './api.ts';
import { makePdf } from './pdf.ts';

export interface Person {
  readonly id: number;
  readonly username: string;
  readonly password: string;
  readonly fullName: string;
}

export interface Named {
  readonly id: number;
  readonly name: string;
}

export interface Firm {
  readonly api: ApiCaller;
  /** Two clients that the CPA reaches; the first is the Client user's. */
  readonly clients: readonly [Named, Named];
  /** A client that neither of them reaches. */
  readonly stranger: Named;
  /** Two report types, in the lists of both. */
  readonly reportTypes: readonly [Named, Named];
  readonly cpa: Person;
  readonly clientUser: Person;
  /** Holds a role without a single capability, and reaches nothing. */
  readonly outsider: Person;
  /** Reports of the first client and first report type, oldest first, then one of the stranger. */
  readonly reports: readonly { readonly id: number; readonly name: string }[];
}

/** Of everybody here but the Admin. */
export const PASSWORD = 'browser test';

let seeded = 0;
let added = 0;

/** One more person of a system role, with these lists. */
export async function addPerson(
  origin: string,
  role: 'Admin' | 'CPA' | 'Client',
  clientIds: readonly number[] | null,
  reportTypeIds: readonly number[] | null,
): Promise<Person> {
  added += 1;
  const api = await apiAs(origin);
  const roleId = (await api.get<Named[]>('/api/roles')).find(({ name }) => name === role)?.id;
  const username = `added.${process.pid}.${added}`;
  const fullName = `Ada Moreau ${added}`;
  const { id } = await api.post<{ id: number }>('/api/users', {
    username,
    password: PASSWORD,
    fullName,
    roleId,
    clientIds,
    reportTypeIds,
  });
  return { id, username, password: PASSWORD, fullName };
}

/** Seeds a firm of its own; its names carry a number, so that several fit on one server. */
export async function seedFirm(origin: string, { reports = 2 }: { reports?: number } = {}): Promise<Firm> {
  seeded += 1;
  // As long as any other: none is the beginning of another.
  const tag = `${process.pid % 1000}`.padStart(3, '0') + `${seeded}`.padStart(3, '0');
  const api = await apiAs(origin);
  // It has its people and files: nobody is led through it.
  await api.put('/api/overview/first-steps', { dismissed: true });
  const client = (name: string, nth: number) =>
    api.post<Named>('/api/clients', {
      name: `${name} ${tag}`,
      address: `${nth} Orchard Lane, Dayton, OH 45402`,
      phone: `(937)-555-011${nth}`,
      federalId: `08-111222${nth}`,
      stateId: `OH-${nth}1`,
      email: `books${nth}@example.com`,
      employeeCount: nth * 4,
      startDate: '2025-01-31',
    });
  const clients = [await client('Larkspur Bakery', 1), await client('Tidewater Marine', 2)] as const;
  const stranger = await client('Quarry Road Dental', 3);
  const reportType = (name: string) => api.post<Named>('/api/report-types', { name: `${name} ${tag}` });
  const reportTypes = [await reportType('Payroll Journal'), await reportType('Quarterly 941')] as const;
  const roles = await api.get<Named[]>('/api/roles');
  const roleId = (name: string) => roles.find((role) => role.name === name)?.id;
  const auditor = await api.post<Named>('/api/roles', { name: `Visitor ${tag}` });
  const person = async (
    fullName: string,
    role: number | undefined,
    clientIds: readonly number[] | null,
  ): Promise<Person> => {
    const username = `${fullName.toLowerCase().replaceAll(' ', '.')}.${tag}`;
    const reportTypeIds = clientIds === null ? null : reportTypes.map(({ id }) => id);
    const { id } = await api.post<{ id: number }>('/api/users', {
      username,
      password: PASSWORD,
      fullName,
      roleId: role,
      clientIds,
      reportTypeIds,
    });
    return { id, username, password: PASSWORD, fullName };
  };
  const cpa = await person('Rosa Okafor', roleId('CPA'), [clients[0].id, clients[1].id]);
  const clientUser = await person('Ingrid Vale', roleId('Client'), [clients[0].id]);
  const outsider = await person('Nils Perrin', auditor.id, null);

  const send = async (owner: Named, name: string) => {
    const fields = { clientId: owner.id, fileType: 'report', reportTypeId: reportTypes[0].id };
    const { id } = await api.upload(fields, name, await makePdf([owner.name, name]));
    return { id, name };
  };
  const sent: { id: number; name: string }[] = [];
  for (let nth = 1; nth <= reports; nth += 1) sent.push(await send(clients[0], `Journal ${tag}-${nth}.pdf`));
  sent.push(await send(stranger, `Secret ${tag}.pdf`));
  return { api, clients, stranger, reportTypes, cpa, clientUser, outsider, reports: sent };
}
