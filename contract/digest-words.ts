// What people hear of by mail, and how often, in words. Without schemas, so that a page that shows them needs none.

/** What there are mails about. Each is a word here, a label below and a source in `server/mail/digests/sources.ts`. */
export const DIGEST_TOPICS = ['reports', 'documents', 'deleted', 'requests'] as const;
export type DigestTopic = (typeof DIGEST_TOPICS)[number];

export const digestTopicLabels: Readonly<Record<DigestTopic, string>> = {
  reports: 'New reports',
  documents: 'New documents',
  deleted: 'Deleted files',
  requests: 'Requests',
};

/** In the middle of a sentence: 'mails about new reports'. */
export const digestTopicWords = (topic: DigestTopic) => digestTopicLabels[topic].toLowerCase();

export const DIGEST_PACES = ['atOnce', 'quarterHour', 'daily', 'never'] as const;
export type DigestPace = (typeof DIGEST_PACES)[number];

export const digestPaceLabels: Readonly<Record<DigestPace, string>> = {
  atOnce: 'At once',
  quarterHour: 'Every quarter of an hour',
  daily: 'Daily',
  never: 'Never',
};

/** For whom the firm sets what is usual. */
export const DIGEST_AUDIENCES = ['clients', 'staff'] as const;
export type DigestAudience = (typeof DIGEST_AUDIENCES)[number];

export const digestAudienceLabels: Readonly<Record<DigestAudience, string>> = {
  clients: 'Client users',
  staff: 'Staff',
};

/** At which hour of the day daily mails are written. */
export const DAILY_HOUR = 7;

/** The topic that a link to end mails is about; null for what is no such link. Only the server knows whether it is a true one. */
export function topicOfEndingLink(secret: string): DigestTopic | null {
  const named = secret.split('.', 1)[0];
  return DIGEST_TOPICS.find((topic) => topic === named) ?? null;
}

/** The details of an entry about mails that a person wants no more, ended by the link in one. */
export const digestsEndedDetails = (topic: DigestTopic) =>
  `Ended mails about ${digestTopicWords(topic)}, by the link in one`;

/** The details of an entry about how often people hear of what who have not chosen: 'Set for Client users: New reports by mail daily'. */
export const usualDigestDetails = (audience: DigestAudience, topic: DigestTopic, pace: DigestPace) =>
  `Set for ${digestAudienceLabels[audience]}: ${digestTopicLabels[topic]} by mail ${digestPaceLabels[pace].toLowerCase()}`;

/** The details of an entry about the time zone of the hour at which daily mails are written. */
export const digestZoneDetails = (timeZone: string) => `Set the time zone of daily mails: ${timeZone}`;
