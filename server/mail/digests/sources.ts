// What there is to tell of each topic: what happened at all, and what of it a person sees at this moment.
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { DigestTopic } from '#contract/digest-words.ts';
import type { FileType } from '#contract/file-kinds.ts';
import { inFigures } from '#contract/plain-words.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import { TAKE_BACK_MS } from '#contract/policy/files.ts';
import { everything } from '../../people/access/reach.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import type { DatabaseKind } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { param } from '../../platform/db/statement.ts';
import { requestNews } from './request-news.ts';
import { notByViewer, type Source, type Span, type Told, within, withinParams } from './source.ts';

/** As many are named in a letter. */
export const NAMED_MAX = 10;

/** How many more there are, of the parts of a letter. */
export const moreThanNamed = (total: number): { readonly more?: string } =>
  total > NAMED_MAX ? { more: `And ${inFigures(total - NAMED_MAX)} more.` } : {};

/** To staff, only documents that Client users sent are news: what the firm itself files for a client is for the client. */
const isNews = (type: FileType, viewer: ReadScope['viewer']) =>
  type === 'report' || isClientUser(viewer) ? everything : sql<SqlBool>`file.sent_by_client = 1`;

/** Files are news from their upload, or from the moment at which they came to other people than that had brought them to. */
const MOMENTS = ['file.uploaded_at', 'file.came_at'] as const;

/** Whoever has opened it, here or where it was, or filed it where it is, is told nothing new. */
const isNewsThere = sql<SqlBool>`${notByViewer('file.came_by_id')} and not exists (select 1 from file_opens opened
  where opened.file_id = file.id and opened.user_id = ${param('viewerId')})`;

const newFiles = (type: FileType): Source => ({
  clientsOf: (span) => {
    const of = (moment: string) =>
      sql`select file.client_id from files file where file.file_type = ${sql.lit(type)} and ${within(moment, span)}`;
    return sql`${sql.join(MOMENTS.map(of), sql` union all `)}`;
  },
  seenBy(sources, viewer) {
    const since = (moment: (typeof MOMENTS)[number]) => {
      const { from, where } = sources.filesAlong(moment === 'file.came_at' ? 'files_came' : 'files_newest');
      const once = moment === 'file.came_at' ? everything : sql<SqlBool>`file.came_at is null`;
      return sql`select file.id, file.original_name, file.client_id, file.report_type_id, file.document_type, ${sql.ref(moment)} as at
        from ${from} where ${where} and file.file_type = ${sql.lit(type)} and ${isNews(type, viewer)}
          and ${withinParams(moment)} and ${notByViewer('file.uploaded_by_id')} and ${isNewsThere} and ${once}`;
    };
    return {
      from: sql`(${sql.join(MOMENTS.map(since), sql` union all `)}) as fresh join clients client on client.id = fresh.client_id
        left join report_types type on type.id = fresh.report_type_id`,
      where: everything,
      columns: sql`fresh.id as "id", fresh.original_name as "name", client.name as "clientName",
        coalesce(type.name, fresh.document_type) as "kind", fresh.at as "at"`,
    };
  },
});

/** A moment in the row of a file that was deleted; null where it has none. */
const keptMoment = (engine: DatabaseKind, column: 'uploaded_at' | 'came_at' | 'opened_by_client_at') =>
  engine === 'postgres'
    ? sql<number | null>`cast(kept.content::json ->> ${sql.lit(column)} as bigint)`
    : sql<number | null>`kept.content ->> ${sql.lit(column)}`;

/** What came to a client by mistake and went soon is not named to its people, unless one of them has opened or sent it. */
const wasTheirs = (engine: DatabaseKind, viewer: ReadScope['viewer']) =>
  isClientUser(viewer)
    ? sql<SqlBool>`(coalesce(${keptMoment(engine, 'came_at')}, 0) <= gone.deleted_at - ${sql.lit(TAKE_BACK_MS)}
        or ${keptMoment(engine, 'opened_by_client_at')} is not null or gone.uploaded_by_id = ${param('viewerId')})`
    : everything;

const deletedFiles: Source = {
  clientsOf: (span) =>
    sql`select gone.client_id from trash gone where gone.kind = 'file' and gone.with_client = 0 and ${within('gone.deleted_at', span)}`,
  seenBy(sources, viewer) {
    const { from, where } = sources.deletedFiles();
    return {
      // Whatever was taken back or recalled soon was sent to the wrong person, who has no more to learn of it.
      from: sql`${from} join trashed_rows kept on kept.trash_id = gone.id and kept.table_name = 'files'`,
      where: sql<SqlBool>`${where} and ${withinParams('gone.deleted_at')} and ${notByViewer('gone.deleted_by_id')}
        and ${keptMoment(sources.engine, 'uploaded_at')} <= gone.deleted_at - ${sql.lit(TAKE_BACK_MS)} and ${wasTheirs(sources.engine, viewer)}`,
      columns: sql`gone.id as "id", gone.name as "name", gone.client_name as "clientName", null as "kind", gone.deleted_at as "at"`,
    };
  },
};

const SOURCES: Readonly<Record<DigestTopic, Source>> = {
  reports: newFiles('report'),
  documents: newFiles('company_document'),
  deleted: deletedFiles,
  requests: requestNews,
};

export const clientsOf = (topic: DigestTopic, span: Span) => SOURCES[topic].clientsOf(span);

/** Whether anything happened at all, whoever sees it: a look along indexes. */
export async function happened(db: Kysely<Schema>, topic: DigestTopic, span: Span): Promise<boolean> {
  const { clientsOf, happenedIn = clientsOf } = SOURCES[topic];
  const { rows } = await sql`${happenedIn(span)} limit 1`.execute(db);
  return rows.length > 0;
}

const valuesOf = (topic: DigestTopic, span: Span) => ({
  after: span.after,
  until: span.until,
  ...SOURCES[topic].values?.(span),
});

/** Whether there is anything to tell the viewer. */
export async function hasNews(scope: ReadScope, topic: DigestTopic, span: Span): Promise<boolean> {
  const build = (sources: Sources) => {
    const { from, where } = SOURCES[topic].seenBy(sources, scope.viewer);
    return sources.query(sql<{ one: number }>`select 1 as "one" from ${from} where ${where} limit 1`);
  };
  const rows = await scope.prepared<{ one: number }>(`digests.has ${topic}`, build, valuesOf(topic, span));
  return rows.length > 0;
}

/** What there is to tell the viewer: some by name, the newest unless the source says otherwise, and how many there are. */
export async function readNews(
  scope: ReadScope,
  topic: DigestTopic,
  span: Span,
): Promise<{ readonly told: readonly Told[]; readonly total: number }> {
  const build = (sources: Sources) => {
    const { from, where, columns, order = sql`"at" desc` } = SOURCES[topic].seenBy(sources, scope.viewer);
    return sources.query(
      sql<Told & { total: number }>`select ${columns}, count(*) over () as "total" from ${from} where ${where}
        order by ${order}, "id" desc limit ${sql.lit(NAMED_MAX)}`,
    );
  };
  const rows = await scope.prepared<Told & { total: number }>(`digests.read ${topic}`, build, valuesOf(topic, span));
  return { told: rows, total: Number(rows[0]?.total ?? 0) };
}
