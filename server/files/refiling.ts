// Re-filing: a file is put under another client, kind, type, period or name.

import { type Kysely, type SqlBool, sql } from 'kysely';
import { correctsDetails, keptDetails } from '#contract/activity-words.ts';
import { Refusal, refuse, refuseFields } from '#contract/errors.ts';
import type { PeriodsInput, PeriodsSet } from '#contract/file-periods.ts';
import { type FileRow, NO_DOCUMENT_TYPE, NO_REPORT_TYPE, type RefileInput } from '#contract/files.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import type { Proof } from '#contract/policy.ts';
import { tellOfFile } from '../audit/change-feed.ts';
import { lastOpenedByClient } from '../audit/file-opens.ts';
import { record } from '../audit/record.ts';
import type { Principal } from '../people/access/principal.ts';
import { accessKeyOf } from '../people/access/reach.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import type { ExpectedVersions } from '../people/access/versions.ts';
import type { StoredBlob } from '../platform/blobs/blob-store.ts';
import { cleanFileName } from '../platform/blobs/clean-file-name.ts';
import type { Schema } from '../platform/db/schema.ts';
import { isBrokenReference } from '../platform/db/violations.ts';
import { cameNow } from './came.ts';
import { forgetCorrectionsOf, judgeCorrected } from './corrections.ts';
import { fileNameColumns, periodColumns } from './file-columns.ts';
import { findFile, findStoredFile } from './find.ts';
import { settleByRefiling } from './marks.ts';
import { judgeLater } from './other-clients.ts';
import { type FilePlace, type FoundPlace, findPlace, placeWords, requireUnchanged, standsAsExpected } from './place.ts';
import { fileWithNewest } from './trash/chains.ts';
import { REFILED_AWAY, refuseHeldFiles } from './trash/holds.ts';
import { takePlaceOf } from './versions.ts';

/**
 * Files a file elsewhere, for another period, under another name, or as the correction of another: judged like a deletion where it is and like an upload where it
 * goes. Repeating it changes nothing more. Refuses `gone_meanwhile` when another was faster, `changed_meanwhile` where something is to
 * change and it has none of the `expected` versions, and `names_another_client` where staff give no reason to keep it.
 */
export async function refileFile(
  principal: Principal,
  { id, input, expected }: { readonly id: number; readonly input: RefileInput; readonly expected: ExpectedVersions },
  checks: RefilingChecks,
): Promise<FileRow> {
  const { keepBecause, ...change } = input;
  const late = keepBecause === undefined ? await checkRefiling(principal, { id, change, expected }, checks) : null;
  return principal.change('files.refile', (scope) =>
    refileWithin(scope, id, change, {
      at: checks.now(),
      expected,
      keepBecause,
      isUnread: late?.isUnread ?? false,
      judgeNameLater: late?.isNameUnread ? checks.judgeNameLater : undefined,
    }),
  );
}

type Change = Omit<RefileInput, 'keepBecause'>;

export interface RefilingChecks {
  readonly now: () => number;
  /** Refuses what names another client than the one it would be filed under; true where it is to be judged afterwards. */
  readonly checkPlace: (
    read: ReadScope,
    file: {
      readonly clientId: number;
      readonly blob: StoredBlob;
      readonly contentType: string;
      readonly name: string;
    },
  ) => Promise<boolean>;
  /** The same of a new name. */
  readonly checkName: (read: ReadScope, file: { readonly clientId: number; readonly name: string }) => Promise<boolean>;
  readonly judgeNameLater: (tx: Kysely<Schema>, fileId: number) => Promise<void>;
}

/** What is to be judged afterwards. */
interface Late {
  readonly isUnread: boolean;
  readonly isNameUnread: boolean;
}

/** Before the transaction, which must not last as long. Asked only of who may do it: the question tells what the file names. */
async function checkRefiling(
  principal: Principal,
  { id, change, expected }: { readonly id: number; readonly change: Change; readonly expected: ExpectedVersions },
  { checkPlace, checkName }: RefilingChecks,
): Promise<Late> {
  const read = await principal.read();
  const [file, stored] = [await findFile(read, id), await findStoredFile(read, id)];
  // A Client user is asked nothing: staff look at it afterwards.
  if (file === null || stored === null || isClientUser(read.viewer)) return { isUnread: true, isNameUnread: false };
  const place = placeAfter(file, change);
  read.authorize('files.refile', { from: file, to: (await findPlace(read, place)).reached });
  if (!isSamePlace(file, place)) await requireUnchanged(read, expected, file);
  const { clientId } = place;
  const name = change.originalName === undefined ? file.originalName : cleanFileName(change.originalName);
  const isNameUnread = name !== file.originalName && (await checkName(read, { clientId, name }));
  const isUnread =
    clientId !== file.clientId &&
    (await checkPlace(read, { clientId, blob: stored, contentType: file.contentType, name }));
  return { isUnread, isNameUnread };
}

