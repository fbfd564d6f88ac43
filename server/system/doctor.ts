// `npm run admin -- doctor`: what the page System says, for who has a terminal. Nothing is changed.
import { inFigures, sizeWords } from '#contract/plain-words.ts';
import type { SystemFacts } from '#contract/system.ts';
import { freeWords, rereadWords, storedAt, unlistedWords } from '#contract/system-words.ts';
import type { Config } from '../config.ts';
import { FirmFace } from '../people/access/firm-settings.ts';
import { openByteStore, parseBlobUrl } from '../platform/blobs/open-blob-store.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { readSystemFacts } from './system-facts.ts';
import { type FailedJob, failedJobs } from './system-rows.ts';

/** As many as the page lists. */
const FAILED_SHOWN = 5;

function* linesOf(facts: SystemFacts, failed: readonly FailedJob[]): Generator<string> {
  const { version, database, store, jobs, backup, mail, warnings } = facts;
  yield `Version     ${version}`;
  yield `Database    ${database.engine} at ${database.place}, ${sizeWords(database.sizeBytes)}${freeWords(database.freeBytes)}`;
  yield `Files       ${store.files.toLocaleString('en-US')} at ${store.place}, ${sizeWords(store.sizeBytes)}${freeWords(store.freeBytes)}. ${rereadWords(store.rereadDays)}`;
  yield `Jobs        ${jobs.running} running, ${jobs.due} due, ${jobs.failed} failed within three days`;
  yield `Backup      ${backup?.last ? `${backup.last.endedAt}, ${backup.last.files} files, at ${backup.last.place}` : 'none'}`;
  yield `Mail        ${mail.setUp ? `through ${mail.setUp.server} as ${mail.setUp.from}` : 'not set up'}`;
  yield '';
  if (warnings.length === 0) yield 'Nothing is wrong.';
  for (const { says, toDo } of warnings) {
    yield `! ${says}`;
    yield `  ${toDo}`;
  }
  // By the names that the log and /metrics have of them, too. What a program said may have several lines, or move the cursor.
  for (const { kind, error } of failed) yield `Failed      ${kind}: ${(error ?? '').replaceAll(/[\s\p{Cc}]+/gu, ' ')}`;
  const more = failed.length === 0 ? 0 : jobs.failed - failed.length;
  if (more > 0) yield `Failed      and ${inFigures(more)} more`;
  // A warning says that they are listed below.
  for (const { id, name, ...place } of store.damagedFiles) {
    const isOfClient = ['file', 'version', 'trash'].includes(place.kind);
    yield `Damaged     ${name}: ${storedAt(place)}${isOfClient ? ` (file ${id})` : ''}`;
  }
  const unlisted = unlistedWords(store.damaged, store.damagedFiles.length);
  if (unlisted !== null) yield `Damaged     ${unlisted}`;
}

/** Returns the exit code: 1 where something is wrong. */
export async function runDoctor(config: Config, database: Database, say: (line: string) => void): Promise<number> {
  const checkStore = async () => {
    const store = await openByteStore(parseBlobUrl(config.blobUrl), { holdsFiles: true });
    try {
      await store.check();
    } finally {
      await store.close();
    }
  };
  const face = new FirmFace(database, config, systemClock);
  const facts = await readSystemFacts({ database, config, face, checkStore, now: Date.now });
  const failed = await failedJobs(database, Date.now(), FAILED_SHOWN);
  for (const line of linesOf(facts, failed)) say(line);
  return facts.warnings.length === 0 ? 0 : 1;
}
