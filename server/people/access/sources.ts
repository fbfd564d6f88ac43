// The tables as one viewer sees them: every read of the product starts here. `contract/policy/reach.ts` says the same as pure rules.
import { type Compilable, type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { REMEMBERED } from '#contract/batch-words.ts';
import { type Actor, isClientUser } from '#contract/policy/actor.ts';
import {
  activityReach,
  batchReach,
  keepsWords,
  reachesEveryReportType,
  reachesEveryRole,
  reachesEveryUser,
} from '#contract/policy/reach.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { DatabaseKind } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import {
  type ActivityIndex,
  activityAlong,
  activityOfOwn,
  activityReached,
  activityWithWords,
} from './activity-reach.ts';
import { changeReached, requestReached } from './change-reach.ts';
import {
  type FileIndex,
  filesAlong,
  filesAmong,
  filesOfOwnClients,
  isNewFile,
  isUnopenedByStaff,
  lateFiles,
  markedFileIds,
  mightTakeBack,
} from './file-reach.ts';
import {
  batchWithinLists,
  everything,
  fileColumns,
  fileKeyReached,
  fileReached,
  inClientList,
  inReportTypeList,
  nothing,
  type OnePlace,
  type Reader,
  type RowSource,
  type Since,
  type ViewerId,
} from './reach.ts';
import { deletedFiles, trashReached } from './trash-reach.ts';

/** An engine with what runs queries on it: its reader, or a transaction. */
export interface Opened {
  readonly engine: DatabaseKind;
  /** Whether words are found by trigrams, three letters in a row. */
  readonly hasWordIndex: boolean;
  readonly db: Kysely<Schema>;
}

/** The tables as one viewer sees them. Each is a query that already carries the viewer's reach. */
export class Sources {
  readonly engine: DatabaseKind;
  readonly hasWordIndex: boolean;
  protected readonly db: Kysely<Schema>;
  readonly #reader: Reader;
  readonly #viewer: Actor;
  readonly #id: ViewerId;

  constructor({ engine, hasWordIndex, db }: Opened, viewer: Actor, id: ViewerId, since: Since) {
    this.engine = engine;
    this.hasWordIndex = hasWordIndex;
    this.db = db;
    this.#reader = { engine, viewer, id, since };
    this.#viewer = viewer;
    this.#id = id;
  }

  /** A query written out, over what these sources gave. */
  query<Row>(text: RawBuilder<Row>): Compilable<Row> {
    return { compile: () => text.compile(this.db) };
  }

