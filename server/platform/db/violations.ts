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
/** SQLITE_FULL, SQLITE_IOERR_WRITE: no room on the disk. */
const SQLITE_FULL = 13;
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
  return errcode === SQLITE_FULL || code === '53100';
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
  if (typeof code === 'string' && (/^(08|57|53|40001|40P01|55P03)/.test(code) || SOCKET_FAULTS.includes(code)))
    return true;
  return /timeout exceeded when trying to connect|Connection terminated|Cannot use a pool after calling end/.test(
    message ?? '',
  );
}
