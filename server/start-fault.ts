// Why a start failed, in one clear line each, for the person who reads the terminal.

import { ConfigFault, settingOf } from './config.ts';
import { SchemaRefusal } from './platform/db/schema-refusal.ts';
import { isDatabaseAway, isDatabaseFull } from './platform/db/violations.ts';
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

/** What PostgreSQL refuses, and what to do; null where it is something else. */
function postgresFault(code: string | undefined, message: string): string | null {
  if (code === '3D000') return 'the database that DATABASE_URL names does not exist. Create it first.';
  if (code?.startsWith('28')) {
    return 'the database refuses the sign-in. Check user and password in DATABASE_URL, and whether it wants TLS (?sslmode=verify-full).';
  }
  if (code === '42501') {
    return 'the user in DATABASE_URL may not make or change tables. Make that user the owner of the database (docs/operations.md).';
  }
  // What the driver says itself where the server asks for a password and there is none.
  if (message.includes('client password must be')) {
    return 'the database wants a password. Put it into DATABASE_URL, or set PGPASSWORD.';
  }
  return null;
}

/** What Node says of a certificate that it does not believe, such as DEPTH_ZERO_SELF_SIGNED_CERT. */
const NOT_BELIEVED = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF))/;

/** Why there is no TLS with the database; null where it is something else. Stores of files tell their own faults in other words. */
function tlsFault(code: string | undefined, message: string): string | null {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'the certificate of the database is for another host than DATABASE_URL names. Name the host as the certificate does.';
  }
  if (code !== undefined && NOT_BELIEVED.test(code)) {
    return `the certificate of the database is not trusted (${code}). Name its authority in DATABASE_URL (sslrootcert=<file>), or renew it where it has expired.`;
  }
  // What the driver says itself.
  if (message.includes('server does not support SSL')) {
    return 'the database speaks no TLS, and DATABASE_URL asks for it (sslmode). Turn it on at the database, or leave sslmode out.';
  }
  return null;
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
  if (isDatabaseAway(error)) return ['the database does not answer. Check DATABASE_URL and that it is running.'];
  return [postgresFault(code, message ?? '') ?? tlsFault(code, message ?? '') ?? message ?? 'unknown fault'];
}

/** For a command: whoever reads its words may go before the end, as `head` does, and the work does not end half way for that. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
