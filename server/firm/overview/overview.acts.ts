// What is done on the Admin's home: the first steps are put away, or shown again.

import { firstStepsDetails } from '#contract/activity-words.ts';
import { record } from '../../audit/record.ts';
import type { Config } from '../../config.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { Now } from '../../platform/clock.ts';
import { readFirstSteps, writeDismissal } from './overview.repo.ts';

export function dismissFirstSteps(
  principal: Principal,
  dismissed: boolean,
  { config, now }: Now & { readonly config: Config },
): ReturnType<typeof readFirstSteps> {
  return principal.change('first-steps.dismiss', async (scope) => {
    const proof = scope.authorize('first-steps.dismiss');
    await scope.serialize('firm-settings');
    if (await writeDismissal(scope, proof, dismissed)) {
      await record(scope, proof, { action: 'update', details: firstStepsDetails(dismissed) }, now());
    }
    return readFirstSteps(scope, config);
  });
}
