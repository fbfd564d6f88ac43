// What a source of news is: each topic of mails has one.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { RowSource } from '../../people/access/reach.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import { param } from '../../platform/db/statement.ts';

/** What is older is told to nobody: mail was off meanwhile, or nobody could be reached. As long as a mail is tried. */
export const LOOK_BACK_MS = 3 * 24 * 60 * 60_000;

/** What happened after the one moment and until the other, in ms since the epoch. */
export interface Moments {
  readonly after: number;
  readonly until: number;
}

/** The firm's time zone, in which days begin. */
export interface FirmZone {
  readonly timeZone: string;
  /** Where it was changed: the last morning in the zone before, so that no day has a second one and none is left out. */
  readonly changed: { readonly at: number; readonly lastDay: string; readonly lastMorning: number } | null;
}

export interface Span extends Moments, FirmZone {}

/** One line of a letter. */
export interface Told {
  readonly id: number;
  readonly name: string;
  readonly clientName: string;
  /** Of a file its report type or document type, null where it has none; of a request what is told of it. */
  readonly kind: string | null;
  /** Of a request the item that is meant, and the due day, YYYY-MM-DD. */
  readonly item?: string | null;
  readonly dueOn?: string | null;
  /** The due day before, where the viewer has heard of no other one between. */
  readonly dueWas?: string | null;
  readonly at: number;
}

export interface Source {
  /** The clients of all that happened, whoever sees it. */
  clientsOf(span: Span): RawBuilder<unknown>;
  /** Answers a row where a round is to be held, where that is not where `clientsOf` does. */
  happenedIn?(span: Span): RawBuilder<unknown>;
  /** The parameters of `seenBy` besides `after` and `until`. */
  values?(span: Span): Readonly<Record<string, unknown>>;
  /** What of it the viewer sees and did not do, between the parameters `after` and `until`, with the columns of `Told` and an `id`. */
  seenBy(
    sources: Sources,
    viewer: ReadScope['viewer'],
  ): RowSource & {
    readonly columns: RawBuilder<unknown>;
    /** Which are named first; the newest where it is left out. */
    readonly order?: RawBuilder<unknown>;
  };
}

export const within = (column: string, { after, until }: Moments) =>
  sql<SqlBool>`${sql.ref(column)} > ${after} and ${sql.ref(column)} <= ${until}`;
export const withinParams = (column: string) =>
  sql<SqlBool>`${sql.ref(column)} > ${param('after')} and ${sql.ref(column)} <= ${param('until')}`;
export const notByViewer = (column: string) => sql<SqlBool>`${sql.ref(column)} is distinct from ${param('viewerId')}`;
