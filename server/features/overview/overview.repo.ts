// How many clients and users are in reach; files and activity are counted by their own lists.
import { rowCount } from '../../db/list.ts';
import type { ReadScope } from '../../db/scope.ts';

export async function countClientsAndUsers(scope: ReadScope): Promise<{ clients: number; users: number }> {
  const [clients] = await scope.compiled<{ n: number }>('overview.clients', (sources) =>
    sources.clients().select(rowCount.as('n')),
  );
  const [users] = await scope.compiled<{ n: number }>('overview.users', (sources) =>
    sources.users().select(rowCount.as('n')),
  );
  return { clients: clients?.n ?? 0, users: users?.n ?? 0 };
}
