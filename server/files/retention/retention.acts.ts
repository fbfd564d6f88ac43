// What is done about the years that files are kept: rules, disposals, and certificates that are taken along.

import { disposalCertificateDetails } from '#contract/activity-words.ts';
import type { Proof } from '#contract/policy.ts';
import type { DisposalOrder, DisposalRest, RetentionRuleInput } from '#contract/retention.ts';
import { record } from '../../audit/record.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { ExpectedVersions } from '../../people/access/versions.ts';
import type { Now } from '../../platform/clock.ts';
import type { JobOrders } from '../../platform/jobs/kinds.ts';
import type { FileJobs } from '../jobs.ts';
import { decideRest, findOrdered, orderDisposal } from './retention.repo.ts';
import { saveRule } from './rules.repo.ts';

type Ordering = Now & { readonly jobs: JobOrders<FileJobs> };

/** Refuses `changed_meanwhile`. */
export function changeRetentionRule(
  principal: Principal,
  input: RetentionRuleInput & { readonly expected: ExpectedVersions },
  { now }: Now,
): ReturnType<typeof saveRule> {
  return principal.change('retention.manage', (scope) =>
    saveRule(scope, scope.authorize('retention.manage'), input, now()),
  );
}

/** Orders that files which are due are disposed of. Refuses `gone_meanwhile` where they are not as many as `expected`. */
export async function disposeFiles(
  principal: Principal,
  order: DisposalOrder,
  ordering: Ordering,
): Promise<Awaited<ReturnType<typeof orderDisposal>>> {
  const read = await principal.read();
  read.authorize('retention.manage');
  const ids = await findOrdered(read, order, ordering.now());
  const { expected } = order;
  return principal.change('retention.manage', (scope) =>
    orderDisposal(scope, scope.authorize('retention.manage'), { ids, expected }, ordering),
  );
}

/** Says what becomes of the files that a disposal which has stopped did not come to. */
export function decideDisposal(
  principal: Principal,
  rest: { readonly id: number } & DisposalRest,
  ordering: Ordering,
): ReturnType<typeof decideRest> {
  return principal.change('retention.manage', (scope) =>
    decideRest(scope, scope.authorize('retention.manage'), rest, ordering),
  );
}

/** Enters that a certificate of disposal is taken along: before its first byte leaves. */
export function noteCertificateTaken(principal: Principal, id: number, { now }: Now): Promise<void> {
  return principal.change('retention.read', (scope) => {
    const proof: Proof = scope.authorize('retention.read');
    return record(scope, proof, { action: 'download', details: disposalCertificateDetails(id) }, now());
  });
}
