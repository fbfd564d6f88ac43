// All clients of the firm as recognition knows them, whoever reaches them: what becomes of that is the caller's to judge.
import type { Database } from '../db/database.ts';
import type { KnownClient } from './recognition/proposal.ts';

export async function readKnownClients({ reader }: Pick<Database, 'reader'>): Promise<KnownClient[]> {
  const rows = await reader
    .selectFrom('clients')
    .select(['id', 'name', 'federal_id as federalId', 'state_id as stateId', 'other_names as otherNames'])
    .execute();
  return rows.map(({ id, name, federalId, stateId, otherNames }) => ({
    id,
    names: [name, ...(JSON.parse(otherNames) as string[])],
    federalId,
    stateId,
  }));
}
