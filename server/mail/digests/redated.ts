// What is kept of a request whose due day changes, for those who are told of it.
import { type SqlBool, sql } from 'kysely';
import type { ReadScope } from '../../people/access/scope.ts';
import { LOOK_BACK_MS } from './source.ts';

/**
 * What is written beside another due day. Changes that follow one another within the time that mails look back go on from the first of them:
 * whoever has heard of none is told which day it was, and nothing where it is that day again.
 */
export function redatedNow({ viewer }: Pick<ReadScope, 'viewer'>, at: number) {
  const goesOn = sql<SqlBool>`redated_at > ${at - LOOK_BACK_MS}`;
  return {
    redated_at: at,
    redated_by_id: viewer.id,
    redated_since: sql<number | null>`case when ${goesOn} then redated_since else ${at} end`,
    redated_from: sql<string | null>`case when ${goesOn} then redated_from else due_on end`,
  };
}
