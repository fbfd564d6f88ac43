// Who may have something to hear of one topic: found by one statement, before anybody is looked at by name.
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DigestTopic } from '#contract/digest-words.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Viewer } from '../../people/access/viewer.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { param } from '../../platform/db/statement.ts';
import { type OwnChoice, usualOf } from './choices.ts';

export interface Hearer extends Pick<Viewer, 'id' | 'roleKey'> {
  readonly name: string;
  readonly address: string;
  readonly createdAt: number;
  readonly own: OwnChoice | undefined;
}

export interface Hearing {
  readonly topic: DigestTopic;
  /** The ids of the clients where something happened. */
  readonly clients: RawBuilder<unknown>;
  /** Whoever has chosen since then may be due for what happened before. Null where anybody may. */
  readonly chosenSince: number | null;
}

/** People who have an address, have joined, and have one of the clients in their list, or reach all. */
export async function findHearers(
  db: Kysely<Schema>,
  { topic, clients, chosenSince }: Hearing,
): Promise<readonly Hearer[]> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .leftJoin('invitations', 'invitations.user_id', 'users.id')
    .leftJoin('digest_choices as choice', (join) =>
      join.onRef('choice.user_id', '=', 'users.id').on('choice.topic', '=', topic),
    )
    .select([
      'users.id as id',
      'users.full_name as name',
      'users.email as address',
      'users.created_at as createdAt',
      'roles.system_key as roleKey',
      'choice.pace as pace',
      'choice.chosen_at as chosenAt',
      'choice.told_until as toldUntil',
    ])
    .where('users.email', '<>', '')
    .where('invitations.user_id', 'is', null)
    .where((eb) =>
      eb.or([
        eb('roles.reach', '=', 'all'),
        chosenSince === null ? sql<SqlBool>`1 = 1` : eb('choice.chosen_at', '>', chosenSince),
        sql<SqlBool>`exists (select 1 from user_clients listed where listed.user_id = users.id and listed.client_id in (${clients}))`,
      ]),
    )
    .orderBy('users.id')
    .execute();
  return rows.map(({ pace, chosenAt, toldUntil, ...person }) => ({
    ...person,
    own: chosenAt === null || toldUntil === null ? undefined : { topic, pace, chosenAt, toldUntil },
  }));
}

/** How many people of the client are reminded of what they are asked for: they answer requests, and hear of them by mail. */
export async function countReminded(scope: ReadScope, clientId: number): Promise<number> {
  const settings = await scope.firmSettings().select('digests').executeTakeFirst();
  const usual = usualOf(settings?.digests).clients.requests.pace;
  const [row] = await scope.prepared<{ people: number }>(
    'digests.reminded',
    (sources) =>
      sources.query(sql<{ people: number }>`select count(*) as "people" from user_clients listed
        join users person on person.id = listed.user_id and person.email <> ''
        join roles held on held.id = person.role_id and held.system_key = 'client'
        join role_capabilities answers on answers.role_id = held.id and answers.capability = 'documents.upload'
        left join digest_choices choice on choice.user_id = person.id and choice.topic = 'requests'
        where listed.client_id = ${param('clientId')} and coalesce(choice.pace, ${param('usual')}) <> 'never'
          and not exists (select 1 from invitations invited where invited.user_id = person.id)`),
    { clientId, usual },
  );
  return Number(row?.people ?? 0);
}
