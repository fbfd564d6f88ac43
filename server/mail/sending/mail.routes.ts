// The portal's own mail over HTTP: how it is set up and fares, tried again, tested.

import type { Handlers } from '../../api/route.ts';
import type { Config } from '../../config.ts';
import type { FirmFace } from '../../people/access/firm-settings.ts';
import type { Now } from '../../platform/clock.ts';
import type { Outbox } from '../outbox.ts';
import { retryAllMails, retryMail, sendTestMail } from './mail.acts.ts';
import { countFailing, listMails } from './mail.repo.ts';

export function mailRoutes(
  services: Now & { readonly config: Config; readonly outbox: Outbox; readonly face: FirmFace },
): Handlers<'mail'> {
  const { config, now, face } = services;
  const { mail } = config;
  const setUp = async () =>
    mail && {
      server: `${mail.server.host}:${mail.server.port}`,
      from: `${mail.from.name || (await face.get()).name} <${mail.from.address}>`,
    };
  return {
    'mail.facts': async ({ read }) => {
      read.authorize('mail.read');
      return { setUp: await setUp(), failing: mail === null ? 0 : await countFailing(read, now()) };
    },

    'mail.list': ({ read, input }) => {
      read.authorize('mail.read');
      return listMails(read, input.query, now());
    },

    'mail.retry': ({ principal, input }) => retryMail(principal, input.params.id, services),

    'mail.retry-all': ({ principal }) => retryAllMails(principal, services),

    'mail.test': ({ principal, input }) => sendTestMail(principal, input.body.to, services),
  };
}
