// Background jobs, the state of the portal, and its own description.
import { z } from 'zod';
import { addressOf, type EndpointName } from '../addresses.ts';
import { JobQuery, JobRow } from '../jobs.ts';
import { SystemFacts } from '../system.ts';
import { byId, type Endpoint, list, noQuery, openValue, value } from './endpoint.ts';

export const systemEndpoints = {
  'jobs.list': {
    ...addressOf('jobs.list'),
    action: 'jobs.read',
    summary: 'Work in the background, newest first; without a limit the newest 1,000',
    query: JobQuery,
    ...list(JobRow),
    errors: ['forbidden'],
  },
  'jobs.retry': {
    ...addressOf('jobs.retry'),
    action: 'jobs.manage',
    summary: 'Run a job again that failed or was canceled',
    params: byId,
    ...value(JobRow),
    errors: ['forbidden', 'not_found', 'job_not_ended'],
  },
  'jobs.cancel': {
    ...addressOf('jobs.cancel'),
    action: 'jobs.manage',
    summary: 'Cancel a job that waits, or ask one that runs to stop',
    params: byId,
    ...value(JobRow),
    errors: ['forbidden', 'not_found', 'job_ended'],
  },
  'system.facts': {
    ...addressOf('system.facts'),
    action: 'system.read',
    summary: 'How the portal itself fares, and what is wrong with it',
    query: noQuery,
    ...openValue(SystemFacts),
    errors: ['forbidden'],
  },
  'docs.openapi': {
    ...addressOf('docs.openapi'),
    action: 'api.describe',
    summary: 'This API as an OpenAPI 3.1 document',
    ...openValue(z.unknown()),
    errors: [],
  },
  'docs.page': {
    ...addressOf('docs.page'),
    action: 'api.describe',
    summary: 'This API as a page to read',
    answer: 'html',
    status: 200,
    holdsNoSecret: true,
    errors: [],
  },
} as const satisfies Partial<Record<EndpointName, Endpoint>>;