/**
 * Files several files for one period, all or none; each is judged and entered in the log like one that is re-filed by itself. Those that were
 * looked at in another version, or are gone or out of reach since they were, are left out.
 */
export async function setPeriods(
  principal: Principal,
  { ids, versions, period }: PeriodsInput,
  { now }: { readonly now: () => number },
): Promise<PeriodsSet> {
  return principal.change('files.refile', async (scope) => {
    const at = now();
    const seen = new Map(ids.map((id, nth) => [id, versions?.[nth]]));
    const leftOut: number[] = [];
    let changed = 0;
    // In one order for everybody, so that two at once do not wait for each other.
    for (const id of [...seen.keys()].sort((a, b) => a - b)) {
      const before = await findFile(scope, id);
      const version = seen.get(id);
      try {
        await refileWithin(scope, id, { period }, { at, expected: version === undefined ? null : [version] });
        if (before?.period !== period) changed += 1;
      } catch (error) {
        // Refused before anything of it was written.
        const isOther =
          error instanceof Refusal && ['changed_meanwhile', 'gone_meanwhile', 'not_found'].includes(error.code);
        if (version === undefined || !isOther) throw error;
        leftOut.push(id);
      }
    }
    return { changed, leftOut };
  });
}

interface Refiling {
  readonly at: number;
  readonly expected: ExpectedVersions;
  readonly keepBecause?: string | undefined;
  readonly isUnread?: boolean;
  readonly judgeNameLater?: RefilingChecks['judgeNameLater'] | undefined;
}

/** Re-files a file within a transaction. */
async function refileWithin(
  scope: WriteScope,
  id: number,
  change: Change,
  { at, expected, keepBecause, isUnread = true, judgeNameLater }: Refiling,
): Promise<FileRow> {
  // Two files that are to take each other's place at once: the second finds that it is an earlier version by now.
  if (change.replaces !== undefined) await scope.serialize('replacements');
  const file = await findFile(scope, id);
  if (file === null) throw refuse('not_found');
  const place = placeAfter(file, change);
  const found = await findPlace(scope, place);
  const proof = scope.authorize('files.refile', { from: file, to: found.reached });
  const name = change.originalName === undefined ? file.originalName : cleanFileName(change.originalName);
  const [stays, keepsName] = [isSamePlace(file, place), name === file.originalName];
  const correction = await correctionAfter(scope, proof, { file, place }, change.corrects);
  const { replaces } = change;
  if (stays && keepsName && correction === null && replaces === undefined) return file;
  await requireUnchanged(scope, expected, file);
  if (!stays || !keepsName || correction !== null) {
    await changeRow(scope, proof, file, { ...place, name, correction, expected }, at);
  }
  if (place.clientId !== file.clientId) {
    // Filed there for a reason, nobody need look at it again.
    await settleByRefiling(scope, proof, keepBecause === undefined ? { id, clientId: place.clientId } : { id }, at);
    const { contentType, size: sizeBytes } = file;
    if (isUnread) await judgeLater(scope.unscoped(proof), { id, name, contentType, sizeBytes }, scope.viewer);
  }
  const kept = keptDetails(keepBecause);
  const client = { id: file.clientId, name: file.clientName };
  if (!keepsName) {
    const details = `Renamed file: ${file.originalName} to ${name}${stays ? kept : ''}`;
    await record(scope, proof, { action: 'update', details, file: { id, name }, client }, at);
    await judgeNameLater?.(scope.unscoped(proof), id);
  }
  if (!stays) await recordRefiling(scope, proof, { file: { ...file, originalName: name }, place, found, kept }, at);
  if (correction !== null && found.client !== null) {
    const details = correctsDetails(name, correction.corrects?.originalName ?? null);
    await record(scope, proof, { action: 'update', details, file: { id, name }, client: found.client }, at);
  }
  if (replaces !== undefined) await takePlaceOf(scope, proof, { id, originalName: name, ...place }, change, at);
  const refiled = await findFile(scope, id);
  if (refiled === null) throw refuse('gone_meanwhile');
  return refiled;
}

/** What a file corrects from now on. */
interface Correction {
  readonly corrects: FileRow | null;
}

/**
 * What `asked` changes about that; null where nothing does. What the viewer does not see stays: nothing is removed by repeating
 * what is shown.
 */
async function correctionAfter(
  scope: WriteScope,
  proof: Proof<'files.refile'>,
  { file, place }: { readonly file: FileRow; readonly place: FilePlace },
  asked: Change['corrects'],
): Promise<Correction | null> {
  const shown = place.clientId === file.clientId ? (file.corrects?.id ?? null) : null;
  if (asked === undefined || asked === shown) return null;
  if (asked === null) return { corrects: null };
  return { corrects: await judgeCorrected(scope, proof, { id: file.id, clientId: place.clientId }, asked) };
}

