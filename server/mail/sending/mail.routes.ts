// The portal's own mail over HTTP: how it is set up and fares, tried again, tested.

import { refuse } from '#contract/errors.ts';
import type { Handlers } from '../../api/route.ts';
import { record } from '../../audit/record.ts';
import type { Config } from '../../config.ts';
import type { FirmFace } from '../../people/access/firm-settings.ts';
import type { Now } from '../../platform/clock.ts';
import { testMail } from '../kinds/test-mail.ts';
import type { Outbox } from '../outbox.ts';
import { countFailing, listMails, loadMail, retry } from './mail.repo.ts';

export function mailRoutes({
  config,
  now,
  outbox,
  face,
}: Now & { readonly config: Config; readonly outbox: Outbox; readonly face: FirmFace }): Handlers<'mail'> {
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
      return listMails(read, input.query);
    },

    'mail.retry': ({ input, change }) =>
      change(async (scope) => {
        const proof = scope.authorize('mail.manage');
        const at = now();
        const row = await retry(scope, proof, input.params.id, at);
        await record(scope, proof, { action: 'update', details: `Had a mail tried again: ${row.title}` }, at);
        return row;
      }),

    'mail.test': ({ input, change }) =>
      change(async (scope) => {
        const proof = scope.authorize('mail.manage');
        const at = now();
        const { id: userId, fullName } = scope.viewer;
        const { to: address } = input.body;
        const id = await outbox.write(
          scope.unscoped(proof),
          testMail,
          { to: { name: '', address }, userId, facts: { orderedBy: fullName } },
          at,
        );
        if (id === null) throw refuse('mail_off');
        await record(scope, proof, { action: 'update', details: `Sent a test mail to ${address}` }, at);
        return loadMail(scope, id);
      }),
  };
}
