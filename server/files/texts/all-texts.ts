// The texts of all files at once, as the operator has them read again or forgotten.
import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { ATTEMPTS_MAX } from './files-to-read.ts';

/** As many files are looked at in one transaction. */
const FILES_AT_ONCE = 10_000;

/** Has every file without text read again, and the rest of what was tried in vain; returns how many there are. */
export async function readAllAgain(database: Database): Promise<number> {
  let count = 0;
  let after = 0;
  for (;;) {
    const last = await database.reader
      .selectFrom('files')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(1)
      .offset(FILES_AT_ONCE - 1)
      .executeTakeFirst();
    const upTo = last?.id ?? Number.MAX_SAFE_INTEGER;
    count += await database.transaction(async (tx) => {
      // What is kept of them in part stays, and the rest is tried again.
      const { numAffectedRows: inPart } = await sql`update files_to_read set attempts = 0
        where file_id > ${after} and file_id <= ${upTo} and attempts >= ${ATTEMPTS_MAX}
          and exists (select 1 from document_texts held where held.file_id = files_to_read.file_id)`.execute(tx);
      const { numAffectedRows } = await sql`insert into files_to_read (file_id, attempts, person_id)
        select files.id, 0, coalesce(files.uploaded_by_id, 0) from files where files.id > ${after} and files.id <= ${upTo}
          and not exists (select 1 from document_texts held where held.file_id = files.id)
        on conflict (file_id) do update set attempts = 0, scans = null, takes_long = 0`.execute(tx);
      return Number(numAffectedRows ?? 0n) + Number(inPart ?? 0n);
    });
    if (last === undefined) return count;
    after = upTo;
  }
}

/** Forgets what stood on the pages of all files; returns how many pages there were. */
export async function forgetTexts(database: Database): Promise<number> {
  let count = 0;
  for (;;) {
    const gone = await database.transaction(async (tx) => {
      const { numAffectedRows } = await sql`delete from document_texts where id in
        (select id from document_texts order by id limit ${sql.lit(FILES_AT_ONCE)})`.execute(tx);
      return Number(numAffectedRows ?? 0n);
    });
    count += gone;
    if (gone > 0) continue;
    // Nothing is there that reading could go on behind.
    await database.transaction((tx) =>
      tx.updateTable('files_to_read').set({ scans: null }).where('scans', 'is not', null).execute(),
    );
    return count;
  }
}
