// What is done to files where more than one rule has its say: uploads and re-filings that the guard looks at, and keys that open one.

import { refuse } from '#contract/errors.ts';
import type { FileRow, RefileInput } from '#contract/files.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import type { FileRestore } from '#contract/trash.ts';
import type { Config } from '../config.ts';
import type { Principal } from '../people/access/principal.ts';
import type { ExpectedVersions } from '../people/access/versions.ts';
import { insertViewTicket } from '../people/auth/view-tickets.ts';
import type { Now } from '../platform/clock.ts';
import { fingerprint, newSecret, TICKET_FIRST_USE_MS } from '../platform/secrets.ts';
import { type IngestStores, ingest, type Upload } from './ingest.ts';
import { judgeLater, type OtherClientGuard } from './other-clients.ts';
import { putBackVersion } from './put-back.ts';
import { refileFile } from './refiling.ts';
import { findServed } from './served.ts';
import { restoreFile } from './trash/trashed-files.ts';
import { findNewestOf } from './versions.ts';

interface Guarding {
  readonly wrongClient: OtherClientGuard;
  /** Told why a document was not read that could have been. */
  readonly onUnjudged: (error: unknown) => void;
}

/** Makes a file of what its caller has staged. Refuses `names_another_client` where staff give no reason to keep it. */
export function uploadFile(
  principal: Principal,
  {
    staged,
    originalName,
    fields,
    idempotencyKey,
  }: Pick<Upload, 'staged' | 'originalName' | 'fields' | 'idempotencyKey'>,
  { blobs, now, wrongClient, onUnjudged }: IngestStores & Guarding,
): Promise<FileRow> {
  const { clientId, keepBecause } = fields;
  let isUnread = false;
  const inspect: Upload['inspect'] = async (read, file) => {
    if (keepBecause === undefined && !isClientUser(read.viewer)) {
      const guarded = { ...file, name: originalName, clientId, onFault: onUnjudged };
      isUnread = await wrongClient.check(read, guarded);
    }
  };
  // Nobody asks a Client user: what the file names is read later, and staff look at it. So is what could not be read in time, and what are pictures.
  const within: Upload['within'] = async (tx, file, sender) => {
    if (isUnread || isClientUser(sender)) await judgeLater(tx, { ...file, name: originalName }, sender);
  };
  return ingest(principal, { staged, originalName, fields, idempotencyKey, within, inspect }, { blobs, now });
}

/** Files a file elsewhere; staff are asked as at an upload where it would be filed under a client that it does not name. */
export function moveFile(
  principal: Principal,
  asked: { readonly id: number; readonly input: RefileInput; readonly expected: ExpectedVersions },
  { now, wrongClient, onUnjudged: onFault }: Now & Guarding,
): Promise<FileRow> {
  return refileFile(principal, asked, {
    now,
    checkPlace: (read, file) => wrongClient.check(read, { ...file, onFault }),
    checkName: (read, file) => wrongClient.checkName(read, { ...file, onFault }),
    judgeNameLater: (tx, fileId) => wrongClient.judgeNameLater(tx, fileId),
  });
}

/** A key that opens one file once, in a page that knows no token. */
export function issueViewTicket(
  principal: Principal,
  id: number,
  { now }: Now,
): Promise<{ ticket: string; url: string; expiresAt: string }> {
  return principal.change('files.read', async (scope) => {
    const file = await findServed(scope, id);
    if (file === null) throw refuse('not_found');
    const proof = scope.authorize('files.read');
    const ticket = newSecret();
    const at = now();
    await insertViewTicket(scope, proof, {
      ticketHash: fingerprint(ticket),
      fileId: file.newestId ?? file.id,
      versionId: file.newestId === undefined ? null : file.id,
      at,
    });
    return {
      ticket,
      url: `/api/files/${file.id}?view=true&token=${ticket}&t=${at}`,
      expiresAt: new Date(at + TICKET_FIRST_USE_MS).toISOString(),
    };
  });
}

/** Takes a file out of the trash, or makes an earlier version the newest again. */
export async function bringBackFile(
  principal: Principal,
  id: number,
  choice: FileRestore,
  services: Now & { readonly config: Pick<Config, 'trashDays'> },
): Promise<FileRow> {
  return (await findNewestOf(await principal.read(), id)) === null
    ? restoreFile(principal, id, choice, services)
    : putBackVersion(principal, id, choice, services);
}
