// A request as it is in the database, for tests that need one without the person who asked.
import type { ItemState } from '#contract/request-words.ts';
import type { TestApp } from './test-app.ts';

export interface TestRequest {
  readonly id: number;
  readonly itemIds: readonly [number, ...number[]];
}

/** A new one to a client, open unless it says otherwise, with an item for each state. */
export async function insertTestRequest(
  { database, now }: Pick<TestApp, 'database' | 'now'>,
  {
    clientId,
    states = ['open'],
    closed = false,
  }: { readonly clientId: number; readonly states?: readonly ItemState[]; readonly closed?: boolean },
): Promise<TestRequest> {
  const among = (...some: readonly ItemState[]) => states.filter((state) => some.includes(state)).length;
  return database.transaction(async (tx) => {
    const { id } = await tx
      .insertInto('requests')
      .values({
        client_id: clientId,
        title: 'Year-end package',
        message: '',
        due_on: '2026-12-15',
        state: closed ? 'closed' : 'open',
        items: states.length,
        owed: among('open', 'sentBack'),
        to_review: among('sent', 'doesNotApply'),
        asked_by_id: 1,
        asked_by_name: 'Somebody',
        created_at: now(),
        changed_at: now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const itemIds: number[] = [];
    for (const [position, state] of states.entries()) {
      const item = await tx
        .insertInto('request_items')
        .values({
          request_id: id,
          position,
          name: `Item ${position}`,
          note: '',
          state,
          said_not: state === 'doesNotApply' ? 1 : 0,
          answer: '',
          reason: '',
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      itemIds.push(item.id);
    }
    return { id, itemIds: itemIds as [number, ...number[]] };
  });
}

/** The id of a new template. */
export async function insertTestTemplate({ database }: Pick<TestApp, 'database'>, name: string): Promise<number> {
  const { id } = await database.transaction((tx) =>
    tx
      .insertInto('request_templates')
      .values({ name, name_key: name.toLowerCase(), items: '[{"name":"Bank statements","note":""}]' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return id;
}