/** The place that `change` results in. Refuses a type that does not belong to the kind of the file. */
function placeAfter(file: FileRow, change: Change): FilePlace {
  const fileType = change.fileType ?? file.fileType;
  const isReport = fileType === 'report';
  if (!isReport && (change.reportTypeId ?? null) !== null) throw refuseFields({ reportTypeId: NO_REPORT_TYPE });
  if (isReport && (change.documentType ?? null) !== null) throw refuseFields({ documentType: NO_DOCUMENT_TYPE });
  const { reportTypeId = file.reportTypeId, documentType = file.documentType, period = file.period } = change;
  return {
    clientId: change.clientId ?? file.clientId,
    fileType,
    reportTypeId: isReport ? reportTypeId : null,
    documentType: isReport ? null : documentType,
    period,
  };
}

function isSamePlace(one: FilePlace, other: FilePlace): boolean {
  return (
    one.clientId === other.clientId &&
    one.fileType === other.fileType &&
    one.reportTypeId === other.reportTypeId &&
    one.documentType === other.documentType &&
    one.period === other.period
  );
}

const placeColumns = (place: FilePlace) => ({
  client_id: place.clientId,
  file_type: place.fileType,
  report_type_id: place.reportTypeId,
  access_key: accessKeyOf(place),
  document_type: place.documentType,
});

async function changeRow(
  scope: WriteScope,
  proof: Proof<'files.refile'>,
  file: FileRow,
  {
    correction,
    expected,
    ...place
  }: FilePlace & {
    readonly name: string;
    readonly correction: Correction | null;
    readonly expected: ExpectedVersions;
  },
  at: number,
): Promise<void> {
  const db = scope.unscoped(proof);
  const goesAway = place.clientId !== file.clientId;
  const isForOthers = goesAway || accessKeyOf(place) !== accessKeyOf(file);
  const isElsewhere = isForOthers || place.documentType !== file.documentType;
  if (goesAway) {
    const words = { what: 'This file', act: REFILED_AWAY };
    await refuseHeldFiles({ db }, sql<SqlBool>`files.id = ${file.id}`, words);
  }
  try {
    const { numUpdatedRows } = await db
      .updateTable('files')
      // Nothing but what changes: others may say the rest at once, and whoever writes a place holds its counter.
      .set({
        ...(isElsewhere ? placeColumns(place) : {}),
        ...(place.period === file.period ? {} : periodColumns(place.period, Date.parse(file.uploadedAt))),
        ...(place.name === file.originalName ? {} : fileNameColumns(place.name)),
        ...(correction !== null || goesAway ? { corrects_id: correction?.corrects?.id ?? null } : {}),
        // Who opened it were the people of another client; those of this one may have had it before.
        ...(goesAway ? { opened_by_client_at: lastOpenedByClient('files', place.clientId) } : {}),
        ...(isForOthers ? cameNow({ at, byId: scope.viewer.id }) : {}),
      })
      // The row as it was judged.
      .where(standsAsExpected(file, expected))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      // Another was faster: by a deletion, or by a change since it was looked at.
      const left = await findFile(scope, file.id);
      if (left !== null) await requireUnchanged(scope, expected, left);
      throw refuse('gone_meanwhile');
    }
    // The triggers leave that out, for the job that reads the periods of all files from their names.
    if (file.period === null && place.period !== null) await tellOfFile({ db }, file.id, at);
    if (goesAway) await forgetCorrectionsOf({ db }, file.id);
    await fileWithNewest({ db }, file.id);
  } catch (error) {
    if (isBrokenReference(error)) throw refuse('gone_meanwhile');
    throw error;
  }
}

/**
 * One entry with everything. It belongs to no client, so besides its author only readers of the whole log see it. Those who
 * read the log of a client read its side of it, which names no other client and no report type.
 */
async function recordRefiling(
  scope: WriteScope,
  proof: Proof<'files.refile'>,
  {
    file,
    place,
    found: { client, reportTypeName },
    kept,
  }: { file: FileRow; place: FilePlace; found: FoundPlace; kept: string },
  at: number,
): Promise<void> {
  if (client === null) throw refuse('forbidden');
  const name = file.originalName;
  const entry = { action: 'update' as const, file: { id: file.id, name } };
  const from = placeWords(file.clientName, file);
  const to = placeWords(client.name, { ...place, reportTypeName });
  await record(scope, proof, { ...entry, details: `Re-filed file: ${name}, from ${from} to ${to}${kept}` }, at);
  const former = { id: file.clientId, name: file.clientName };
  if (former.id === client.id) {
    await record(scope, proof, { ...entry, details: `Re-filed file: ${name}`, client }, at);
    return;
  }
  await record(scope, proof, { ...entry, details: `Re-filed file away: ${name}`, client: former }, at);
  await record(scope, proof, { ...entry, details: `Re-filed file here: ${name}`, client }, at);
}
