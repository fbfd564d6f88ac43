// All clients and report types of the firm as recognition knows them, whoever reaches them: what becomes of that is the caller's to judge.
import type { Database } from '../platform/db/database.ts';
import type { KnownClient, KnownReportType } from './recognition/proposal.ts';

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

export async function readKnownReportTypes({ reader }: Pick<Database, 'reader'>): Promise<KnownReportType[]> {
  const types = await reader.selectFrom('report_types').select(['id', 'name']).orderBy('id').execute();
  const phrases = await reader
    .selectFrom('report_type_phrases')
    .select(['report_type_id as typeId', 'phrase'])
    .orderBy('id')
    .execute();
  const byType = Map.groupBy(phrases, ({ typeId }) => typeId);
  return types.map((type) => ({ ...type, phrases: (byType.get(type.id) ?? []).map(({ phrase }) => phrase) }));
}
