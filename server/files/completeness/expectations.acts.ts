// What is expected of clients is changed: each client with its entry in the log.

import { isDeepStrictEqual } from 'node:util';
import type { ExpectationsInput, ExpectationsOfClient, ManyExpectations, ManySaved } from '#contract/completeness.ts';
import { counted } from '#contract/plain-words.ts';
import { record } from '../../audit/record.ts';
import type { Principal } from '../../people/access/principal.ts';
import { type ExpectedVersions, requireVersion } from '../../people/access/versions.ts';
import type { Now } from '../../platform/clock.ts';
import {
  besideExpected,
  findClients,
  listExpectations,
  type NamedClient,
  replaceExpectations,
  writeExpectations,
} from './expectations.repo.ts';

const savedDetails = ({ name }: NamedClient, n: number) =>
  `Updated what is expected of client: ${name} (${counted(n, 'report type')})`;

/** Adds to what is expected, of many clients at once. */
export function addExpectations(
  principal: Principal,
  { expectations, skipExisting = false }: ManyExpectations,
  { now }: Now,
): Promise<ManySaved> {
  return principal.change('completeness.manage', async (scope) => {
    const proof = scope.authorize('completeness.manage');
    await scope.serialize('expectations');
    const clients = await findClients(scope, [...new Set(expectations.map(({ clientId }) => clientId))]);
    const { added, changed } = await besideExpected(scope, expectations);
    const written = skipExisting ? added : [...added, ...changed];
    await writeExpectations(scope, proof, written);
    const byClient = Map.groupBy(written, ({ clientId }) => clientId);
    for (const client of clients) {
      const n = byClient.get(client.id)?.length ?? 0;
      if (n === 0) continue;
      await record(scope, proof, { action: 'update', details: savedDetails(client, n), client }, now());
    }
    const skipped = new Set(skipExisting ? changed : []);
    const saved = expectations.filter((one) => !skipped.has(one));
    return { saved: saved.length, clients: new Set(saved.map(({ clientId }) => clientId)).size };
  });
}

/** Says all that is expected of one client. Refuses `changed_meanwhile`. */
export function replaceExpectationsOf(
  principal: Principal,
  { clientId, expectations, expected }: ExpectationsInput & { clientId: number; expected: ExpectedVersions },
  { now }: Now,
): Promise<ExpectationsOfClient> {
  return principal.change('completeness.manage', async (scope) => {
    const proof = scope.authorize('completeness.manage');
    const [client] = await findClients(scope, [clientId]);
    // Of two who save at once, the second one reads what the first one saved.
    await scope.serialize('expectations');
    const before = await listExpectations(scope, clientId);
    // The rows do not say who changed them.
    await requireVersion(scope, expected, before, async () => undefined, now());
    await replaceExpectations(scope, proof, clientId, expectations);
    const after = await listExpectations(scope, clientId);
    if (client !== undefined && !isDeepStrictEqual(after, before)) {
      const details = savedDetails(client, expectations.length);
      await record(scope, proof, { action: 'update', details, client }, now());
    }
    return after;
  });
}
