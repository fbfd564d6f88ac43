// How many years files are kept: by report type, and for what has none.
import { retentionDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import type { RetentionRuleInput, RetentionRules } from '#contract/retention.ts';
import { record } from '../../audit/record.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import { type ExpectedVersions, requireVersion, versionOf } from '../../people/access/versions.ts';

/** Of the years alone: another name of the type is no other word about them. */
const versionOfYears = (years: number | null) => versionOf(null, [years ?? '']);

export async function readRules(scope: ReadScope): Promise<RetentionRules> {
  const firm = await scope.firmSettings().select('untyped_retention_years').executeTakeFirst();
  const types = await scope
    .reportTypes()
    .select(['report_types.id as id', 'report_types.name as name', 'report_types.retention_years as years'])
    .orderBy('report_types.search_name')
    .execute();
  const untypedYears = firm?.untyped_retention_years ?? null;
  return {
    untypedYears,
    untypedVersion: versionOfYears(untypedYears),
    types: types.map((type) => ({ ...type, version: versionOfYears(type.years) })),
  };
}

/** Says how long files of a report type are kept, or those without one; the log has both numbers. Refuses `not_found` and `changed_meanwhile`. */
export async function saveRule(
  scope: WriteScope,
  proof: Proof<'retention.manage'>,
  { reportTypeId, years, expected }: RetentionRuleInput & { readonly expected: ExpectedVersions },
  at: number,
): Promise<RetentionRules> {
  await scope.serialize('firm-settings');
  const { untypedYears, untypedVersion, types } = await readRules(scope);
  const tx = scope.unscoped(proof);
  const rule =
    reportTypeId === null
      ? { name: null, years: untypedYears, version: untypedVersion }
      : types.find(({ id }) => id === reportTypeId);
  if (rule === undefined) throw refuse('not_found');
  if (rule.years !== years) {
    // The rows do not say who changed this.
    await requireVersion(scope, expected, rule, async () => undefined, at);
    if (reportTypeId === null) {
      const decided = { untyped_retention_years: years };
      await tx
        .insertInto('firm_settings')
        .values({ id: 1, four_eyes: 0, ...decided })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(decided))
        .execute();
    } else {
      await tx.updateTable('report_types').set({ retention_years: years }).where('id', '=', reportTypeId).execute();
    }
    await record(scope, proof, { action: 'update', details: retentionDetails(rule.name, rule.years, years) }, at);
  }
  return readRules(scope);
}
