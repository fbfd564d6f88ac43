// What the firm has decided for everybody, over HTTP.
import { fourEyesDetails } from '#contract/activity-words.ts';
import { refuseFields } from '#contract/errors.ts';
import { readFirmSettings } from '../../access/firm-settings.ts';
import { record } from '../../audit/record.ts';
import type { Handlers } from '../../http/route.ts';
import type { Services } from '../../services.ts';

const FIXED = 'The server is set up with FOUR_EYES=on, so it stays on';

export function firmSettingsRoutes({ config, now }: Services): Handlers<'firm-settings'> {
  return {
    'firm-settings.get': ({ read }) => readFirmSettings(read, config),

    'firm-settings.update': ({ input, change }) =>
      change(async (scope) => {
        const proof = scope.authorize('firm-settings.update');
        const { fourEyes } = input.body;
        await scope.serialize('firm-settings');
        const before = await readFirmSettings(scope, config);
        if (before.fourEyesFixed && !fourEyes) throw refuseFields({ fourEyes: FIXED });
        if (before.fourEyes !== fourEyes) {
          const four_eyes = fourEyes ? 1 : 0;
          await scope
            .unscoped(proof)
            .insertInto('firm_settings')
            .values({ id: 1, four_eyes })
            .onConflict((conflict) => conflict.column('id').doUpdateSet({ four_eyes }))
            .execute();
          await record(scope, proof, { action: 'update', details: fourEyesDetails(fourEyes) }, now());
        }
        return readFirmSettings(scope, config);
      }),
  };
}
