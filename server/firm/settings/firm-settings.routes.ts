// What the firm has decided for everybody, over HTTP.

import { expectedVersions } from '../../api/if-match.ts';
import type { Handlers } from '../../api/route.ts';
import type { Config } from '../../config.ts';
import { type FirmFace, readFirmSettings } from '../../people/access/firm-settings.ts';
import type { Now } from '../../platform/clock.ts';
import { changeFirmSettings } from './firm-settings.acts.ts';

export function firmSettingsRoutes(
  services: Now & { readonly config: Config; readonly face: FirmFace },
): Handlers<'firm-settings'> {
  return {
    'firm-settings.get': ({ read }) => readFirmSettings(read, services.config),

    'firm-settings.update': ({ principal, input, request }) =>
      changeFirmSettings(principal, { input: input.body, expected: expectedVersions(request) }, services),
  };
}
