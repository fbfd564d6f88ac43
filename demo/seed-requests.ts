// What the demo firm asks its clients for.
import { foldKey } from '#contract/fields.ts';
import { type TemplateWords, USUAL_TEMPLATES } from '#contract/request-words.ts';
import { ANCHOR_DAY, isoDate, momentMs } from './calendar.ts';
import type { FirmPlan } from './plan.ts';
import { at, type MadeRows, type Transaction } from './seed-rows.ts';

/** Clients that are asked for the year-end package; the first of them is late with what was asked before. */
const CLIENTS_ASKED = 8;
const YEAR_END_DAY = ANCHOR_DAY + 21;
const LATE_DAY = ANCHOR_DAY - 4;

export async function insertRequests(tx: Transaction, plan: FirmPlan, made: MadeRows): Promise<void> {
  for (const { name, items } of USUAL_TEMPLATES) {
    const row = { name, name_key: foldKey(name), items: JSON.stringify(items) };
    await tx.insertInto('request_templates').values(row).execute();
  }
  const [yearEnd, newClient] = USUAL_TEMPLATES;
  if (yearEnd === undefined || newClient === undefined) throw new Error('There are no usual templates');
  const asker = made.userIds.findIndex((id) => id !== null);
  const ask = async (clientId: number, { name, items }: TemplateWords, day: number, askedDaysBefore: number) => {
    const askedAt = momentMs(day - askedDaysBefore, 15 * 60);
    const { id } = await tx
      .insertInto('requests')
      .values({
        client_id: clientId,
        title: name,
        message: '',
        due_on: isoDate(day),
        state: 'open',
        items: items.length,
        owed: items.length,
        to_review: 0,
        asked_by_id: at(made.userIds, asker) ?? 0,
        asked_by_name: at(plan.users, asker).fullName,
        created_at: askedAt,
        changed_at: askedAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const rows = items.map((item, position) => ({
      ...item,
      request_id: id,
      position,
      state: 'open' as const,
      said_not: 0 as const,
      answer: '',
      reason: '',
    }));
    await tx.insertInto('request_items').values(rows).execute();
  };
  for (const clientId of made.clientIds.slice(0, CLIENTS_ASKED)) await ask(clientId, yearEnd, YEAR_END_DAY, 24);
  await ask(at(made.clientIds, 0), newClient, LATE_DAY, 14);
}
