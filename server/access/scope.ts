// Who sees which row, in SQL. Every read of the product starts here; `contract/policy.ts` says the same as pure rules.
import { type Compilable, type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { refuse } from '#contract/errors.ts';
import {
  type ActingActor,
  type Action,
  type Actor,
  activityReach,
  authorize,
  changesRights,
  guardRoute,
  type Proof,
  reachesEveryReportType,
  reachesEveryRole,
  reachesEveryUser,
  type SubjectOf,
} from '#contract/policy.ts';
import { BoundedCache } from '../db/bounded-cache.ts';
import type { Database, Turn } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { bindParams, boundQuery, param, prepareStatement, type Statement } from '../db/statement.ts';
import { countedByClient, countedByType, type FileCounting, gatheredIds, ownUntypedOfMine } from './file-counting.ts';
import { everything, fileKindReached, inClientList, inReportTypeList, isListedClient, type ViewerId } from './reach.ts';

/** The signed-in person of one request, with the rights of that moment. */
export interface Viewer extends ActingActor {
  /** 0 for somebody on the way in, who has no session yet, and for a person on whose behalf a job acts. */
  readonly sessionId: number;
  /** When the session ends whatever happens, in ms since the epoch. */
  readonly sessionEndsAt: number;
  /** The sign-in that waits for its first second factor to be set up; null for a session and for a job. */
  readonly signInId: number | null;
  readonly username: string;
  readonly fullName: string;
  readonly roleId: number;
  readonly roleName: string;
}

/** How many files there have ever been: about as many as a walk through all of them meets. */
export const filesEver = sql<number>`cast((select coalesce(max(last.id), 0) from files last) as bigint)`;

/** The names under which entries of the log are read: all, those of the viewer's clients, the viewer's own. */
export type ActivityTable = 'activity' | 'of_client' | 'own';

/** The tables as one viewer sees them. Each is a query that already carries the viewer's reach. */
export class Sources {
  protected readonly db: Kysely<Schema>;
  readonly #viewer: Actor;
  readonly #id: ViewerId;

  constructor(db: Kysely<Schema>, viewer: Actor, id: ViewerId) {
    this.db = db;
    this.#viewer = viewer;
    this.#id = id;
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
    if (this.#viewer.reach === 'all') return query.where(everything);
    return query.where(inClientList(this.#id, 'files.client_id')).where(fileKindReached(this.#id, 'files'));
  }

  /**
   * For the first of many clients: the rows of `user_clients` for this viewer, joined with at most `take` first ids of each,
   * so that the work grows with the page and not with the table.
   */
  filesOfEachClient(
    narrow: (table: 'each') => Expression<SqlBool>,
    take: Expression<number>,
    { by, ascending }: { by: 'uploaded_at' | 'name_key'; ascending: boolean },
  ) {
    const order = ascending ? sql`asc` : sql`desc`;
    return sql<{ id: number }>`select candidate.id from user_clients mine join files candidate on candidate.id in (
      select each.id from files each where each.client_id = mine.client_id and ${fileKindReached(this.#id, 'each')} and ${narrow('each')}
      order by ${sql.ref(`each.${by}`)} ${order}, each.id ${order} limit ${take}
    ) where mine.user_id = ${this.#id}`;
  }

  /** How many files in reach match, for each client. */
  filesByClient(counting: FileCounting) {
    return this.db.selectFrom(countedByClient(this.#viewer.reach, this.#id, counting).as('per'));
  }

  /** The same for each report type, 0 for none. */
  filesByType(counting: FileCounting) {
    return this.db.selectFrom(countedByType(this.#viewer.reach, this.#id, counting).as('per'));
  }

  /** The ids of files that match and of some that do not, of the own clients only: to look among in `files()`. */
  gatheredFiles(counting: FileCounting) {
    return gatheredIds(this.#viewer.reach, this.#id, counting);
  }

  activity() {
    return this.db.selectFrom('activity').where(this.#activityReached('activity'));
  }

  /** How many entries in reach `narrow` leaves: for a viewer who has clients client by client, so that nobody else's are looked at. */
  activityCount(narrow: (table: ActivityTable) => Expression<SqlBool>) {
    if (!this.#findsActivityByClient()) {
      return this.activity().where(narrow('activity')).select(sql<number>`cast(count(*) as bigint)`.as('total'));
    }
    const total = sql<number>`cast((select count(*) ${this.#activityOfClients(narrow)})
      + (select count(*) ${this.#ownActivityBesides(narrow)}) as bigint)`;
    return this.db.selectNoFrom(total.as('total'));
  }

  /** Their ids. */
  gatheredActivity(narrow: (table: ActivityTable) => Expression<SqlBool>): RawBuilder<{ id: number }> {
    return this.#findsActivityByClient()
      ? sql`select of_client.id ${this.#activityOfClients(narrow)} union all select own.id ${this.#ownActivityBesides(narrow)}`
      : sql`select activity.id from activity where ${narrow('activity')}`;
  }

  #findsActivityByClient(): boolean {
    return activityReach(this.#viewer) === 'own-and-clients' && this.#viewer.reach === 'lists';
  }

  #activityOfClients(narrow: (table: 'of_client') => Expression<SqlBool>): RawBuilder<unknown> {
    return sql`from user_clients mine cross join activity of_client
      where mine.user_id = ${this.#id} and of_client.client_id = mine.client_id and ${narrow('of_client')}`;
  }

  #ownActivityBesides(narrow: (table: 'own') => Expression<SqlBool>): RawBuilder<unknown> {
    return sql`from activity own where own.user_id = ${this.#id} and not ${inClientList(this.#id, 'own.client_id')} and ${narrow('own')}`;
  }

  /** The counters behind `files()`: rows of reached clients and report types. One's own untyped reports are not in them. */
  fileCounts() {
    const query = this.db.selectFrom('file_counts');
    if (this.#viewer.reach === 'all') return query.where(everything);
    return query
      .where(isListedClient(this.#id, 'file_counts.client_id'))
      .where(
        sql<SqlBool>`(file_counts.file_type = 'company_document' or ${inReportTypeList(this.#id, 'file_counts.report_type_id')})`,
      );
  }

  /** How many of one's own reports without a type are in reach; they are counted by looking. */
  ownUntypedReports() {
    return this.db.selectFrom('files').where(sql<SqlBool>`files.id in (select own.id ${ownUntypedOfMine(this.#id)})`);
  }

  /** The counters behind `activity()`. */
  activityCounts() {
    return this.db.selectFrom('activity_counts').where(this.#activityReached('activity_counts'));
  }

  /** The same rule over entries and over their counters, where 0 stands for no client. */
  #activityReached(table: 'activity' | 'activity_counts'): Expression<SqlBool> {
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
            : inClientList(this.#id, `${table}.client_id`);
        return sql<SqlBool>`(${own} or ${ofClient})`;
      }
    }
  }

  /** What was done with the viewer's own account. */
  ownSecurityEvents() {
    return this.db.selectFrom('security_events').where(sql<SqlBool>`security_events.user_id = ${this.#id}`);
  }

  /** Work in the background, which is nobody's in particular: the action `jobs.read` asks for reach over everything. */
  jobs() {
    return this.db.selectFrom('jobs').where(this.#viewer.reach === 'all' ? everything : sql<SqlBool>`1 = 0`);
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
  ].join('|');
}

/** Runs a prepared statement, on the reader or inside a transaction. */
type Run = <Row>(statement: Statement, parameters: unknown[]) => Promise<Row[]>;

/** Compiled statements by viewer shape and name. Filters and orders make some 4,000 names for each shape. */
export type StatementCache = BoundedCache<Statement>;

const STATEMENTS_KEPT = { entries: 1_000, characters: 4_000_000, longest: 65_536 };

/** Reading as one viewer. */
export class ReadScope extends Sources {
  readonly viewer: Viewer;
  readonly #run: Run;
  readonly #cache: StatementCache;
  readonly #shape: string;

  constructor(db: Kysely<Schema>, viewer: Viewer, cache: StatementCache, run: Run) {
    super(db, viewer, viewer.id);
    this.viewer = viewer;
    this.#cache = cache;
    this.#shape = shapeOf(viewer);
    this.#run = run;
  }

  /** Proof that the viewer may do `action` to `subject`; throws the Refusal that says why not. */
  authorize<A extends Action>(action: A, ...subject: SubjectOf<A>): Proof<A> {
    return authorize(this.viewer, action, ...subject);
  }

  /**
   * Runs a query prepared once under `name`. `build` starts from the sources it is given, whose viewer is a parameter, and
   * marks every changing value with `param`; whatever else decides the text of the query belongs into `name`.
   */
  async prepared<Row>(
    name: string,
    build: (sources: Sources) => Compilable<Row>,
    values: Readonly<Record<string, unknown>> = {},
  ): Promise<Row[]> {
    const key = `${this.#shape} ${name}`;
    let statement = this.#cache.get(key);
    if (statement === undefined) {
      statement = prepareStatement(build(new Sources(this.db, this.viewer, param<number>('viewerId'))));
      this.#cache.set(key, statement, statement.sql);
    }
    return this.#run<Row>(statement, bindParams(statement, { ...values, viewerId: this.viewer.id }));
  }
}

/** Reading as one viewer inside a transaction, and writing with a proof. */
export class WriteScope extends ReadScope {
  readonly #serialize: (turn: Turn) => Promise<void>;
  readonly #proofs = new WeakSet<Proof>();

  constructor(
    db: Kysely<Schema>,
    viewer: Viewer,
    cache: StatementCache,
    run: Run,
    serialize: (turn: Turn) => Promise<void>,
  ) {
    super(db, viewer, cache, run);
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

export function openScopes(database: Database, viewerWithin: ViewerWithin): Scopes {
  const cache: StatementCache = new BoundedCache(STATEMENTS_KEPT);
  const rows: Run = (statement, parameters) => database.rows(statement, parameters);
  /** Requests of one session share their viewer, and so what was made for it. */
  const readers = new WeakMap<Viewer, ReadScope>();
  return {
    read(viewer) {
      let reader = readers.get(viewer);
      if (reader === undefined) {
        reader = new ReadScope(database.reader, viewer, cache, rows);
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
        return work(new WriteScope(tx, actor, cache, run, (turn) => database.serialize(tx, turn)));
      }),
  };
}
