// Files that name another client than theirs, as staff see and settle them.
import { sql } from 'kysely';
import { confirmedDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { FileRow, MarkedFile, MarkedQuery } from '#contract/files.ts';
import type { Proof } from '#contract/policy.ts';
import { record } from '../audit/record.ts';
import type { Principal } from '../people/access/principal.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import { type Page, pageParams, pageValues } from '../platform/db/list.ts';
import { param } from '../platform/db/statement.ts';
import { filesAsJson, pageOfFiles } from './file-row.ts';
import { findFile } from './find.ts';
import { findPlace } from './place.ts';

interface MarkedRecord {
  readonly json: string;
  readonly namedId: number | null;
  readonly namedName: string | null;
  readonly markedAtMs: number;
  readonly total: number;
}

/** The marks that nobody has settled, of files within reach, the latest first. Read from the marks on: they are few. */
export async function listMarked(scope: ReadScope, { ids, ...query }: MarkedQuery): Promise<Page<MarkedFile>> {
  const records = await scope.prepared<MarkedRecord>(
    `files.marked ${ids === undefined ? 'all' : 'of ids'}`,
    (sources) => {
      const { from, where } = sources.filesAmong(sources.markedFileIds());
      const asked = ids === undefined ? sql`` : sql`and ${isListedId('found.id', param('ids'))}`;
      const reached = sources.clients().select(['clients.id as id', 'clients.name as name']);
      const listed = filesAsJson(sources, pageOfFiles);
      return sources.query(sql<MarkedRecord>`with
        marked as materialized (select file.id as id, file.client_id as client_id, found.named as named, found.at as at
          from ${from} where ${where} ${asked}),
        page as (select * from marked order by at desc, id desc limit ${pageParams.limit} offset ${pageParams.offset})
        select ${listed.json} as "json", named.id as "namedId", named.name as "namedName", page.at as "markedAtMs",
          (select count(*) from marked) as "total"
        from ${listed.from} left join (${reached}) as named on named.id = page.named order by page.at desc, page.id desc`);
    },
    { ...pageValues(query), ...(ids === undefined ? {} : { ids: listText(ids) }) },
  );
  const rows = records.map(({ json, namedId, namedName, markedAtMs }) => ({
    file: JSON.parse(json) as FileRow,
    namedClient: namedId === null || namedName === null ? null : { id: namedId, name: namedName },
    markedAt: new Date(markedAtMs).toISOString(),
  }));
  const [first] = records;
  // Beyond the end there are no rows to count by.
  const total = first?.total ?? (query.offset ? (await listMarked(scope, { ids, limit: 1 })).total : 0);
  return { rows, total };
}

/** Says that a file is right where it is; saying it again changes nothing. Refuses `not_found` a file that was never marked. */
export async function settleMark(
  principal: Principal,
  id: number,
  { now }: { readonly now: () => number },
): Promise<void> {
  return principal.change('files.settle-mark', async (scope) => {
    const file = await findFile(scope, id);
    if (file === null) throw refuse('not_found');
    const proof = scope.authorize('files.settle-mark', (await findPlace(scope, file)).reached);
    const at = now();
    if (!(await settle(scope, proof, { id }, at))) {
      const mark = await scope.unscoped(proof).selectFrom('file_marks').select('state').where('file_id', '=', id);
      if ((await mark.executeTakeFirst()) === undefined) throw refuse('not_found');
      return;
    }
    const client = { id: file.clientId, name: file.clientName };
    const entry = { id, name: file.originalName };
    await record(scope, proof, { action: 'update', details: confirmedDetails(entry.name), file: entry, client }, at);
  });
}

/** A file that goes to the client it names has nothing left to look at, nor has one that is filed for a reason: without a client. */
export async function settleByRefiling(
  scope: WriteScope,
  proof: Proof<'files.refile'>,
  file: { readonly id: number; readonly clientId?: number },
  at: number,
): Promise<void> {
  await settle(scope, proof, file, at);
}

/** Settles an open mark, given a client only one that names it; false where there is none. */
async function settle(
  scope: WriteScope,
  proof: Proof<'files.refile' | 'files.settle-mark'>,
  { id, clientId }: { readonly id: number; readonly clientId?: number },
  at: number,
): Promise<boolean> {
  const { id: settledById, fullName } = scope.viewer;
  const open = scope
    .unscoped(proof)
    .updateTable('file_marks')
    .set({ state: 'settled', settled_by_id: settledById, settled_by_name: fullName, settled_at: at })
    .where('file_id', '=', id)
    .where('state', '=', 'open');
  const update = clientId === undefined ? open : open.where('named_client_id', '=', clientId);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return numUpdatedRows > 0n;
}
