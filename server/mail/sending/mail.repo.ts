// The portal's own mail, as an Admin lists it and has it tried again.
import { type Expression, type SqlBool, sql } from 'kysely';
import { refuse } from '#contract/errors.ts';
import type { MailQuery, MailRow } from '#contract/mail.ts';
import { PAGE_LIMIT_MAX } from '#contract/paging.ts';
import type { Proof } from '#contract/policy.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import { orderedBy, type Page, pageParams, pageValues, rowCount } from '../../platform/db/list.ts';
import { param } from '../../platform/db/statement.ts';
import { instant, instantOrNull } from '../../platform/instant.ts';
import { failingSince, isFailing, retryFailing, retryMail } from '../mail-rows.ts';
import { kindOfMail } from './kinds.ts';

const columns = [
  'mails.id as id',
  'mails.kind as kind',
  'mails.to_name as toName',
  'mails.to_address as toAddress',
  'mails.state as state',
  'mails.attempts as attempts',
  'mails.error as error',
  'mails.created_at as createdAt',
  'mails.due_at as dueAt',
  'mails.ended_at as endedAt',
] as const;

type Read = Omit<MailRow, 'title' | 'createdAt' | 'dueAt' | 'endedAt'> & {
  readonly kind: string;
  readonly createdAt: number;
  readonly dueAt: number;
  readonly endedAt: number | null;
};

function present({ kind, ...row }: Read): MailRow {
  return {
    ...row,
    title: kindOfMail(kind)?.title ?? kind,
    createdAt: instant(row.createdAt),
    dueAt: instant(row.dueAt),
    endedAt: instantOrNull(row.endedAt),
  };
}

/** Newest first. */
export async function listMails(scope: ReadScope, query: MailQuery, at: number): Promise<Page<MailRow>> {
  const { id, state, failing } = query;
  const parts: Expression<SqlBool>[] = [sql<SqlBool>`1 = 1`];
  if (id !== undefined) parts.push(sql<SqlBool>`mails.id = ${param<number>('id')}`);
  if (state !== undefined) parts.push(sql<SqlBool>`mails.state = ${param<string>('state')}`);
  const found = sql<SqlBool>`${sql.join(parts, sql` and `)}`;
  const among = (sources: Sources) => {
    const mails = sources.mails().where(found);
    return failing === undefined ? mails : mails.where((eb) => isFailing(eb, param<number>('failingSince')));
  };
  const by = `${id !== undefined} ${state !== undefined} ${failing !== undefined}`;
  const values = {
    ...pageValues(query, PAGE_LIMIT_MAX),
    ...(id === undefined ? {} : { id }),
    ...(state === undefined ? {} : { state }),
    ...(failing === undefined ? {} : { failingSince: failingSince(at) }),
  };
  const rows = await scope.prepared<Read>(
    `mail.list ${by}`,
    (sources) =>
      among(sources)
        .select(columns)
        .orderBy(orderedBy('desc', 'mails.id'))
        .limit(pageParams.limit)
        .offset(pageParams.offset),
    values,
  );
  const [count] = await scope.prepared<{ total: number }>(
    `mail.count ${by}`,
    (sources) => among(sources).select(rowCount.as('total')),
    values,
  );
  return { rows: rows.map(present), total: count?.total ?? 0 };
}

/** How many mails failed lately, or wait for another try. */
export async function countFailing(scope: ReadScope, at: number): Promise<number> {
  const { n } = await scope
    .mails()
    .where((eb) => isFailing(eb, failingSince(at)))
    .select(rowCount.as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

export async function loadMail(scope: ReadScope, id: number): Promise<MailRow> {
  const row = await scope.mails().select(columns).where('mails.id', '=', id).executeTakeFirst();
  if (row === undefined) throw refuse('not_found');
  return present(row);
}

/** Has a mail tried again that failed or waits for another try; returns it as it is then. */
export async function retry(scope: WriteScope, proof: Proof<'mail.manage'>, id: number, at: number): Promise<MailRow> {
  await loadMail(scope, id);
  if (!(await retryMail(scope.unscoped(proof), id, at))) throw refuse('mail_not_failed');
  return loadMail(scope, id);
}

/** Has all mails tried again that fail; returns how many. */
export async function retryAll(scope: WriteScope, proof: Proof<'mail.manage'>, at: number): Promise<number> {
  await scope.serialize('mails');
  return retryFailing(scope.unscoped(proof), at);
}
