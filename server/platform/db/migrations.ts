// The schema's history, forward only: every step runs once, in order, in one transaction with its record.
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { DatabaseKind } from './database.ts';
import { foundation } from './migrations/0001-foundation.ts';
import { safeguards } from './migrations/0002-safeguards.ts';
import { filesByKind } from './migrations/0003-files-by-kind.ts';
import { activityOfClients } from './migrations/0004-activity-of-clients.ts';
import { knownNetworks } from './migrations/0005-known-networks.ts';
import { refusalsThatCount } from './migrations/0006-refusals-that-count.ts';
import { lookAlikeNames } from './migrations/0007-look-alike-names.ts';
import { filesByAccessKey } from './migrations/0008-files-by-access-key.ts';
import { blobs } from './migrations/0009-blobs.ts';
import { jobs } from './migrations/0010-jobs.ts';
import { wordsOfTheLog } from './migrations/0011-words-of-the-log.ts';
import { peopleByNetwork } from './migrations/0012-people-by-network.ts';
import { periodsAndWords } from './migrations/0013-periods-and-words.ts';
import { people } from './migrations/0014-people.ts';
import { changes } from './migrations/0015-changes.ts';
import { archives } from './migrations/0016-archives.ts';
import { otherNames } from './migrations/0017-other-names.ts';
import { trash } from './migrations/0018-trash.ts';
import { batches } from './migrations/0019-batches.ts';
import { expectations } from './migrations/0020-expectations.ts';
import { countedByStatement } from './migrations/0021-counted-by-statement.ts';
import { batchOpens } from './migrations/0022-batch-opens.ts';
import { fourEyes } from './migrations/0023-four-eyes.ts';
import { documentTexts } from './migrations/0024-document-texts.ts';
import { reportTypePhrases } from './migrations/0025-report-type-phrases.ts';
import { corrections } from './migrations/0026-corrections.ts';
import { fileMarks } from './migrations/0027-file-marks.ts';
import { changesOfBatches } from './migrations/0028-changes-of-batches.ts';
import { encryption } from './migrations/0029-encryption.ts';
import { whoAccepted } from './migrations/0030-who-accepted.ts';
import { judgedByNames } from './migrations/0031-judged-by-names.ts';
import { turnsOfReading } from './migrations/0032-turns-of-reading.ts';
import { toldOfBatches } from './migrations/0033-told-of-batches.ts';
import { firstSteps } from './migrations/0034-first-steps.ts';
import { looks } from './migrations/0035-looks.ts';
import { whoOpened } from './migrations/0036-who-opened.ts';
import { preferences } from './migrations/0037-preferences.ts';
import { invitations } from './migrations/0038-invitations.ts';
import { plainWords } from './migrations/0039-plain-words.ts';
import { orderOfNames } from './migrations/0040-order-of-names.ts';
import { keptReadings } from './migrations/0041-kept-readings.ts';
import { sameBytes } from './migrations/0042-same-bytes.ts';
import { mails } from './migrations/0043-mails.ts';
import { backups } from './migrations/0044-backups.ts';
import { suggestions } from './migrations/0045-suggestions.ts';
import { lockedFiles } from './migrations/0046-locked-files.ts';
import { holds } from './migrations/0047-holds.ts';
import { firmFace } from './migrations/0048-firm-face.ts';
import { digests } from './migrations/0049-digests.ts';
import { requests } from './migrations/0050-requests.ts';
import { originals } from './migrations/0051-originals.ts';
import { reminders } from './migrations/0052-reminders.ts';
import { retention } from './migrations/0053-retention.ts';
import { requestNews } from './migrations/0054-request-news.ts';
import { longReading } from './migrations/0055-long-reading.ts';
import { versions } from './migrations/0056-versions.ts';
import { ownJobs } from './migrations/0057-own-jobs.ts';
import { renamedTypes } from './migrations/0058-renamed-types.ts';
import { toldOfMails } from './migrations/0059-told-of-mails.ts';
import { filesThatComeLater } from './migrations/0060-files-that-come-later.ts';
import { reopenedRequests } from './migrations/0061-reopened-requests.ts';
import { lostDocuments } from './migrations/0062-lost-documents.ts';
import { requestsOnce } from './migrations/0063-requests-once.ts';
import { usersOnce } from './migrations/0064-users-once.ts';
import { redatedRequests } from './migrations/0065-redated-requests.ts';
import type { Dialect, Step } from './migrations/dialect.ts';
import type { Schema } from './schema.ts';
import { SchemaRefusal } from './schema-refusal.ts';

