// What the firm has decided for everybody, over HTTP.
import { fourEyesDetails, supportEmailDetails } from '#contract/activity-words.ts';
import { refuseFields } from '#contract/errors.ts';
import { readFirmSettings } from '../../access/firm-settings.ts';
import { record } from '../../audit/record.ts';
import type { Handlers } from '../../http/route.ts';
import type { Services } from '../../services.ts';

const FIXED = 'The server is set up with FOUR_EYES=on, so it stays on';

export function firmSettingsRoutes({ config, now, support }: Services): Handlers<'firm-settings'> {
  return {
    'firm-settings.get': ({ read }) => readFirmSettings(read, config),

    'firm-settings.update': async ({ input, change }) => {
      const after = await change(async (scope) => {
        const proof = scope.authorize('firm-settings.update');
        await scope.serialize('firm-settings');
        const before = await readFirmSettings(scope, config);
        const { fourEyes = before.fourEyes, supportEmail = before.supportEmail } = input.body;
        if (before.fourEyesFixed && !fourEyes) throw refuseFields({ fourEyes: FIXED });
        const details = [
          ...(fourEyes === before.fourEyes ? [] : [fourEyesDetails(fourEyes)]),
          ...(supportEmail === before.supportEmail ? [] : [supportEmailDetails(supportEmail)]),
        ];
        if (details.length === 0) return before;
        const decided = {
          // What only the server decides is not written down as the firm's word.
          ...(fourEyes === before.fourEyes ? {} : { four_eyes: fourEyes ? (1 as const) : (0 as const) }),
          support_email: supportEmail,
        };
        await scope
          .unscoped(proof)
          .insertInto('firm_settings')
          .values({ id: 1, four_eyes: 0, ...decided })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(decided))
          .execute();
        for (const words of details) await record(scope, proof, { action: 'update', details: words }, now());
        return readFirmSettings(scope, config);
      });
      support.forget();
      return after;
    },
  };
}
