// What a change of a user's access grants and takes, as entries of the log: one for each client and each report type.

import type { ActivityEntry } from '../../audit/record.ts';
import type { ReadScope } from '../access/scope.ts';
import { clientNames, reportTypeNames } from './access-lists.repo.ts';

interface Access {
  readonly clientIds: readonly number[];
  readonly allClients: boolean;
  readonly reportTypeIds: readonly number[];
}

const NOTHING: Access = { clientIds: [], allClients: false, reportTypeIds: [] };

/** Those of `ids` that `others` does not name. */
function without(ids: readonly number[], others: readonly number[]): number[] {
  const left = new Set(others);
  // In one order, so that no two processes wait for each other's counters.
  return ids.filter((id) => !left.has(id)).sort((one, other) => one - other);
}

/** Who has all clients has them by one grant, whatever their number. */
const namedOneByOne = ({ allClients, clientIds }: Access) => (allClients ? [] : clientIds);

const update = (details: string, client?: ActivityEntry['client']): ActivityEntry => ({
  action: 'update',
  details,
  ...(client ? { client } : {}),
});

/**
 * The entries about the change that makes `user` of `former`; null for a new user. Ask before it is made: afterwards the viewer may
 * reach less, so that a name would be missing.
 */
export async function accessEntries(
  scope: ReadScope,
  former: Access | null,
  user: Access & { readonly username: string },
): Promise<ActivityEntry[]> {
  const before = former ?? NOTHING;
  const granted = (what: string) => `Granted ${user.username} access to ${what}`;
  const taken = (what: string) => `Took from ${user.username} access to ${what}`;

  const clients = [namedOneByOne(before), namedOneByOne(user)] as const;
  const [lostClients, newClients] = [without(clients[0], clients[1]), without(clients[1], clients[0])];
  const types = [before.reportTypeIds, user.reportTypeIds] as const;
  const [lostTypes, newTypes] = [without(types[0], types[1]), without(types[1], types[0])];

  const clientName = await clientNames(scope, [...lostClients, ...newClients]);
  const typeName = await reportTypeNames(scope, [...lostTypes, ...newTypes]);
  const ofClients = (ids: readonly number[], words: typeof granted) =>
    ids.flatMap((id) => {
      const name = clientName.get(id);
      return name === undefined ? [] : [update(words(`client: ${name}`), { id, name })];
    });
  const ofTypes = (ids: readonly number[], words: typeof granted) =>
    ids.flatMap((id) => {
      const name = typeName.get(id);
      return name === undefined ? [] : [update(words(`report type: ${name}`))];
    });
  const ofAll = (words: typeof granted) => [update(words('all clients, also later ones'))];
  return [
    ...(before.allClients && !user.allClients ? ofAll(taken) : []),
    // What goes over into all clients is not taken.
    ...(user.allClients ? [] : ofClients(lostClients, taken)),
    ...ofTypes(lostTypes, taken),
    ...(user.allClients && !before.allClients ? ofAll(granted) : []),
    ...ofClients(newClients, granted),
    ...ofTypes(newTypes, granted),
  ];
}