  clients() {
    return this.db
      .selectFrom('clients')
      .where(this.#viewer.reach === 'all' ? everything : inClientList(this.#id, 'clients.id'));
  }

  /** The report types the viewer finds in lists; whoever manages them finds all. */
  reportTypes() {
    return this.db
      .selectFrom('report_types')
      .where(reachesEveryReportType(this.#viewer) ? everything : inReportTypeList(this.#id, 'report_types.id'));
  }

  /** The report types whose reports the viewer reaches: what may be uploaded under and handed on to others. */
  reachedReportTypes() {
    return this.db
      .selectFrom('report_types')
      .where(this.#viewer.reach === 'all' ? everything : inReportTypeList(this.#id, 'report_types.id'));
  }

  users() {
    return this.db
      .selectFrom('users')
      .where(reachesEveryUser(this.#viewer) ? everything : sql<SqlBool>`users.id = ${this.#id}`);
  }

  roles() {
    return this.db
      .selectFrom('roles')
      .where(
        reachesEveryRole(this.#viewer)
          ? everything
          : sql<SqlBool>`roles.id = (select own.role_id from users own where own.id = ${this.#id})`,
      );
  }

  files() {
    const query = this.db.selectFrom('files');
    return this.#viewer.reach === 'all'
      ? query.where(everything)
      : query.where(fileReached(this.engine, this.#id, fileColumns('files')));
  }

  /** Whether the file that is called `alias` is in reach, where it is of the same client as one that is. */
  isReachedFile(alias: string): Expression<SqlBool> {
    return this.#viewer.reach === 'all' ? everything : fileKeyReached(this.engine, this.#id, fileColumns(alias));
  }

  /** Whether a file of `table` is new to the viewer: it came lately, from somebody else, and the viewer has not opened it. */
  isNewFile(table: 'files' | 'file'): RawBuilder<SqlBool> {
    return isNewFile(this.#reader, table);
  }

  /** Whether the viewer might take back a report of `files`: uploaded it lately enough. Null where the viewer takes none back. */
  mightTakeBack(): RawBuilder<SqlBool> | null {
    return mightTakeBack(this.#reader);
  }

  /** Whether nobody of staff has opened a file of `table`, a document that a Client user sent and that came so lately that it is known. */
  isUnopenedByStaff(table: 'file'): RawBuilder<SqlBool> {
    return isUnopenedByStaff(table);
  }

  /** Files that came so lately that they may be new to the viewer, and that `narrow` leaves: to a Client user, all of the own clients. */
  lateFiles(narrow: Expression<SqlBool>): RowSource {
    return lateFiles(this.#reader, narrow);
  }

  /** The files in reach under the name `file`, read along one index: for walks that soon have enough. */
  filesAlong(index: FileIndex, one?: OnePlace): RowSource {
    return filesAlong(this.#reader, index, one);
  }

  /** The same files client by client, for somebody with access lists: for reading all of few. */
  filesOfOwnClients(narrow: Expression<SqlBool>): RowSource {
    return filesOfOwnClients(this.#reader, narrow);
  }

  activity() {
    return this.db.selectFrom('activity').where(activityReached(this.#reader, 'activity'));
  }

  /** The entries in reach under the name `entry`, read along one index. */
  activityAlong(index: ActivityIndex): RowSource {
    return activityAlong(this.#reader, index);
  }

  /** Whether the viewer's entries are found by the viewer's clients, and those of nobody else are looked at. */
  get findsActivityByClient(): boolean {
    return activityReach(this.#viewer) === 'own-and-clients' && this.#viewer.reach === 'lists';
  }

  /** The entries that `narrow` leaves, client by client and the viewer's own besides: for reading all of few. */
  activityOfOwn(narrow: (row: string) => Expression<SqlBool>): RowSource {
    return activityOfOwn(this.#reader, narrow);
  }

  /** The entries in reach that hold the letters in the parameter `trigrams`, with those whose letters nobody has written down yet. */
  activityWithWords(): RowSource {
    return activityWithWords(this.#reader);
  }

  /** Files in reach among those whose ids `ids` answers. */
  filesAmong(ids: RawBuilder<unknown>): RowSource {
    return filesAmong(this.#reader, ids);
  }

  /**
   * The ids of files that name another client than theirs, with whom and since when, as far as anybody is to look at that; reach over
   * the files themselves is asked for where they are read. A Client user has none: that another client exists is not theirs to know.
   */
  markedFileIds(): RawBuilder<{ id: number; named: number | null; at: number }> {
    return markedFileIds(this.#reader);
  }

  /** The counters behind `files()`: the same rule over the same columns. */
  fileCounts(one?: OnePlace) {
    const query = this.db.selectFrom('file_counts');
    const columns = { ...fileColumns('file_counts'), owner: 'file_counts.owner_id' };
    return this.#viewer.reach === 'all'
      ? query.where(everything)
      : query.where(fileReached(this.engine, this.#id, columns, one));
  }

  /** The counters behind `activity()`. */
  activityCounts() {
    return this.db.selectFrom('activity_counts').where(activityReached(this.#reader, 'activity_counts'));
  }

  /** What changed among the rows that the viewer reaches: each list by the rule that it is read by, as the row was then. */
  changes() {
    return this.db.selectFrom('changes').where(changeReached(this.#reader));
  }

  /** What was done with the viewer's own account. */
  ownSecurityEvents() {
    return this.db.selectFrom('security_events').where(sql<SqlBool>`security_events.user_id = ${this.#id}`);
  }

  /** Work in the background, which is nobody's in particular: the action `jobs.read` asks for reach over everything. */
  jobs() {
    return this.db.selectFrom('jobs').where(this.#viewer.reach === 'all' ? everything : nothing);
  }

  /** What the viewer has ordered in the background: nobody has anybody else's. */
  ownJobs() {
    return this.db.selectFrom('jobs').where(sql<SqlBool>`jobs.acting_user_id = ${this.#id}`);
  }

  /** Mails to anybody: the action `mail.read` asks for reach over everything. */
  mails() {
    return this.db.selectFrom('mails').where(this.#viewer.reach === 'all' ? everything : nothing);
  }

  /** The viewer's own prepared ZIPs: nobody has anybody else's. */
  ownArchives() {
    return this.db.selectFrom('archives').where(sql<SqlBool>`archives.owner_id = ${this.#id}`);
  }

  /** What is expected of clients in reach under report types in reach: every report that it speaks of is in reach too. */
  expectations() {
    const query = this.db.selectFrom('expectations');
    return this.#viewer.reach === 'all'
      ? query.where(everything)
      : query
          .where(inClientList(this.#id, 'expectations.client_id'))
          .where(inReportTypeList(this.#id, 'expectations.report_type_id'));
  }

  /** What clients in reach are asked for; with their items and files, which are found by them. */
  requests() {
    return this.db.selectFrom('requests').where(requestReached(this.#reader, 'requests'));
  }

  /** What requests begin with, which is the firm's: the action decides who reads it. */
  requestTemplates() {
    return this.db.selectFrom('request_templates');
  }

  /** What the firm has decided for everybody. */
  firmSettings() {
    return this.db.selectFrom('firm_settings');
  }

  /** What the viewer suggested, and what anybody did whose words the viewer keeps: of clients and report types in reach. */
  suggestions() {
    const kept = REMEMBERED.filter((kind) => keepsWords(this.#viewer, kind)).map((kind) => sql.lit(kind));
    const own = sql<SqlBool>`suggestions.owner_id = ${this.#id}`;
    return this.db
      .selectFrom('suggestions')
      .where(kept.length === 0 ? own : sql<SqlBool>`(${own} or suggestions.kind in (${sql.join(kept)}))`)
      .where(
        sql<SqlBool>`(suggestions.client_id is null or suggestions.client_id in (${this.clients().select('clients.id')}))`,
      )
      .where(
        sql<SqlBool>`(suggestions.report_type_id is null or suggestions.report_type_id in (${this.reportTypes().select('report_types.id')}))`,
      );
  }

  /** What was disposed of, of any client: the action `retention.read` asks for reach over everything. */
  disposals() {
    return this.db.selectFrom('disposals').where(this.#viewer.reach === 'all' ? everything : nothing);
  }

  /** How backups ended. */
  backupRuns() {
    return this.db.selectFrom('backup_runs');
  }

  /** The batches that the viewer works on. */
  batches() {
    const reach = batchReach(this.#viewer);
    const own = sql<SqlBool>`(batches.owner_id = ${this.#id} or (${batchWithinLists(this.#id)}))`;
    return this.db.selectFrom('batches').where({ all: everything, own, none: nothing }[reach]);
  }

  /**
   * What the viewer may restore: whoever manages all files or clients finds all of them, anybody else what they deleted, files
   * as far as they would see them today.
   */
  trash() {
    return this.db.selectFrom('trash').where(trashReached(this.#reader));
  }

  /** Holds on clients in reach and on files in reach, those in the trash too. A Client user has none: why something is kept is not theirs to know. */
  holds() {
    const query = this.db.selectFrom('holds');
    if (isClientUser(this.#viewer)) return query.where(nothing);
    if (this.#viewer.reach === 'all') return query.where(everything);
    const inTrash = this.trash().where('trash.kind', '=', 'file').select('trash.item_id');
    return query
      .where(inClientList(this.#id, 'holds.client_id'))
      .where(
        sql<SqlBool>`(holds.kind = 'client' or holds.item_id in (${this.files().select('files.id')}) or holds.item_id in (${inTrash}))`,
      );
  }

  /**
   * Earlier versions under the name `version`, each with the file in reach that is the newest of them. Who reaches that is told that
   * there is a newer one; what a version is, and its bytes, are for staff: `versions`.
   */
  replaced() {
    return this.files().innerJoin('trash as version', (join) =>
      join.onRef('version.version_of', '=', 'files.id').on('version.kind', '=', 'version'),
    );
  }

  versions() {
    return this.replaced().where(mayAttempt(this.#viewer, 'files.read-versions') ? everything : nothing);
  }

  /** Deleted files under the name `gone`, as far as the viewer would see them today: those that went with their client aside. */
  deletedFiles(): RowSource {
    return deletedFiles(this.#reader);
  }

  /** How often the viewer hears of what by mail, where they have chosen. */
  ownDigestChoices() {
    return this.db.selectFrom('digest_choices').where(sql<SqlBool>`digest_choices.user_id = ${this.#id}`);
  }

  /** The viewer's own entries in the two access lists. */
  ownClientIds() {
    return this.db.selectFrom('user_clients').where(sql<SqlBool>`user_clients.user_id = ${this.#id}`);
  }
}
