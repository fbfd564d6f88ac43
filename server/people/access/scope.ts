// Who sees which row, in SQL. Every read of the product starts here; `contract/policy.ts` says the same as pure rules.

import { type Compilable, type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { REMEMBERED } from '#contract/batch-words.ts';
import type { ChangeTopic } from '#contract/changes.ts';
import { refuse } from '#contract/errors.ts';
import { NEW_FILE_DAYS } from '#contract/files.ts';
import {
  type ActingActor,
  type Action,
  type Actor,
  activityReach,
  authorize,
  batchReach,
  changesRights,
  guardRoute,
  isClientUser,
  keepsWords,
  type Look,
  mayAttempt,
  type Proof,
  reachesEveryReportType,
  reachesEveryRole,
  reachesEveryUser,
  type SubjectOf,
  seesRequests,
  TAKE_BACK_MS,
  takesBack,
  trashReach,
} from '#contract/policy.ts';
import { BoundedCache } from '../../platform/db/bounded-cache.ts';
import type { Database, DatabaseKind, Turn } from '../../platform/db/database.ts';
import { along, asideFromIndexes, forEachOf, isOneOf } from '../../platform/db/engine-sql.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { bindParams, boundQuery, param, prepareStatement, type Statement } from '../../platform/db/statement.ts';
import { idsWithWords } from '../../platform/db/text-search.ts';
import type { Credential } from './credential.ts';
import {
  batchWithinLists,
  DOCUMENT,
  everything,
  fileColumns,
  fileKeyReached,
  fileReached,
  inClientList,
  inReportTypeList,
  listedClients,
  type OnePlace,
  type ViewerId,
} from './reach.ts';

/** The signed-in person of one request, with the rights of that moment. */
export interface Viewer extends ActingActor {
  readonly credential: Credential;
  readonly username: string;
  readonly fullName: string;
  readonly roleId: number;
  readonly roleName: string;
  /** Where somebody else looks as this person: who. Whatever is counted or noted is theirs. */
  readonly look: (Look & { readonly by: Pick<Viewer, 'id' | 'username' | 'fullName'> }) | null;
}

/** The person who in truth makes the calls of a viewer. */
export const callerOf = (viewer: Viewer): Pick<Viewer, 'id' | 'username' | 'fullName'> => viewer.look?.by ?? viewer;

/** The indexes along which lists of files are read. Each holds all that reach asks of a file. */
export type FileIndex =
  | 'files_newest'
  | 'files_key_newest'
  | 'files_document_type_newest'
  | 'files_client_newest'
  | 'files_client_key_newest'
  | 'files_name'
  | 'files_kind_name'
  | 'files_key_name'
  | 'files_client_name'
  | 'files_size'
  | 'files_kind_size'
  | 'files_period'
  | 'files_client_period'
  | 'files_without_period'
  | 'files_sent_by_clients'
  | 'files_unopened';

/** Rows in reach, as the parts of a query: files go by the name `file`, entries of the log by `entry`. */
export interface RowSource {
  readonly from: RawBuilder<unknown>;
  readonly where: Expression<SqlBool>;
}

/** The indexes along which the log is read. */
export type ActivityIndex =
  | 'activity_newest'
  | 'activity_action'
  | 'activity_user'
  | 'activity_client'
  | 'activity_file';

/** An engine with what runs queries on it: its reader, or a transaction. */
interface Opened {
  readonly engine: DatabaseKind;
  /** Whether words are found by the threes of their letters. */
  readonly hasWordIndex: boolean;
  readonly db: Kysely<Schema>;
}

/** From when on files are new, and reports may be taken back: in ms since the epoch, or the parameter for it. */
interface Since {
  readonly newFiles: () => number | RawBuilder<number>;
  readonly takeBack: () => number | RawBuilder<number>;
}

/** The tables as one viewer sees them. Each is a query that already carries the viewer's reach. */
export class Sources {
  readonly engine: DatabaseKind;
  readonly hasWordIndex: boolean;
  protected readonly db: Kysely<Schema>;
  readonly #viewer: Actor;
  readonly #id: ViewerId;
  readonly #since: Since;

  constructor({ engine, hasWordIndex, db }: Opened, viewer: Actor, id: ViewerId, since: Since) {
    this.engine = engine;
    this.hasWordIndex = hasWordIndex;
    this.db = db;
    this.#viewer = viewer;
    this.#id = id;
    this.#since = since;
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

  /** Whether a file of `table` may be new to the viewer at all: to staff only documents that Client users sent are. */
  #isForViewer(table: 'files' | 'file'): Expression<SqlBool> {
    if (isClientUser(this.#viewer)) return everything;
    return sql<SqlBool>`${sql.ref(`${table}.sent_by_client`)} = 1 and ${sql.ref(`${table}.access_key`)} = ${sql.lit(DOCUMENT)}`;
  }

  /** Whether a file of `table` is new to the viewer: it came lately, from somebody else, and the viewer has not opened it. */
  isNewFile(table: 'files' | 'file'): RawBuilder<SqlBool> {
    const column = (name: string) => sql.ref(`${table}.${name}`);
    return sql<SqlBool>`(${this.#isForViewer(table)} and ${column('uploaded_at')} >= ${this.#since.newFiles()}
      and ${column('uploaded_at')} >= (select coalesce(reader.news_since, reader.created_at) from users reader where reader.id = ${this.#id})
      and ${column('uploaded_by_id')} is distinct from ${this.#id}
      and not exists (select 1 from file_opens opened where opened.file_id = ${column('id')} and opened.user_id = ${this.#id}))`;
  }

  /** Whether the viewer might take back a report of `files`: uploaded it lately enough. Null where the viewer takes none back. */
  mightTakeBack(): RawBuilder<SqlBool> | null {
    if (!takesBack(this.#viewer)) return null;
    return sql<SqlBool>`(files.uploaded_by_id = ${this.#id} and files.access_key >= 0 and files.uploaded_at > ${this.#since.takeBack()})`;
  }

  /** Whether nobody of staff has opened a file of `table`, a document that a Client user sent and that came so lately that it is known. */
  isUnopenedByStaff(table: 'file'): RawBuilder<SqlBool> {
    return sql<SqlBool>`not exists (select 1 from file_opens opened join users person on person.id = opened.user_id
      join roles held on held.id = person.role_id
      where opened.file_id = ${sql.ref(`${table}.id`)} and held.system_key is distinct from 'client')`;
  }

  /** Files that came so lately that they may be new to the viewer, and that `narrow` leaves: to a Client user, all of the own clients. */
  lateFiles(narrow: Expression<SqlBool>): RowSource {
    // Said apart too, so that no older file is looked at.
    const lately = sql<SqlBool>`(${this.#isForViewer('file')} and file.uploaded_at >= ${this.#since.newFiles()} and ${narrow})`;
    if (isClientUser(this.#viewer)) return this.filesOfOwnClients(lately);
    const { from, where } = this.filesAlong('files_sent_by_clients');
    return { from, where: sql<SqlBool>`${where} and ${lately}` };
  }

  /** The files in reach under the name `file`, read along one index: for walks that soon have enough. */
  filesAlong(index: FileIndex, one?: OnePlace): RowSource {
    const from = along(this.engine, 'files', 'file', index);
    return this.#viewer.reach === 'all'
      ? { from, where: everything }
      : {
          from,
          where: fileReached(
            this.engine,
            this.#id,
            { ...fileColumns('file'), client: asideFromIndexes(this.engine, 'file.client_id') },
            one,
          ),
        };
  }

  /** The same files client by client, for somebody with access lists: for reading all of few. */
  filesOfOwnClients(narrow: Expression<SqlBool>): RowSource {
    const reached = fileKeyReached(this.engine, this.#id, fileColumns('file'));
    return forEachOf(this.engine, this.#mine(), {
      table: 'files',
      alias: 'file',
      index: 'files_client_newest',
      where: sql<SqlBool>`file.client_id = mine.id and ${reached} and ${narrow}`,
    });
  }

  activity() {
    return this.db.selectFrom('activity').where(this.#activityReached('activity'));
  }

  /** The entries in reach under the name `entry`, read along one index. */
  activityAlong(index: ActivityIndex): RowSource {
    return { from: along(this.engine, 'activity', 'entry', index), where: this.#activityReached('entry') };
  }

  /** Whether the viewer's entries are found by the viewer's clients, and those of nobody else are looked at. */
  get findsActivityByClient(): boolean {
    return activityReach(this.#viewer) === 'own-and-clients' && this.#viewer.reach === 'lists';
  }

  /** The entries that `narrow` leaves, client by client and the viewer's own besides: for reading all of few. */
  activityOfOwn(narrow: (row: string) => Expression<SqlBool>): RowSource {
    const { from, where } = forEachOf(this.engine, this.#mine(), {
      table: 'activity',
      alias: 'of_client',
      index: 'activity_client',
      where: sql<SqlBool>`of_client.client_id = mine.id and ${narrow('of_client')}`,
    });
    const own = sql`${along(this.engine, 'activity', 'own', 'activity_user')} where own.user_id = ${this.#id}
      and (own.client_id is null or not ${isOneOf(this.engine, 'own.client_id', listedClients(this.#id))}) and ${narrow('own')}`;
    return {
      from: sql`(select of_client.id as id, of_client.at as at from ${from} where ${where}
        union all select own.id as id, own.at as at from ${own}) as entry`,
      where: everything,
    };
  }

  /** The entries in reach that hold the letters in the parameter `threes`, with those whose letters nobody has written down yet. */
  activityWithWords(): RowSource {
    const ids = idsWithWords(this.engine, 'activity');
    const late =
      this.engine === 'postgres'
        ? sql``
        : sql` union all select late.id from activity late
            where late.id > (select through_id from indexed_words where table_name = 'activity')`;
    return {
      from: sql`(${ids}${late}) as found cross join activity as entry`,
      where: sql<SqlBool>`entry.id = found.id and ${this.#activityReached('entry')}`,
    };
  }

  /** The viewer's clients, as the table `mine` with their ids. */
  #mine(): RawBuilder<unknown> {
    return sql`(select listed.client_id as id from user_clients listed where listed.user_id = ${this.#id}) as mine`;
  }

  /** Files in reach among those whose ids `ids` answers. */
  filesAmong(ids: RawBuilder<unknown>): RowSource {
    const reached = this.#viewer.reach === 'all' ? everything : fileReached(this.engine, this.#id, fileColumns('file'));
    return {
      from: sql`(${ids}) as found cross join files as file`,
      where: sql<SqlBool>`file.id = found.id and ${reached}`,
    };
  }

  /**
   * The ids of files that name another client than theirs, with whom and since when, as far as anybody is to look at that; reach over
   * the files themselves is asked for where they are read. A Client user has none: that another client exists is not theirs to know.
   */
  markedFileIds(): RawBuilder<{ id: number; named: number | null; at: number }> {
    const seen = isClientUser(this.#viewer) ? sql<SqlBool>`1 = 0` : everything;
    return sql`select marked.file_id as id, marked.named_client_id as named, marked.created_at as at from file_marks marked where marked.state = 'open' and ${seen}`;
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
    return this.db.selectFrom('activity_counts').where(this.#activityReached('activity_counts'));
  }

  /** The same rule over entries and over their counters, where 0 stands for no client. */
  #activityReached(table: 'activity' | 'activity_counts' | 'entry' | 'changes'): Expression<SqlBool> {
    const own = sql<SqlBool>`${sql.ref(`${table}.user_id`)} = ${this.#id}`;
    switch (activityReach(this.#viewer)) {
      case 'all':
        return everything;
      case 'own':
        return own;
      case 'own-and-clients': {
        const ofClient =
          this.#viewer.reach === 'all'
            ? sql<SqlBool>`coalesce(${sql.ref(`${table}.client_id`)}, 0) <> 0`
            : isOneOf(
                this.engine,
                table === 'entry' ? asideFromIndexes(this.engine, 'entry.client_id') : `${table}.client_id`,
                listedClients(this.#id),
              );
        return sql<SqlBool>`(${own} or ${ofClient})`;
      }
    }
  }

  /** What changed among the rows that the viewer reaches: each list by the rule that it is read by, as the row was then. */
  changes() {
    const batches = { all: everything, own: sql<SqlBool>`changes.owner_id = ${this.#id}`, none: sql<SqlBool>`1 = 0` };
    const reached: Readonly<Record<ChangeTopic, Expression<SqlBool>>> = {
      files:
        this.#viewer.reach === 'all'
          ? everything
          : fileReached(this.engine, this.#id, { ...fileColumns('changes'), owner: 'changes.owner_id' }),
      activity: this.#activityReached('changes'),
      clients: this.#viewer.reach === 'all' ? everything : inClientList(this.#id, 'changes.client_id'),
      users: reachesEveryUser(this.#viewer) ? everything : sql<SqlBool>`changes.user_id = ${this.#id}`,
      roles: reachesEveryRole(this.#viewer)
        ? everything
        : sql<SqlBool>`changes.role_id = (select own.role_id from users own where own.id = ${this.#id})`,
      reportTypes: reachesEveryReportType(this.#viewer)
        ? everything
        : inReportTypeList(this.#id, 'changes.report_type_id'),
      batches: batches[batchReach(this.#viewer)],
      requests: this.#requestsReached('changes'),
    };
    const oneOfThem = Object.entries(reached).map(
      ([topic, rule]) => sql`(changes.topic = ${sql.lit(topic)} and ${rule})`,
    );
    return this.db.selectFrom('changes').where(sql<SqlBool>`(${sql.join(oneOfThem, sql` or `)})`);
  }

  /** What was done with the viewer's own account. */
  ownSecurityEvents() {
    return this.db.selectFrom('security_events').where(sql<SqlBool>`security_events.user_id = ${this.#id}`);
  }

  /** Work in the background, which is nobody's in particular: the action `jobs.read` asks for reach over everything. */
  jobs() {
    return this.db.selectFrom('jobs').where(this.#viewer.reach === 'all' ? everything : sql<SqlBool>`1 = 0`);
  }

  /** Mails to anybody: the action `mail.read` asks for reach over everything. */
  mails() {
    return this.db.selectFrom('mails').where(this.#viewer.reach === 'all' ? everything : sql<SqlBool>`1 = 0`);
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
    return this.db.selectFrom('requests').where(this.#requestsReached('requests'));
  }

  #requestsReached(table: 'requests' | 'changes'): Expression<SqlBool> {
    if (!seesRequests(this.#viewer)) return sql<SqlBool>`1 = 0`;
    return this.#viewer.reach === 'all' ? everything : inClientList(this.#id, `${table}.client_id`);
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
    return this.db.selectFrom('disposals').where(this.#viewer.reach === 'all' ? everything : sql<SqlBool>`1 = 0`);
  }

  /** How backups ended. */
  backupRuns() {
    return this.db.selectFrom('backup_runs');
  }

  /** The batches that the viewer works on. */
  batches() {
    const reach = batchReach(this.#viewer);
    const own = sql<SqlBool>`(batches.owner_id = ${this.#id} or (${batchWithinLists(this.#id)}))`;
    return this.db.selectFrom('batches').where({ all: everything, own, none: sql<SqlBool>`1 = 0` }[reach]);
  }

  /**
   * What the viewer may restore: whoever manages all files or clients finds all of them, anybody else what they deleted, files
   * as far as they would see them today.
   */
  trash() {
    const { files, clients } = trashReach(this.#viewer);
    const own = sql<SqlBool>`trash.deleted_by_id = ${this.#id}`;
    const columns = fileColumns('trash');
    // Whoever may delete a file may restore it: any report in reach, and documents that they sent.
    const deletable = sql<SqlBool>`(${own} or trash.uploaded_by_id = ${this.#id} or trash.access_key <> ${sql.lit(DOCUMENT)})`;
    const ofFiles = { all: everything, deletable, own }[files];
    const filesReached =
      this.#viewer.reach === 'all'
        ? ofFiles
        : sql<SqlBool>`(${ofFiles} and ${fileReached(this.engine, this.#id, columns)})`;
    const ofClients = { all: everything, own, none: sql<SqlBool>`1 = 0` }[clients];
    return this.db
      .selectFrom('trash')
      .where(sql<SqlBool>`((trash.kind = 'file' and ${filesReached}) or (trash.kind = 'client' and ${ofClients}))`);
  }

  /** Holds on clients in reach and on files in reach, those in the trash too. A Client user has none: why something is kept is not theirs to know. */
  holds() {
    const query = this.db.selectFrom('holds');
    if (isClientUser(this.#viewer)) return query.where(sql<SqlBool>`1 = 0`);
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
    return this.replaced().where(mayAttempt(this.#viewer, 'files.read-versions') ? everything : sql<SqlBool>`1 = 0`);
  }

  /** Deleted files under the name `gone`, as far as the viewer would see them today: those that went with their client aside. */
  deletedFiles(): RowSource {
    const reached = this.#viewer.reach === 'all' ? everything : fileReached(this.engine, this.#id, fileColumns('gone'));
    return {
      from: sql`trash as gone`,
      where: sql<SqlBool>`gone.kind = 'file' and gone.with_client = 0 and ${reached}`,
    };
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

/** What decides which rows a viewer's queries reach; viewers with the same shape share prepared statements. */
function shapeOf(viewer: Actor): string {
  return [
    viewer.reach,
    reachesEveryReportType(viewer) ? 'types' : '',
    reachesEveryUser(viewer) ? 'users' : '',
    reachesEveryRole(viewer) ? 'roles' : '',
    activityReach(viewer),
    isClientUser(viewer) ? 'news' : '',
    takesBack(viewer) ? 'takes back' : '',
    seesRequests(viewer) ? 'requests' : '',
    Object.values(trashReach(viewer)).join('/'),
    batchReach(viewer),
    ...REMEMBERED.map((kind) => keepsWords(viewer, kind)),
  ].join('|');
}

/** Runs a prepared statement, on the reader or inside a transaction. */
type Run = <Row>(statement: Statement, parameters: unknown[], lasting: Lasting) => Promise<Row[]>;

/** What may take longer than some milliseconds is read where nobody else waits for it. */
type Lasting = 'short' | 'long';

const STATEMENTS_KEPT = { entries: 1_000, characters: 4_000_000, longest: 65_536 };
const ESTIMATES_KEPT = { entries: 10_000, characters: 1_000_000, longest: 1_000 };
/** How long a figure is good enough to choose how a list is read. */
const ESTIMATE_MS = 60_000;

/** What the scopes of one process share. */
interface ScopeCaches {
  /** By viewer shape and name. Filters and orders make some thousands of names for each shape. */
  readonly statements: BoundedCache<Statement>;
  /** Figures by viewer and name, with when they were read. */
  readonly estimates: BoundedCache<{ readonly figure: number; readonly at: number }>;
  /** The time in ms since the epoch. */
  readonly now: () => number;
}

const NEW_FILE_MS = NEW_FILE_DAYS * 24 * 60 * 60_000;

/** Reading as one viewer. */
export class ReadScope extends Sources {
  readonly viewer: Viewer;
  readonly #run: Run;
  readonly #caches: ScopeCaches;
  readonly #shape: string;

  constructor(opened: Opened, viewer: Viewer, caches: ScopeCaches, run: Run) {
    super(opened, viewer, viewer.id, {
      newFiles: () => caches.now() - NEW_FILE_MS,
      takeBack: () => caches.now() - TAKE_BACK_MS,
    });
    this.viewer = viewer;
    this.#caches = caches;
    this.#shape = shapeOf(viewer);
    this.#run = run;
  }

  /** Proof that the viewer may do `action` to `subject`; throws the Refusal that says why not. */
  authorize<A extends Action>(action: A, ...subject: SubjectOf<A>): Proof<A> {
    return authorize(this.viewer, action, ...subject);
  }

  /** A figure of this viewer that need not be of this moment: it only decides how something is read, never what. */
  async estimate(name: string, read: () => Promise<number>): Promise<number> {
    const key = `${this.viewer.id} ${name}`;
    const now = performance.now();
    const known = this.#caches.estimates.get(key);
    if (known !== undefined && now - known.at < ESTIMATE_MS) return known.figure;
    const figure = await read();
    this.#caches.estimates.set(key, { figure, at: now }, key);
    return figure;
  }

  /**
   * Runs a query prepared once under `name`. `build` starts from the sources it is given, whose viewer is a parameter, and
   * marks every changing value with `param`; whatever else decides the text of the query belongs into `name`.
   */
  async prepared<Row>(
    name: string,
    build: (sources: Sources) => Compilable<Row>,
    values: Readonly<Record<string, unknown>> = {},
    lasting: Lasting = 'short',
  ): Promise<Row[]> {
    const key = `${this.#shape} ${name}`;
    let statement = this.#caches.statements.get(key);
    if (statement === undefined) {
      statement = prepareStatement(
        build(
          new Sources(
            { engine: this.engine, hasWordIndex: this.hasWordIndex, db: this.db },
            this.viewer,
            param<number>('viewerId'),
            { newFiles: () => param<number>('newSince'), takeBack: () => param<number>('takeBackSince') },
          ),
        ),
      );
      this.#caches.statements.set(key, statement, statement.sql);
    }
    const now = this.#caches.now();
    return this.#run<Row>(
      statement,
      bindParams(statement, {
        ...values,
        viewerId: this.viewer.id,
        newSince: now - NEW_FILE_MS,
        takeBackSince: now - TAKE_BACK_MS,
      }),
      lasting,
    );
  }
}

/** Reading as one viewer inside a transaction, and writing with a proof. */
export class WriteScope extends ReadScope {
  readonly #serialize: (turn: Turn) => Promise<void>;
  readonly #proofs = new WeakSet<Proof>();

  constructor(opened: Opened, viewer: Viewer, caches: ScopeCaches, run: Run, serialize: (turn: Turn) => Promise<void>) {
    super(opened, viewer, caches, run);
    this.#serialize = serialize;
  }

  /** Judged with the rights that the viewer has in this transaction: no earlier proof is good for a write. */
  override authorize<A extends Action>(action: A, ...subject: SubjectOf<A>): Proof<A> {
    const proof = super.authorize(action, ...subject);
    this.#proofs.add(proof);
    return proof;
  }

  /** The tables without a viewer's reach, for the act that `proof` allows. */
  unscoped<A extends Action>(proof: Proof<A>): Kysely<Schema> {
    if (!this.#proofs.has(proof)) throw new Error(`The proof of ${proof.action} was made outside of this transaction`);
    return this.db;
  }

  /** Waits until no other transaction holds `turn`, and holds it until this one ends. */
  serialize(turn: Turn): Promise<void> {
    return this.#serialize(turn);
  }
}

/** Opens the database for a viewer; the only way a request gets at it. */
export interface Scopes {
  read(viewer: Viewer): ReadScope;
  /**
   * One transaction in which `viewer` does `action`, with the rights of that moment: nobody changes rights while it runs, unless
   * that is what it does itself. Refuses `unauthenticated` where the session is over, and what the route guard refuses.
   */
  change<Result>(viewer: Viewer, action: Action, work: (scope: WriteScope) => Promise<Result>): Promise<Result>;
}

/** The viewer as of this transaction; null where the session is over. */
export type ViewerWithin = (tx: Kysely<Schema>, viewer: Viewer) => Promise<Viewer | null>;

export function openScopes(database: Database, viewerWithin: ViewerWithin, now: () => number = Date.now): Scopes {
  const caches: ScopeCaches = {
    statements: new BoundedCache(STATEMENTS_KEPT),
    estimates: new BoundedCache(ESTIMATES_KEPT),
    now,
  };
  const rows: Run = (statement, parameters, lasting) =>
    lasting === 'long' ? database.longRows(statement, parameters) : database.rows(statement, parameters);
  /** Requests of one session share their viewer, and so what was made for it. */
  const readers = new WeakMap<Viewer, ReadScope>();
  return {
    read(viewer) {
      let reader = readers.get(viewer);
      if (reader === undefined) {
        reader = new ReadScope(
          { engine: database.kind, hasWordIndex: database.hasWordIndex(), db: database.reader },
          viewer,
          caches,
          rows,
        );
        readers.set(viewer, reader);
      }
      return reader;
    },
    change: (viewer, action, work) =>
      database.transaction(async (tx) => {
        await (changesRights(action) ? database.serialize(tx, 'rights') : database.share(tx, 'rights'));
        const actor = await viewerWithin(tx, viewer);
        if (actor === null) throw refuse('unauthenticated');
        guardRoute(actor, action);
        const run = async <Row>(statement: Statement, parameters: unknown[]) => {
          const { rows } = await tx.executeQuery(boundQuery<Row>(statement, parameters));
          return rows;
        };
        return work(
          new WriteScope(
            { engine: database.kind, hasWordIndex: database.hasWordIndex(), db: tx },
            actor,
            caches,
            run,
            (turn) => database.serialize(tx, turn),
          ),
        );
      }),
  };
}
