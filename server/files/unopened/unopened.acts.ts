// The press that reminds a client's people of what none of them has opened.

import { remindedDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { Reminded, ReminderOrder } from '#contract/unopened.ts';
import { recordEach } from '../../audit/record.ts';
import { reminderMail } from '../../mail/digests/reminder-mail.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { Now } from '../../platform/clock.ts';
import { countToRemindOf, findPeopleToRemind, findToRemindOf, noteReminded, REMINDERS } from './unopened.ts';

/** One mail a person, however many reports it is about. */
export function remindOfUnopened(
  principal: Principal,
  order: ReminderOrder,
  { now, outbox }: Now & { readonly outbox: Outbox },
): Promise<Reminded> {
  return principal.change('files.remind', async (scope) => {
    const proof = scope.authorize('files.remind');
    if (!outbox.isOn) throw refuse('mail_off');
    // Two who press at once remind once.
    await scope.serialize('reminders');
    const tx = scope.unscoped(proof);
    const at = now();
    const files = await findToRemindOf(scope, order, at);
    const told = await findPeopleToRemind(tx, files);
    const people = new Map(told.map((person) => [person.id, person]));
    await noteReminded(
      tx,
      files.map(({ id }) => id),
      at,
    );
    for (const { id: userId, name, address } of people.values()) {
      await outbox.write(tx, reminderMail, { to: { name, address }, userId, facts: { at } }, at);
    }
    const clients = new Map(files.map(({ clientId, clientName }) => [clientId, clientName]));
    const entries = [...clients].map(([id, name]) => {
      const ofClient = new Set(told.filter(({ clientId }) => clientId === id).map((person) => person.id));
      const count = files.filter(({ clientId }) => clientId === id).length;
      return { action: 'update' as const, details: remindedDetails(ofClient.size, count), client: { id, name } };
    });
    await recordEach(scope, proof, entries, at);
    const left = files.length < REMINDERS.atOnce ? 0 : await countToRemindOf(scope, order, at);
    return { files: files.length, people: people.size, left };
  });
}
