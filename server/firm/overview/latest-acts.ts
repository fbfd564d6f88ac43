// The latest acts of the log: what one act wrote is one of them.

import type { ActivityRow } from '#contract/activity.ts';
import { ACT_ENTRIES_MAX, batchWordsIn } from '#contract/activity-words.ts';
import { listActivity } from '../../audit/activity-list.ts';
import type { ReadScope } from '../../people/access/scope.ts';

const ENTRIES_A_READ = 100;
/** Mostly an act writes one entry, and so many are enough. */
const FEW = 20;

interface Act {
  readonly entry: ActivityRow;
  alsoWrote: number;
  alsoOfBatch: number;
}

const isOfOnePerson = (one: ActivityRow, other: ActivityRow) =>
  one.action === other.action && one.userId === other.userId;

/** What one act wrote has one moment and is about one file or none: of a file that is re-filed, an entry for each reader. */
const isOfOneMoment = (one: ActivityRow, other: ActivityRow) =>
  one.fileId === other.fileId && one.timestamp === other.timestamp;

/** A release and a recall take their time, and write an entry for each file. */
function isOfOneBatch(one: ActivityRow, other: ActivityRow): boolean {
  const words = batchWordsIn(one.details, one.fileName);
  return words !== null && words === batchWordsIn(other.details, other.fileName);
}

interface LatestActs {
  readonly acts: Act[];
  /** What came before them was met: further entries would change none of them. */
  readonly isWhole: boolean;
}

/** The last entry of each of the latest acts, newest first: the one that says what was done, with how many came before it. */
function latestActs(newestFirst: Iterable<ActivityRow>, most: number): LatestActs {
  const acts: Act[] = [];
  for (const entry of newestFirst) {
    // Nothing was sent: nobody has viewed or downloaded it.
    if (entry.announcedOnly) continue;
    const last = acts.at(-1);
    const ofBatch = last !== undefined && isOfOneBatch(last.entry, entry);
    if (last && isOfOnePerson(last.entry, entry) && (ofBatch || isOfOneMoment(last.entry, entry))) {
      last.alsoWrote += 1;
      if (ofBatch) last.alsoOfBatch += 1;
    } else if (acts.length === most) return { acts, isWhole: true };
    else acts.push({ entry, alsoWrote: 0, alsoOfBatch: 0 });
  }
  return { acts, isWhole: false };
}

/**
 * The latest acts, `most` of them, and how many entries the log has. A few entries are read first, and where they do not tell, the
 * hundred latest; where one act wrote many, more, as many as `ACT_ENTRIES_MAX`.
 */
export async function readLatestActs(read: ReadScope, most: number): Promise<{ acts: Act[]; total: number }> {
  const first = await listActivity(read, { limit: FEW });
  // By id: what is written meanwhile moves entries to the next read.
  const entries = new Map(first.rows.map((entry) => [entry.id, entry]));
  let found = latestActs(entries.values(), most);
  for (let offset = FEW; offset < Math.min(first.total, ACT_ENTRIES_MAX); ) {
    if (offset < ENTRIES_A_READ ? found.isWhole : found.acts.length === most) break;
    const limit = ENTRIES_A_READ - (offset % ENTRIES_A_READ);
    const next = await listActivity(read, { limit, offset });
    for (const entry of next.rows) entries.set(entry.id, entry);
    found = latestActs(entries.values(), most);
    offset += limit;
  }
  return { acts: found.acts, total: first.total };
}