/** Exists in a database while a firm is moved into it (`server/platform/move/`); no server starts on half a firm. */
export const UNFINISHED_MOVE = 'unfinished_move';

const STEPS_TAKEN = 'kysely_migration';

const dialects: Record<DatabaseKind, Dialect> = {
  sqlite: {
    engine: 'sqlite',
    id: 'id integer primary key autoincrement',
    text: 'text',
    computed: 'virtual',
    keyedTable: ' without rowid',
  },
  postgres: {
    engine: 'postgres',
    id: 'id bigint generated always as identity primary key',
    text: 'text collate "C"',
    computed: 'stored',
    keyedTable: '',
  },
};

const steps: Readonly<Record<string, Step>> = {
  '0001-foundation': foundation,
  '0002-safeguards': safeguards,
  '0003-files-by-kind': filesByKind,
  '0004-activity-of-clients': activityOfClients,
  '0005-known-networks': knownNetworks,
  '0006-refusals-that-count': refusalsThatCount,
  '0007-look-alike-names': lookAlikeNames,
  '0008-files-by-access-key': filesByAccessKey,
  '0009-blobs': blobs,
  '0010-jobs': jobs,
  '0011-words-of-the-log': wordsOfTheLog,
  '0012-people-by-network': peopleByNetwork,
  '0013-periods-and-words': periodsAndWords,
  '0014-people': people,
  '0015-changes': changes,
  '0016-archives': archives,
  '0017-other-names': otherNames,
  '0018-trash': trash,
  '0019-batches': batches,
  '0020-expectations': expectations,
  '0021-counted-by-statement': countedByStatement,
  '0022-batch-opens': batchOpens,
  '0023-four-eyes': fourEyes,
  '0024-document-texts': documentTexts,
  '0025-report-type-phrases': reportTypePhrases,
  '0026-corrections': corrections,
  '0027-file-marks': fileMarks,
  '0028-changes-of-batches': changesOfBatches,
  '0029-encryption': encryption,
  '0030-who-accepted': whoAccepted,
  '0031-judged-by-names': judgedByNames,
  '0032-turns-of-reading': turnsOfReading,
  '0033-told-of-batches': toldOfBatches,
  '0034-first-steps': firstSteps,
  '0035-looks': looks,
  '0036-who-opened': whoOpened,
  '0037-preferences': preferences,
  '0038-invitations': invitations,
  '0039-plain-words': plainWords,
  '0040-order-of-names': orderOfNames,
  '0041-kept-readings': keptReadings,
  '0042-same-bytes': sameBytes,
  '0043-mails': mails,
  '0044-backups': backups,
  '0045-suggestions': suggestions,
  '0046-locked-files': lockedFiles,
  '0047-holds': holds,
  '0048-firm-face': firmFace,
  '0049-digests': digests,
  '0050-requests': requests,
  '0051-originals': originals,
  '0052-reminders': reminders,
  '0053-retention': retention,
  '0054-request-news': requestNews,
  '0055-long-reading': longReading,
  '0056-versions': versions,
  '0057-own-jobs': ownJobs,
  '0058-renamed-types': renamedTypes,
  '0059-told-of-mails': toldOfMails,
  '0060-files-that-come-later': filesThatComeLater,
  '0061-reopened-requests': reopenedRequests,
  '0062-lost-documents': lostDocuments,
  '0063-requests-once': requestsOnce,
  '0064-users-once': usersOnce,
  '0065-redated-requests': redatedRequests,
};

