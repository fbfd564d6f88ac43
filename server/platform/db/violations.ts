// What an engine's error means, in the same terms for both engines.

interface EngineError {
  /** node:sqlite: SQLite's extended result code. */
  errcode?: number;
  /** PostgreSQL: SQLSTATE; sockets: ECONNREFUSED and similar. */
  code?: string;
  constraint?: string;
  message?: string;
}

const SQLITE_UNIQUE = [2067, 1555];
const SQLITE_FOREIGN_KEY = 787;
/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: no room for the index of the write-ahead log. */
const SQLITE_NO_ROOM = [13, 4874];
/** PostgreSQL's disk_full, and what a system says where a file is flushed. */
const NO_ROOM = ['53100', 'ENOSPC', 'EDQUOT'];
const SQLITE_BUSY = 5;

/** True when `error` says that a row with this unique `column` (such as `username_key`) is already there. */
export function isDuplicate(error: unknown, column: string): boolean {
  const { errcode, code, constraint, message } = error as EngineError;
  if (errcode !== undefined && SQLITE_UNIQUE.includes(errcode)) return message?.includes(column) ?? false;
  return code === '23505' && (constraint?.includes(column) ?? false);
}

/** True when `error` says that a row named by another row is missing, or still named by one. */
export function isBrokenReference(error: unknown): boolean {
  const { errcode, code } = error as EngineError;
  return errcode === SQLITE_FOREIGN_KEY || code === '23503';
}

export function isDatabaseFull(error: unknown): boolean {
  const { errcode, code } = error as EngineError;
  return errcode === undefined ? NO_ROOM.includes(code ?? '') : SQLITE_NO_ROOM.includes(errcode);
}

const SOCKET_FAULTS = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/** True when the database itself is away, busy or shutting down: the same request may succeed a moment later. */
export function isDatabaseAway(error: unknown): boolean {
  const { errcode, code, message } = error as EngineError;
  if (errcode !== undefined) return (errcode & 0xff) === SQLITE_BUSY;
  // Of the class of what passes by itself, and does not.
  if (isDatabaseFull(error)) return false;
  if (typeof code === 'string' && (/^(08|57|53|40001|40P01|55P03)/.test(code) || SOCKET_FAULTS.includes(code)))
    return true;
  return /timeout exceeded when trying to connect|Connection terminated|Cannot use a pool after calling end/.test(
    message ?? '',
  );
}
