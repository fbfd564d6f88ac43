// Reading and writing as one viewer: how a request gets at the database. What each viewer sees of the tables stands in `sources.ts`.
import type { Compilable, Kysely } from 'kysely';
import { refuse } from '#contract/errors.ts';
import { NEW_FILE_DAYS } from '#contract/new-files.ts';
import { TAKE_BACK_MS } from '#contract/policy/files.ts';
import { type Action, changesRights, type SubjectOf } from '#contract/policy/rights.ts';
import { authorize, guardRoute, type Proof } from '#contract/policy.ts';
import { BoundedCache } from '../../platform/db/bounded-cache.ts';
import type { Database, Statement, Turn } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { bindParams, boundQuery, param, prepareStatement } from '../../platform/db/statement.ts';
import { type Opened, Sources } from './sources.ts';
import type { Viewer } from './viewer.ts';
import { shapeOf } from './viewer-shape.ts';

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

/** Tables that are only read. */
type Counted = Pick<Kysely<Schema>, 'selectFrom' | 'getExecutor'>;

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

  /** The tables without a viewer's reach, to count what would go with a client: the number may be of rows that the viewer does not see. */
  countedBy(_proof: Proof<'clients.delete'>): Counted {
    return this.db;
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
          const { rows } = await tx.executeQuery<Row>(boundQuery<Row>(statement, parameters));
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
