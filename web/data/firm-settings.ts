// What the firm has decided for everybody.
import { queryOptions, useMutation } from '@tanstack/react-query';
import { shadesOf } from '#contract/accent.ts';
import type { FirmSettingsInput } from '#contract/firm-settings.ts';
import { call } from '#web/lib/api.ts';
import { rememberFirm } from '#web/lib/product.ts';
import { refresh } from './query-client.ts';

/** Somebody else may have changed it since: loaded at every visit. */
export function firmSettingsQuery() {
  return queryOptions({
    queryKey: ['firm-settings'],
    queryFn: ({ signal }) => call('firm-settings.get', {}, { signal }),
    refetchOnMount: 'always',
  });
}

export function useUpdateFirmSettings() {
  return useMutation({
    mutationFn: ({ ifMatch, ...body }: FirmSettingsInput & { ifMatch?: string }) =>
      call('firm-settings.update', { body }, { ifMatch }),
    onSuccess: (settings) => rememberFirm(settings, settings.accent === '' ? null : shadesOf(settings.accent)),
    onSettled: () => refresh('firm-settings', 'activity'),
  });
}
