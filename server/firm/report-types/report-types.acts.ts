// What is done to report types: each with its entry in the log.

import { createdDetails, phrasesDetails } from '#contract/activity-words.ts';
import type { Received } from '#contract/api.ts';
import { refuse } from '#contract/errors.ts';
import type { ImportResult } from '#contract/imports.ts';
import type { Proof } from '#contract/policy.ts';
import type { ReportTypeInput, ReportTypeRow } from '#contract/report-types.ts';
import { record } from '../../audit/record.ts';
import { type Origin, recordAccessChanged } from '../../audit/security-events.ts';
import { savePhrases } from '../../batches/report-type-phrases.ts';
import { importRows } from '../../people/access/import-rows.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import { type ExpectedVersions, requireVersion } from '../../people/access/versions.ts';
import type { Now } from '../../platform/clock.ts';
import {
  findReportType,
  insertReportType,
  lastChangeOfReportType,
  removeReportType,
  renameReportType,
  reportTypeJudge,
} from './report-types.repo.ts';

async function createWithin(
  scope: WriteScope,
  proof: Proof<'report-types.create'>,
  input: ReportTypeInput,
  at: number,
) {
  const type = await insertReportType(scope, proof, input, at);
  await record(scope, proof, { action: 'update', details: createdDetails('report type', type.name) }, at);
  return type;
}

export function createReportType(
  principal: Principal,
  input: ReportTypeInput,
  { now }: Now,
): ReturnType<typeof createWithin> {
  return principal.change('report-types.create', (scope) =>
    createWithin(scope, scope.authorize('report-types.create'), input, now()),
  );
}

/** Adds the report types of a list as the form does: all of them, or none. */
export function importReportTypes(
  principal: Principal,
  input: Received<'report-types.import'>['body'],
  { now }: Now,
): Promise<ImportResult> {
  return principal.change('report-types.create', async (scope) => {
    const proof = scope.authorize('report-types.create');
    // Of two who import one list at once, the second one finds all that the first one has made.
    await scope.serialize('names');
    const judge = reportTypeJudge(scope, proof);
    return importRows(input, now(), { judge, create: (row, at) => createWithin(scope, proof, row, at) });
  });
}

/** Gives a report type another name; what is filed under it stays there. Refuses `changed_meanwhile`. */
export function changeReportType(
  principal: Principal,
  {
    id,
    input,
    expected,
  }: { readonly id: number; readonly input: ReportTypeInput; readonly expected: ExpectedVersions },
  { now }: Now,
): Promise<ReportTypeRow> {
  return principal.change('report-types.update', async (scope) => {
    // Of two who save at once, the second one reads what the first one saved.
    await scope.serialize('names');
    const former = await findReportType(scope, id);
    if (former === null) throw refuse('not_found');
    const proof = scope.authorize('report-types.update');
    await requireVersion(scope, expected, former, () => lastChangeOfReportType(scope, id), now());
    if (former.name === input.name) return former;
    const type = await renameReportType(scope, proof, id, input, now());
    const details = `Renamed report type: ${former.name} to ${type.name}`;
    await record(scope, proof, { action: 'update', details }, now());
    return type;
  });
}

/** Says by which phrases recognition knows a report type. Refuses `changed_meanwhile`. */
export function changePhrases(
  principal: Principal,
  {
    id,
    phrases,
    expected,
  }: {
    readonly id: number;
    readonly phrases: Parameters<typeof savePhrases>[3];
    readonly expected: ExpectedVersions;
  },
  { now }: Now,
): Promise<ReportTypeRow> {
  return principal.change('report-types.update', async (scope) => {
    await scope.serialize('names');
    const type = await findReportType(scope, id);
    if (type === null) throw refuse('not_found');
    const proof = scope.authorize('report-types.update');
    await requireVersion(scope, expected, type, () => lastChangeOfReportType(scope, id), now());
    const saved = await savePhrases(scope, proof, id, phrases, now());
    if (saved.added.length + saved.removed.length > 0) {
      await record(scope, proof, { action: 'update', details: phrasesDetails(type.name, saved) }, now());
    }
    const after = await findReportType(scope, id);
    if (after === null) throw refuse('gone_meanwhile');
    return after;
  });
}

export function deleteReportType(principal: Principal, id: number, origin: Origin, { now }: Now): Promise<void> {
  return principal.change('report-types.delete', async (scope) => {
    const type = await findReportType(scope, id);
    if (type === null) throw refuse('not_found');
    const proof = scope.authorize('report-types.delete');
    const event = { origin, detail: `deletion of report type ${type.name}` };
    await recordAccessChanged(scope, proof, { reportTypeId: type.id }, event, now());
    await removeReportType(scope, proof, type.id);
    await record(scope, proof, { action: 'delete', details: `Deleted report type: ${type.name}` }, now());
  });
}
