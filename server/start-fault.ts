// Why a start failed, in one clear line each, for the person who reads the terminal.

import { ConfigFault, settingOf } from './config.ts';
import { databaseFault } from './platform/db/database-fault.ts';
import { SchemaRefusal } from './platform/db/schema-refusal.ts';
import { isDatabaseFull } from './platform/db/violations.ts';
import { KeyFault } from './platform/key-file.ts';

interface SystemError {
  code?: string;
  path?: string;
  port?: number;
  address?: string;
  errcode?: number;
  message?: string;
}

/** The start came as far as listening, and no further. */
export class ListenFault extends Error {
  override readonly name = 'ListenFault';
  constructor(cause: unknown) {
    super('Cannot listen', { cause });
  }
}

function listenFault({ code, port }: SystemError): string {
  if (code === 'EADDRINUSE') return `port ${port} is in use. Set PORT to a free one, or end the program that has it.`;
  if (code === 'EACCES') return `port ${port} may not be used by this account. Set PORT to one above 1023.`;
  return `the address in HOST is not one of this machine (${code}).`;
}

const toCheck = (setting: string | null) =>
  `Check ${setting === null ? 'that folder and the rights of this account to it' : `${setting} and its rights`}.`;

/** Lines without a stack and without values of the environment other than paths. `environment` is that of this process unless given. */
export function startFault(error: unknown, environment?: Parameters<typeof settingOf>[1]): readonly string[] {
  if (error instanceof ConfigFault) return error.lines;
  if (error instanceof SchemaRefusal || error instanceof KeyFault) return [error.message];
  if (error instanceof ListenFault) return [listenFault(error.cause as SystemError)];
  const { code, path, errcode, message } = error as SystemError;
  if (['EACCES', 'EROFS', 'EPERM', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ELOOP'].includes(code ?? '')) {
    const setting = path === undefined ? 'DATA_DIR' : settingOf(path, environment);
    return [`${path ?? 'the data folder'} cannot be read or written (${code}). ${toCheck(setting)}`];
  }
  if (isDatabaseFull(error)) {
    return [
      `there is no room left on the disk${path === undefined ? '' : ` of ${path}`}. Make room, and run this again.`,
    ];
  }
  // SQLITE_CANTOPEN and SQLITE_READONLY.
  if (errcode !== undefined && [14, 8].includes(errcode & 0xff)) {
    return [
      'the database file cannot be opened for writing. Check DATA_DIR, or DATABASE_URL where that is set, and the rights there.',
    ];
  }
  // SQLITE_BUSY.
  if (errcode !== undefined && (errcode & 0xff) === 5) {
    return ['another program holds the database file. End it or wait until it is done, and run this again.'];
  }
  // SQLITE_NOTADB and SQLITE_CORRUPT.
  if (errcode !== undefined && [26, 11].includes(errcode & 0xff)) {
    return ['the database file is not a database, or is damaged. Restore it from a backup.'];
  }
  return [databaseFault(error, 'DATABASE_URL') ?? message ?? 'unknown fault'];
}

/** For a command: whoever reads its words may go before the end, as `head` does, and the work does not end half way for that. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
