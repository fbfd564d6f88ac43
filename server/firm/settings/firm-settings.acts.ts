// What the firm decides for everybody: changed with an entry in the log for each thing that changes.

import { faceDetails, fourEyesDetails, supportEmailDetails } from '#contract/activity-words.ts';
import { refuseFields } from '#contract/errors.ts';
import type { FirmSettings, FirmSettingsInput } from '#contract/firm-settings.ts';
import { record } from '../../audit/record.ts';
import type { Config } from '../../config.ts';
import { type FirmFace, readFirmSettings } from '../../people/access/firm-settings.ts';
import type { Principal } from '../../people/access/principal.ts';
import { changedNow, type ExpectedVersions, requireVersion } from '../../people/access/versions.ts';
import type { Now } from '../../platform/clock.ts';
import { lastChangeOfFirm, saveFirmSettings } from './firm-settings.repo.ts';
import { redrawLogo } from './logo.ts';

const FIXED = 'The server is set up with FOUR_EYES=on, so it stays on';

/** What `input` leaves out stays. Refuses `changed_meanwhile`. */
export async function changeFirmSettings(
  principal: Principal,
  { input, expected }: { readonly input: FirmSettingsInput; readonly expected: ExpectedVersions },
  { config, now, face }: Now & { readonly config: Config; readonly face: FirmFace },
): Promise<FirmSettings> {
  const { logo: sent } = input;
  // Drawn before the transaction, which waits for nothing.
  const logo = typeof sent === 'string' ? await redrawLogo(sent) : sent;
  const after = await principal.change('firm-settings.update', async (scope) => {
    const proof = scope.authorize('firm-settings.update');
    await scope.serialize('firm-settings');
    const before = await readFirmSettings(scope, config);
    await requireVersion(scope, expected, before, () => lastChangeOfFirm(scope), now());
    const { fourEyes = before.fourEyes, supportEmail = before.supportEmail, name = before.name } = input;
    const { accent = before.accent, address = before.address } = input;
    const { phone = before.phone, welcome = before.welcome } = input;
    if (before.fourEyesFixed && !fourEyes) throw refuseFields({ fourEyes: FIXED });
    const ofFourEyes = fourEyes === before.fourEyes ? [] : [fourEyesDetails(fourEyes)];
    const ofFace = detailsOf(before, { supportEmail, name, accent, address, phone, welcome }, logo);
    const details = [...ofFourEyes, ...ofFace];
    if (details.length === 0) return before;
    await saveFirmSettings(scope, proof, {
      // What only the server decides is not written down as the firm's word.
      ...(fourEyes === before.fourEyes ? {} : { four_eyes: fourEyes ? (1 as const) : (0 as const) }),
      ...(logo === undefined
        ? {}
        : {
            logo_id: logo?.id ?? null,
            logo_width: logo?.width ?? null,
            logo_height: logo?.height ?? null,
            logo: logo?.png.toString('base64') ?? null,
          }),
      support_email: supportEmail,
      name,
      accent,
      address,
      phone,
      welcome,
      ...(ofFace.length === 0 ? {} : changedNow(scope, now())),
    });
    for (const words of details) await record(scope, proof, { action: 'update', details: words }, now());
    return readFirmSettings(scope, config);
  });
  face.forget();
  return after;
}

type Words = Pick<FirmSettings, 'supportEmail' | 'name' | 'accent' | 'address' | 'phone' | 'welcome'>;

/** What the log says, a sentence for each thing that changes of what the firm shows of itself. */
function detailsOf(
  before: FirmSettings,
  after: Words,
  logo: { readonly id: string } | null | undefined,
): readonly string[] {
  const changed = (key: keyof Words) => before[key] !== after[key];
  return [
    ...(changed('supportEmail') ? [supportEmailDetails(after.supportEmail)] : []),
    ...(changed('name') ? [faceDetails.name(after.name)] : []),
    ...(logo === undefined || logo?.id === before.logo?.id ? [] : [faceDetails.logo(logo !== null)]),
    ...(changed('accent') ? [faceDetails.accent(after.accent)] : []),
    ...(changed('address') ? [faceDetails.address(after.address)] : []),
    ...(changed('phone') ? [faceDetails.phone(after.phone)] : []),
    ...(changed('welcome') ? [faceDetails.welcome(after.welcome)] : []),
  ];
}
