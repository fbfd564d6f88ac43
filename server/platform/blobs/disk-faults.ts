// What the faults of a local disk mean: full, lost, or too much at once.
import { refuseCausedBy } from '#contract/errors.ts';

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export function writeFault(error: unknown): unknown {
  return ['ENOSPC', 'EDQUOT'].includes(String(codeOf(error)))
    ? refuseCausedBy(error, 'storage_full')
    : tooManyOpen(error);
}

export function readFault(error: unknown): unknown {
  const code = String(codeOf(error));
  const lost = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES', 'EPERM', 'EIO'].includes(code);
  return lost ? refuseCausedBy(error, 'integrity') : tooManyOpen(error);
}

function tooManyOpen(error: unknown): unknown {
  return ['EMFILE', 'ENFILE'].includes(String(codeOf(error))) ? refuseCausedBy(error, 'unavailable') : error;
}
