// What the firm has decided for everybody, as it holds now: by its own switch, or because the server is set up so.
import type { FirmSettings } from '#contract/firm-settings.ts';
import type { Config } from '../config.ts';
import type { ReadScope } from './scope.ts';

export async function readFirmSettings(scope: ReadScope, config: Pick<Config, 'fourEyes'>): Promise<FirmSettings> {
  const row = await scope.firmSettings().select('four_eyes').executeTakeFirst();
  return { fourEyes: config.fourEyes || row?.four_eyes === 1, fourEyesFixed: config.fourEyes };
}
