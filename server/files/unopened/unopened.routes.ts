// What nobody of a client's people has opened, over HTTP, and the press that reminds them.

import { remindedDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { ReminderOrder } from '#contract/unopened.ts';
import type { Handlers } from '../../api/route.ts';
import { recordEach } from '../../audit/record.ts';
import { reminderMail } from '../../mail/digests/reminder-mail.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import type { Now } from '../../platform/clock.ts';
import { findPeopleToRemind, findToRemindOf, listUnopened, noteReminded } from './unopened.ts';

const placeOf = ({ clientId, reportTypeId }: { clientId: number; reportTypeId: number }) =>
  `${clientId} ${reportTypeId}`;

export function unopenedRoutes({ now, outbox }: Now & { readonly outbox: Outbox }): Handlers<'unopened'> {
  /** One mail a person, however many reports it is about; a report that nobody is told of counts as one that nobody was reminded of. */
  async function remind(scope: WriteScope, order: ReminderOrder) {
    const proof = scope.authorize('files.remind');
    if (!outbox.isOn) throw refuse('mail_off');
    // Two who press at once remind once.
    await scope.serialize('reminders');
    const tx = scope.unscoped(proof);
    const at = now();
    const found = await findToRemindOf(scope, order, at);
    const told = await findPeopleToRemind(tx, found);
    const places = new Set(told.map(placeOf));
    const files = found.filter((file) => places.has(placeOf(file)));
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
    return { files: files.length, people: people.size };
  }

  return {
    'unopened.list': ({ read, input }) => {
      read.authorize('files.read-readers');
      return listUnopened(read, input.query);
    },

    'unopened.remind': ({ input, change }) => change((scope) => remind(scope, input.body)),
  };
}
