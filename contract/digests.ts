// What a person hears of by mail, what the firm sets as usual, and the link that ends it.
import { z } from 'zod';
import { DIGEST_PACES, DIGEST_TOPICS, type DigestTopic } from './digest-words.ts';
import { TimeZone } from './fields.ts';

const Topic = z.enum(DIGEST_TOPICS);
const Pace = z.enum(DIGEST_PACES);

export const OwnDigests = z.object({
  /** Whether the portal sends mail at all. */
  isOn: z.boolean(),
  /** Where mails to the person go; empty for nowhere. */
  address: z.string(),
  /** The time zone of the hour at which daily mails are written. */
  timeZone: z.string(),
  /** `pace` is null where the person goes by what is usual. */
  topics: z.array(z.object({ topic: Topic, pace: Pace.nullable(), usual: Pace })),
});
export type OwnDigests = z.infer<typeof OwnDigests>;

export const DigestChoice = z.strictObject({ topic: Topic, pace: Pace.nullable() });
export type DigestChoice = z.infer<typeof DigestChoice>;

const Paces = z.object(
  Object.fromEntries(DIGEST_TOPICS.map((topic) => [topic, Pace])) as Record<DigestTopic, typeof Pace>,
);

/** How often people hear of what who have not chosen. */
export const UsualDigests = z.object({ timeZone: z.string(), clients: Paces, staff: Paces });
export type UsualDigests = z.infer<typeof UsualDigests>;

const SomePaces = z.strictObject(Paces.partial().shape);

/** What is absent stays as it is. */
export const UsualDigestsInput = z.strictObject({
  timeZone: TimeZone.optional(),
  clients: SomePaces.optional(),
  staff: SomePaces.optional(),
});
export type UsualDigestsInput = z.infer<typeof UsualDigestsInput>;

/** The secret of a link that ends one topic for one person: what it is about, and the person, sealed. */
export const EndingLink = z.strictObject({
  token: z
    .string()
    .max(200, { error: 'Must be the whole link', abort: true })
    .regex(/^[A-Za-z]+\.v1\.[A-Za-z0-9_-]+$/, 'Must be the whole link'),
});
