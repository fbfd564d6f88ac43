// Announced accesses: what the browser says before it opens a file.
import type { AccessAnnouncement, ActivityRow } from '#contract/activity.ts';
import { accessDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import { findStoredVersion } from '../../files/versions.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import { type Access, recordAnnouncement } from '../access-log.ts';
import { toActivityRow, withColumns } from '../activity-list.ts';

/** The facts of a file in reach that an announcement needs; null when it is missing, out of reach or of another client. */
export async function findAccess(
  scope: ReadScope,
  announcement: AccessAnnouncement,
): Promise<Pick<Access, 'file' | 'client'> | null> {
  const row = await scope
    .files()
    .innerJoin('clients', 'clients.id', 'files.client_id')
    .select([
      'files.id as fileId',
      'files.original_name as fileName',
      'clients.id as clientId',
      'clients.name as clientName',
    ])
    .where('files.id', '=', announcement.fileId)
    .executeTakeFirst();
  if (row === undefined) return findVersionAccess(scope, announcement);
  if (typeof announcement.clientId === 'number' && announcement.clientId !== row.clientId) return null;
  return { file: { id: row.fileId, name: row.fileName }, client: { id: row.clientId, name: row.clientName } };
}

/** The same of an earlier version, which is staff's to open. */
async function findVersionAccess(
  scope: ReadScope,
  { fileId, clientId = null }: AccessAnnouncement,
): Promise<Pick<Access, 'file' | 'client'> | null> {
  const version = await findStoredVersion(scope, fileId);
  if (version === null || (typeof clientId === 'number' && clientId !== version.clientId)) return null;
  return {
    file: { id: version.id, name: version.originalName },
    client: { id: version.clientId, name: version.clientName },
  };
}

/** Writes the announcement down, joined with a serving just before it; answers the access's one entry. */
export async function insertAnnouncement(
  scope: WriteScope,
  proof: Proof<'activity.announce'>,
  access: Access,
  at: number,
): Promise<ActivityRow> {
  await scope.serialize(`accesses-of-${scope.viewer.id}`);
  const id = await recordAnnouncement(scope.unscoped(proof), access, at);
  const row = await withColumns(scope.activity(), scope).where('activity.id', '=', id).executeTakeFirst();
  if (row === undefined) throw refuse('gone_meanwhile');
  // The answer repeats the browser's words (docs/behaviour.md, Activity: how accesses are recorded); readers of the log see that nothing was sent yet.
  return { ...toActivityRow(row), details: accessDetails[access.action](access.file.name) };
}
