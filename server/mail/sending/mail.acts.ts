// What is done about the portal's own mail: tried again, tested.

import { refuse } from '#contract/errors.ts';
import type { MailRow, MailsRetried } from '#contract/mail.ts';
import { record } from '../../audit/record.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { Now } from '../../platform/clock.ts';
import { testMail } from '../kinds/test-mail.ts';
import type { Outbox } from '../outbox.ts';
import { loadMail, retry, retryAll } from './mail.repo.ts';

/** Has a mail tried again that failed or waits for another try. */
export function retryMail(principal: Principal, id: number, { now }: Now): Promise<MailRow> {
  return principal.change('mail.manage', async (scope) => {
    const proof = scope.authorize('mail.manage');
    const at = now();
    const row = await retry(scope, proof, id, at);
    await record(scope, proof, { action: 'update', details: `Had a mail tried again: ${row.title}` }, at);
    return row;
  });
}

/** Has all mails tried again that failed lately or wait for another try: where the mail server was away, one press is for all. */
export function retryAllMails(principal: Principal, { now }: Now): Promise<MailsRetried> {
  return principal.change('mail.manage', async (scope) => {
    const proof = scope.authorize('mail.manage');
    const at = now();
    const mails = await retryAll(scope, proof, at);
    if (mails > 0) await record(scope, proof, { action: 'update', details: `Had mails tried again: ${mails}` }, at);
    return { mails };
  });
}

/** Refuses `mail_off` where there is no mail. */
export function sendTestMail(
  principal: Principal,
  address: string,
  { now, outbox }: Now & { readonly outbox: Outbox },
): Promise<MailRow> {
  return principal.change('mail.manage', async (scope) => {
    const proof = scope.authorize('mail.manage');
    const at = now();
    const { id: userId, fullName } = scope.viewer;
    const id = await outbox.write(
      scope.unscoped(proof),
      testMail,
      { to: { name: '', address }, userId, facts: { orderedBy: fullName } },
      at,
    );
    if (id === null) throw refuse('mail_off');
    await record(scope, proof, { action: 'update', details: `Sent a test mail to ${address}` }, at);
    return loadMail(scope, id);
  });
}
