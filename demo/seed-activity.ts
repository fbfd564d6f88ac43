// The log of the demo firm, and what follows from it: who has opened what, and the counters.
import type { ActivityAction } from '#contract/activity-words.ts';
import { activitySearchText } from '#server/platform/names/search-text.ts';
import type { FirmPlan, PlannedActivity } from './plan.ts';
import { at, inChunks, type MadeRows, NONE, type Transaction } from './seed-rows.ts';

/** Opening a file is entered when it is served; other acts were never announced. */
export const servedAt = ({ action, atMs }: PlannedActivity) =>
  action === 'view' || action === 'download' ? atMs : null;

export async function insertActivity(
  tx: Transaction,
  plan: FirmPlan,
  made: MadeRows & { fileIds: readonly number[] },
): Promise<void> {
  const rows = plan.activity.map((entry) => {
    const userName = at(plan.users, entry.userIndex).fullName;
    const clientName = entry.clientIndex === null ? null : at(plan.clients, entry.clientIndex).name;
    return {
      action: entry.action,
      file_id: entry.fileIndex === null ? null : at(made.fileIds, entry.fileIndex),
      file_name: entry.fileName,
      details: entry.details,
      user_id: at(made.userIds, entry.userIndex),
      user_name: userName,
      client_id: entry.clientIndex === null ? null : at(made.clientIds, entry.clientIndex),
      client_name: clientName,
      search_text: activitySearchText({
        details: entry.details,
        fileName: entry.fileName ?? undefined,
        userName,
        clientName: clientName ?? undefined,
      }),
      at: entry.atMs,
      announced_at: null,
      served_at: servedAt(entry),
    };
  });
  await inChunks(rows, async (chunk) => {
    await tx.insertInto('activity').values(chunk).execute();
  });

  // What the log says that somebody opened is not new to that person.
  const opens = new Map(
    rows.flatMap(({ served_at, file_id, user_id, at: openedAt }) =>
      served_at === null || file_id === null || user_id === null
        ? []
        : [[`${user_id}/${file_id}`, { user_id, file_id, at: openedAt }] as const],
    ),
  );
  await inChunks([...opens.values()], async (chunk) => {
    await tx.insertInto('file_opens').values(chunk).execute();
  });

  const counts = new Map<string, { user_id: number; client_id: number; action: ActivityAction; n: number }>();
  for (const row of rows) {
    const key = { user_id: row.user_id ?? NONE, client_id: row.client_id ?? NONE, action: row.action };
    const name = Object.values(key).join('/');
    const known = counts.get(name);
    if (known) known.n += 1;
    else counts.set(name, { ...key, n: 1 });
  }
  await inChunks([...counts.values()], async (chunk) => {
    await tx.insertInto('activity_counts').values(chunk).execute();
  });
}
