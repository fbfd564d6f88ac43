// Finds what is stored already under the name and the place of files that somebody is about to upload.
import { sql } from 'kysely';
import { foldKey } from '#contract/fields.ts';
import type { AlreadyThere, AlreadyThereRequest } from '#contract/files.ts';
import type { ReadScope } from '../people/access/scope.ts';
import { cleanFileName } from '../platform/blobs/clean-file-name.ts';
import { param } from '../platform/db/statement.ts';
import { findFiles } from './find.ts';

type Planned = AlreadyThereRequest['files'][number];

/** For each of `planned` that has one a file in reach with its name and place: one of the same size first, then the newest. */
export async function findAlreadyThere(scope: ReadScope, planned: readonly Planned[]): Promise<AlreadyThere['found']> {
  const ids: (number | null)[] = [];
  for (const file of planned) ids.push(await findId(scope, file));
  const found = await findFiles(
    scope,
    ids.filter((id) => id !== null),
  );
  return ids.flatMap((id, nth) => {
    const file = id === null ? undefined : found.get(id);
    return file === undefined ? [] : [{ nth, file }];
  });
}

/** One search along an index costs less than the names of hundreds in one statement, and its plan is always the same. */
async function findId(
  scope: ReadScope,
  { clientId, fileType, reportTypeId = null, documentType = null, name, size }: Planned,
): Promise<number | null> {
  const [row] = await scope.prepared<{ id: number }>(
    'files.already-there',
    (sources) => {
      const { from, where } = sources.filesAlong('files_client_name');
      return sources.query(sql<{ id: number }>`
        select file.id as id from ${from} where ${where}
          and file.client_id = ${param<number>('clientId')} and file.name_key = ${param<string>('nameKey')}
          and file.file_type = ${param<string>('fileType')}
          and file.report_type_id is not distinct from ${param<number | null>('reportTypeId')}
          and file.document_type is not distinct from ${param<string | null>('documentType')}
        order by case when file.size_bytes = ${param<number>('size')} then 0 else 1 end, file.uploaded_at desc, file.id desc
        limit 1`);
    },
    { clientId, nameKey: foldKey(cleanFileName(name)), fileType, reportTypeId, documentType, size },
  );
  return row?.id ?? null;
}
