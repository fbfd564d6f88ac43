// Links that end the mails about one topic for one person, without a sign-in: what they open is sealed, and nothing else is done by them.
import { type DigestTopic, digestsEndedDetails, topicOfEndingLink } from '#contract/digest-words.ts';
import { insertActivity } from '../../audit/record.ts';
import type { Attempt } from '../../people/auth/attempts.ts';
import { networkOf } from '../../platform/admission/network.ts';
import type { Database } from '../../platform/db/database.ts';
import { KeyFault } from '../../platform/key-file.ts';
import type { Sealer } from '../../platform/sealed.ts';
import { choose, ownChoice } from './choices.ts';

const sealedFor = (topic: DigestTopic) => `end mails about ${topic}`;

/** The secret of the link: `reports.v1.…`. The topic stands before what is sealed, which opens for this topic alone. */
export async function endingLink(sealer: Sealer, topic: DigestTopic, userId: number): Promise<string> {
  return `${topic}.${await sealer.seal(Buffer.from(`${userId}`), sealedFor(topic))}`;
}

async function openLink(sealer: Sealer, secret: string): Promise<{ topic: DigestTopic; userId: number } | null> {
  const topic = topicOfEndingLink(secret);
  if (topic === null) return null;
  try {
    const opened = await sealer.open(secret.slice(topic.length + 1), sealedFor(topic));
    return { topic, userId: Number(String(opened)) };
  } catch (error) {
    // Made up, changed, or of another portal.
    if (error instanceof KeyFault) return null;
    throw error;
  }
}

/** Under which name tries at such links are counted: by network. No user name has a line break. */
export const endingTriesOf = ({ address }: { readonly address: string }): string => `end mails\n${networkOf(address)}`;

export interface Ending {
  /** Ends what the link is about; false for a link that is none, or whose person is gone. A true one takes the try back. Twice is as once. */
  end(secret: string, attempt: Attempt): Promise<boolean>;
}

export function openEnding({
  database,
  sealer,
  now,
}: {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly now: () => number;
}): Ending {
  return {
    async end(secret, attempt) {
      const opened = await openLink(sealer, secret);
      if (opened === null) return false;
      const { topic, userId } = opened;
      return database.transaction(async (tx) => {
        const person = await tx
          .selectFrom('users')
          .innerJoin('roles', 'roles.id', 'users.role_id')
          .select(['users.id as id', 'users.full_name as name', 'roles.system_key as roleKey'])
          .where('users.id', '=', userId)
          .executeTakeFirst();
        if (person === undefined) return false;
        const at = now();
        // Where the firm's usual is Never already it is the person's word all the same: reminders go by that alone.
        if ((await ownChoice(tx, person.id, topic))?.pace !== 'never') {
          await choose(tx, person, { topic, pace: 'never' }, at);
          await insertActivity(tx, person, { action: 'update', details: digestsEndedDetails(topic) }, at);
        }
        await attempt.takenBack(tx);
        return true;
      });
    },
  };
}
