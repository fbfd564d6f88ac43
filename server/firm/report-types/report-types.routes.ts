// Report types over HTTP.

import { createdDetails, phrasesDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import type { ReportTypeInput } from '#contract/report-types.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import { record } from '../../audit/record.ts';
import { recordAccessChanged } from '../../audit/security-events.ts';
import { savePhrases } from '../../batches/report-type-phrases.ts';
import { importRows } from '../../people/access/import-rows.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import type { Now } from '../../platform/clock.ts';
import {
  findReportType,
  insertReportType,
  listReportTypes,
  removeReportType,
  reportTypeJudge,
} from './report-types.repo.ts';

export function reportTypeRoutes({ now }: Now): Handlers<'report-types'> {
  const create = async (scope: WriteScope, proof: Proof<'report-types.create'>, input: ReportTypeInput, at: number) => {
    const type = await insertReportType(scope, proof, input, at);
    await record(scope, proof, { action: 'update', details: createdDetails('report type', type.name) }, at);
    return type;
  };

  return {
    'report-types.list': ({ read, input }) => listReportTypes(read, input.query),

    'report-types.create': ({ input, change }) =>
      change((scope) => create(scope, scope.authorize('report-types.create'), input.body, now())),

    'report-types.import': ({ input, change }) =>
      change((scope) => {
        const proof = scope.authorize('report-types.create');
        const judge = reportTypeJudge(scope, proof);
        return importRows(input.body, now(), { judge, create: (row, at) => create(scope, proof, row, at) });
      }),

    'report-types.save-phrases': ({ input, change }) =>
      change(async (scope) => {
        const { id } = input.params;
        const type = await findReportType(scope, id);
        if (type === null) throw refuse('not_found');
        const proof = scope.authorize('report-types.update');
        const saved = await savePhrases(scope, proof, id, input.body.phrases, now());
        if (saved.added.length + saved.removed.length > 0) {
          await record(scope, proof, { action: 'update', details: phrasesDetails(type.name, saved) }, now());
        }
        const after = await findReportType(scope, id);
        if (after === null) throw refuse('gone_meanwhile');
        return after;
      }),

    'report-types.delete': ({ input, change, request }) =>
      change(async (scope) => {
        const type = await findReportType(scope, input.params.id);
        if (type === null) throw refuse('not_found');
        const proof = scope.authorize('report-types.delete');
        const event = { origin: originOf(request), detail: `deletion of report type ${type.name}` };
        await recordAccessChanged(scope, proof, { reportTypeId: type.id }, event, now());
        await removeReportType(scope, proof, type.id);
        await record(scope, proof, { action: 'delete', details: `Deleted report type: ${type.name}` }, now());
      }),
  };
}
