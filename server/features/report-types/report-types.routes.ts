// Report types over HTTP.
import { refuse } from '#contract/errors.ts';
import { record } from '../../audit/record.ts';
import { recordAccessChanged } from '../../audit/security-events.ts';
import { originOf } from '../../http/origin.ts';
import type { Handlers } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { findReportType, insertReportType, listReportTypes, removeReportType } from './report-types.repo.ts';

export function reportTypeRoutes({ now }: Services): Handlers<'report-types'> {
  return {
    'report-types.list': ({ read, input }) => listReportTypes(read, input.query),

    'report-types.create': ({ input, change }) =>
      change(async (scope) => {
        const proof = scope.authorize('report-types.create');
        const type = await insertReportType(scope, proof, input.body, now());
        await record(scope, proof, { action: 'update', details: `Created report type: ${type.name}` }, now());
        return type;
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