/** Every step by its name, in order. */
export function migrationsFor(kind: DatabaseKind): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [
      name,
      {
        up: async (db: Kysely<Schema>) => {
          // A long log takes longer than any request may.
          if (kind === 'postgres') await sql`set local statement_timeout = 0`.execute(db);
          await step(db, dialects[kind]);
        },
      },
    ]),
  );
}

/**
 * Brings the schema up to date. The engine's lock orders two processes that start together; a schema
 * that holds steps unknown here throws SchemaRefusal and is left as it is.
 */
export async function migrate(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const known = migrationsFor(kind);
  await refuseNewerSchema(db, Object.keys(known));
  const { error } = await withoutTimeLimit(db, kind, (held) =>
    new Migrator({ db: held, provider: { getMigrations: async () => known } }).migrateToLatest(),
  );
  if (error) {
    // The other of two processes may have been a newer program that finished first.
    await refuseNewerSchema(db, Object.keys(known));
    throw error;
  }
}

/** Who waits for another process that migrates waits longer than any request may. */
function withoutTimeLimit<Result>(
  db: Kysely<Schema>,
  kind: DatabaseKind,
  work: (db: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  if (kind === 'sqlite') return work(db);
  return db.connection().execute(async (held) => {
    await sql`set statement_timeout = 0`.execute(held);
    try {
      return await work(held);
    } finally {
      await sql`reset statement_timeout`.execute(held);
    }
  });
}

async function refuseNewerSchema(db: Kysely<Schema>, known: readonly string[]): Promise<void> {
  const tables = await tableNames(db);
  refuseUnfinishedMove(tables);
  const { unknown } = compareSteps(tables.includes(STEPS_TAKEN) ? await takenSteps(db) : [], known);
  if (unknown.length > 0) throw newerSchema(unknown);
}

function refuseUnfinishedMove(tables: readonly string[]): void {
  if (!tables.includes(UNFINISHED_MOVE)) return;
  throw new SchemaRefusal(
    'A firm is being moved or restored into this database, and that has not ended. Run it again.',
  );
}

/** Names of all tables, those of the migrations too. */
async function tableNames(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.map((table) => table.name);
}

async function takenSteps(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(STEPS_TAKEN)}`.execute(db);
  return rows.map((row) => row.name);
}

function compareSteps(taken: readonly string[], known: readonly string[]) {
  return {
    unknown: taken.filter((name) => !known.includes(name)),
    missing: known.filter((name) => !taken.includes(name)),
  };
}

const newerSchema = (unknown: readonly string[]) =>
  new SchemaRefusal(
    `The database was made by a newer Coffer (it has ${unknown.join(', ')}). Start that version, or restore an older backup.`,
  );

/** Throws SchemaRefusal unless the database has a whole firm, with exactly the schema that `migrate` would bring it to; changes nothing. */
export async function requireCurrentSchema(db: Kysely<Schema>): Promise<void> {
  refuseUnfinishedMove(await tableNames(db));
  await requireLatestSteps(db);
}

/** As `requireCurrentSchema`, for what moves a firm into the database: how much of it is there already makes no difference. */
export async function requireLatestSteps(db: Kysely<Schema>): Promise<void> {
  if (!(await tableNames(db)).includes(STEPS_TAKEN)) throw new SchemaRefusal('The database holds no firm.');
  const { unknown, missing } = compareSteps(await takenSteps(db), Object.keys(steps));
  if (unknown.length > 0) throw newerSchema(unknown);
  if (missing.length > 0) {
    throw new SchemaRefusal(
      `The database was made by an older Coffer (it lacks ${missing.join(', ')}). Start this version on it once.`,
    );
  }
}
