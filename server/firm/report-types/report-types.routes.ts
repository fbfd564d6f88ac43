// Report types over HTTP.

import { expectedVersions } from '../../api/if-match.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import type { Now } from '../../platform/clock.ts';
import {
  changePhrases,
  changeReportType,
  createReportType,
  deleteReportType,
  importReportTypes,
} from './report-types.acts.ts';
import { listReportTypes } from './report-types.repo.ts';

export function reportTypeRoutes(services: Now): Handlers<'report-types'> {
  return {
    'report-types.list': ({ read, input }) => listReportTypes(read, input.query),

    'report-types.create': ({ principal, input }) => createReportType(principal, input.body, services),

    'report-types.import': ({ principal, input }) => importReportTypes(principal, input.body, services),

    'report-types.update': ({ principal, input, request }) =>
      changeReportType(
        principal,
        { id: input.params.id, input: input.body, expected: expectedVersions(request) },
        services,
      ),

    'report-types.save-phrases': ({ principal, input, request }) =>
      changePhrases(
        principal,
        { id: input.params.id, phrases: input.body.phrases, expected: expectedVersions(request) },
        services,
      ),

    'report-types.delete': ({ principal, input, request }) =>
      deleteReportType(principal, input.params.id, originOf(request), services),
  };
}
