// How often people hear of what by mail: a person's own choices, and what is usual.
import {
  DIGEST_TOPICS,
  type DigestAudience,
  type DigestPace,
  type DigestTopic,
  digestZoneDetails,
  usualDigestDetails,
} from '#contract/digest-words.ts';
import type { OwnDigests, UsualDigests, UsualDigestsInput } from '#contract/digests.ts';
import { seesRequests } from '#contract/policy/reach.ts';
import type { Proof } from '#contract/policy.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import { audienceOf, changesOfUsual, keepUsual, type Usual, usualOf } from './choices.ts';

async function readUsual(scope: ReadScope): Promise<Usual> {
  const row = await scope.firmSettings().select('digests').executeTakeFirst();
  return usualOf(row?.digests);
}

export async function readOwn(scope: ReadScope, isOn: boolean): Promise<OwnDigests> {
  const { viewer } = scope;
  const { email } = await scope
    .users()
    .select('users.email as email')
    .where('users.id', '=', viewer.id)
    .executeTakeFirstOrThrow();
  const chosen = await scope.ownDigestChoices().select(['topic', 'pace']).execute();
  const { timeZone, ...usual } = await readUsual(scope);
  const heard = DIGEST_TOPICS.filter((topic) => topic !== 'requests' || seesRequests(viewer));
  const topics = heard.map((topic) => ({
    topic,
    pace: chosen.find((choice) => choice.topic === topic)?.pace ?? null,
    usual: usual[audienceOf(viewer)][topic].pace,
  }));
  return { isOn, address: email, timeZone, topics };
}

const pacesOf = (usual: Usual, audience: DigestAudience) =>
  Object.fromEntries(DIGEST_TOPICS.map((topic) => [topic, usual[audience][topic].pace])) as Record<
    DigestTopic,
    DigestPace
  >;

const present = (usual: Usual): UsualDigests => ({
  timeZone: usual.timeZone,
  clients: pacesOf(usual, 'clients'),
  staff: pacesOf(usual, 'staff'),
});

export const readUsualPaces = async (scope: ReadScope): Promise<UsualDigests> => present(await readUsual(scope));

/** Keeps what is usual from now on; returns an entry of the log for each change. */
export async function saveUsual(
  scope: WriteScope,
  proof: Proof<'mail.manage'>,
  input: UsualDigestsInput,
  at: number,
): Promise<readonly string[]> {
  await scope.serialize('firm-settings');
  const usual = await readUsual(scope);
  const { timeZone = usual.timeZone } = input;
  const details = [
    ...changesOfUsual(usual, input).map(({ audience, topic, pace }) => usualDigestDetails(audience, topic, pace)),
    ...(timeZone === usual.timeZone ? [] : [digestZoneDetails(timeZone)]),
  ];
  if (details.length > 0) await keepUsual(scope.unscoped(proof), usual, input, at);
  return details;
}
