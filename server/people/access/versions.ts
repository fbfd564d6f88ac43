// The version of a row that is edited in a form, and the refusal of a change to another version than the one that was read.
import { crc32 } from 'node:zlib';
import { refuse } from '#contract/errors.ts';
import { MINUTE_MS } from '../../platform/clock.ts';
import type { ReadScope } from './scope.ts';

/** The columns that say who last changed a row; null where nobody has since it was made. */
export interface LastChange {
  readonly changed_at: number | null;
  readonly changed_by_id: number | null;
}

/** The versions that a change names as the ones it read; null where any version will do. */
export type ExpectedVersions = readonly string[] | null;

/**
 * The version of a row: when it was last changed, and a checksum of all that a form changes. The checksum notices what another
 * act changed, such as the deletion of a client that a list named. No field holds a line break.
 */
export function versionOf(
  changedAt: number | null,
  content: readonly (string | number | boolean | readonly number[])[],
): string {
  return `${momentOf(changedAt)}${crc32(content.join('\n')).toString(36)}`;
}

const momentOf = (changedAt: number | null) => `${changedAt ?? 0}-`;

/** What an update writes next to what it changes. */
export function changedNow(scope: ReadScope, at: number) {
  return { changed_at: at, changed_by_id: scope.viewer.id };
}

/**
 * Refuses `changed_meanwhile` unless `row` has one of the `expected` versions. The refusal says when and by
 * whom, as far as that is known and the viewer sees the person.
 */
export async function requireVersion(
  scope: ReadScope,
  expected: ExpectedVersions,
  row: { readonly version: string },
  findLastChange: () => Promise<LastChange | undefined>,
  now: number,
): Promise<void> {
  if (expected === null || expected.includes(row.version)) return;
  const last = await findLastChange();
  const changedAt = last?.changed_at ?? null;
  // The change of that moment was in the version that was read: what came after it, nobody has noted.
  const unknown = changedAt === null || expected.some((version) => version.startsWith(momentOf(changedAt)));
  if (unknown) throw refuse('changed_meanwhile', { by: null, minutesAgo: null });
  const person = await scope
    .users()
    .select('users.full_name as name')
    .where('users.id', '=', last?.changed_by_id ?? 0)
    .executeTakeFirst();
  const minutesAgo = Math.max(0, Math.floor((now - changedAt) / MINUTE_MS));
  throw refuse('changed_meanwhile', { by: person?.name ?? null, minutesAgo });
}
