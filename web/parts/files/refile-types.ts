// Whether a person may re-file a file, and as what.

import { FILE_TYPES, type FileType } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import type { Actor } from '#contract/policy/actor.ts';
import { may } from '#contract/policy.ts';

/** The kinds that a person may make of a file at all; the server judges each client and report type again. */
export function refilableTypes(user: Actor, file: FileRow): FileType[] {
  return FILE_TYPES.filter((fileType) =>
    may(user, 'files.refile', {
      from: file,
      to: { fileType, clientReached: true, reportTypeReached: fileType === 'report' ? true : null },
    }),
  );
}
