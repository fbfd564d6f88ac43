// What the firm has decided for everybody.
import { queryOptions } from '@tanstack/react-query';
import { shadesOf } from '#contract/accent.ts';
import type { FirmSettings, FirmSettingsInput } from '#contract/firm-settings.ts';
import { call } from '#web/lib/api.ts';
import { logoAddress, rememberFirm, type ShownLogo } from '#web/lib/product.ts';
import { useMutation } from './mutation.ts';
import { refresh } from './query-client.ts';

/** Somebody else may have changed it since: loaded at every visit. */
export function firmSettingsQuery() {
  return queryOptions({
    queryKey: ['firm-settings'],
    queryFn: ({ signal }) => call('firm-settings.get', {}, { signal }),
    refetchOnMount: 'always',
  });
}

/** As the server would show it from now on. */
function showFirm(settings: FirmSettings): void {
  const { name, nameOfServer, accent, address, phone, welcome, logo } = settings;
  rememberFirm(
    {
      name: name || nameOfServer,
      shades: accent === '' ? null : shadesOf(accent),
      address,
      phone,
      welcome,
      logo: shownLogo(logo),
    },
    settings.supportEmail || (settings.supportEmailOfServer ?? ''),
  );
}

export function shownLogo(logo: FirmSettings['logo']): ShownLogo | null {
  return logo && { src: logoAddress(logo.id), width: logo.width, height: logo.height };
}

export function useUpdateFirmSettings() {
  return useMutation({
    mutationFn: ({ ifMatch, ...body }: FirmSettingsInput & { ifMatch?: string }) =>
      call('firm-settings.update', { body }, { ifMatch }),
    onSuccess: showFirm,
    onSettled: () => refresh('firm-settings', 'activity'),
  });
}
