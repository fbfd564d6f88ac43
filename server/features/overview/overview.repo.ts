// How many clients and users are in reach; files and activity are counted by their own lists.
import { reachesEveryUser } from '#contract/policy.ts';
import type { ReadScope } from '../../access/scope.ts';
import { rowCount } from '../../db/list.ts';

/** Users are counted for who sees all of them, else null. */
export async function countClientsAndUsers(scope: ReadScope): Promise<{ clients: number; users: number | null }> {
  const [clients] = await scope.prepared<{ n: number }>('overview.clients', (sources) =>
    sources.clients().select(rowCount.as('n')),
  );
  if (!reachesEveryUser(scope.viewer)) return { clients: clients?.n ?? 0, users: null };
  const [users] = await scope.prepared<{ n: number }>('overview.users', (sources) =>
    sources.users().select(rowCount.as('n')),
  );
  return { clients: clients?.n ?? 0, users: users?.n ?? 0 };
}
