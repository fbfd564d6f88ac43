// What is wrong with the database that an address names, in one line that says what to do.
import { isDatabaseAway } from './violations.ts';

/** What PostgreSQL refuses; null where it is something else. `setting` is where its address is written. */
function postgresFault(code: string | undefined, message: string, setting: string): string | null {
  if (code === '3D000') return `the database that ${setting} names does not exist. Create it first.`;
  if (code?.startsWith('28')) {
    return `the database refuses the sign-in. Check user and password in ${setting}, and whether it wants TLS (?sslmode=verify-full).`;
  }
  if (code === '42501') {
    return `the user in ${setting} may not make or change tables. Make that user the owner of the database (docs/operations.md).`;
  }
  // What the driver says itself where the server asks for a password and there is none.
  if (message.includes('client password must be')) {
    return `the database wants a password. Put it into ${setting}, or set PGPASSWORD.`;
  }
  return null;
}

/** What Node says of a certificate that it does not believe, such as DEPTH_ZERO_SELF_SIGNED_CERT. */
const NOT_BELIEVED = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF))/;

/** Why there is no TLS with the database; null where it is something else. Stores of files tell their own faults in other words. */
function tlsFault(code: string | undefined, message: string, setting: string): string | null {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `the certificate of the database is for another host than ${setting} names. Name the host as the certificate does.`;
  }
  if (code !== undefined && NOT_BELIEVED.test(code)) {
    return `the certificate of the database is not trusted (${code}). Name its authority in ${setting} (sslrootcert=<file>), or renew it where it has expired.`;
  }
  // Of a file that the driver reads, and does not name.
  if (code === 'EISDIR') {
    return `a folder was found where a file is to be read. Look at sslrootcert, sslcert and sslkey in ${setting}.`;
  }
  // What the driver says itself.
  if (message.includes('server does not support SSL')) {
    return `the database speaks no TLS, and ${setting} asks for it (sslmode). Turn it on at the database, or leave sslmode out.`;
  }
  return null;
}

/** What the driver says of an answer that no PostgreSQL gives, such as the greeting of MySQL, with TLS or without. */
const OTHER_LANGUAGE = /received invalid response|error establishing an SSL connection/;

/** `setting` is where the address of the database is written, such as DATABASE_URL. Null where the fault is none of that address. */
export function databaseFault(error: unknown, setting: string): string | null {
  const { code, message = '' } = error as { readonly code?: string; readonly message?: string };
  if (isDatabaseAway(error)) return `the database does not answer. Check ${setting} and that it is running.`;
  if (OTHER_LANGUAGE.test(message)) {
    return `what answers at the address in ${setting} is no PostgreSQL. Check host and port there.`;
  }
  // The parts of an address are decoded by the driver.
  if (error instanceof URIError) {
    return `the address in ${setting} cannot be read: a % in user, password or database is written as %25 there.`;
  }
  return postgresFault(code, message, setting) ?? tlsFault(code, message, setting);
}
