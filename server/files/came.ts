// When a file came to other people than its upload had brought it to: `server/mail/digests/sources.ts` tells them of it from then on.
import { type RawBuilder, sql } from 'kysely';
import { TAKE_BACK_MS } from '#contract/policy/files.ts';
import type { Tx } from './trash/kept-rows.ts';

/** Who brought it there, and when, in ms since the epoch. */
export interface Coming {
  readonly at: number;
  readonly byId: number;
}

/** For an update of `files`. */
export const cameNow = ({ at, byId }: Coming) => ({ came_at: at, came_by_id: byId });

/**
 * Files that are out of the trash, by their entries `entries`, which are still there: those that went within a day may have been told to
 * nobody, and those that are filed elsewhere now are new there. What had its time before is no news again.
 */
export async function noteComeBack({ db }: Pick<Tx, 'db'>, entries: RawBuilder<unknown>, { at, byId }: Coming) {
  await sql`update files set came_at = cast(${at} as bigint), came_by_id = cast(${byId} as bigint) from trash entry
    where entry.id in (${entries}) and entry.kind in ('file', 'version') and files.id = entry.item_id
      and (coalesce(files.came_at, files.uploaded_at) > entry.deleted_at - ${sql.lit(TAKE_BACK_MS)}
        or entry.client_id <> files.client_id or entry.access_key <> files.access_key)`.execute(db);
}
