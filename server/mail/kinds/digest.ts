// The mail that tells somebody what is new or was deleted. What it names is read when it is sent, as its person sees it then.
import { z } from 'zod';
import { DIGEST_TOPICS, type DigestPace, type DigestTopic, digestTopicWords } from '#contract/digest-words.ts';
import { counted } from '#contract/plain-words.ts';
import { isClientUser } from '#contract/policy.ts';
import { choiceOf } from '../digests/choices.ts';
import { endingLink } from '../digests/ending.ts';
import { NAMED_MAX, readNews, type ToldFile } from '../digests/sources.ts';
import { momentWords } from '../letter.ts';
import { mailKind, NOT_WANTED, personOf } from '../mail-kind.ts';

const WORDS: Readonly<Record<DigestTopic, { one: string; said: string; button: string }>> = {
  reports: { one: 'new report', said: 'There is something new for you to see.', button: 'Open Reports' },
  documents: { one: 'new document', said: 'There is something new for you to see.', button: 'Open Documents' },
  deleted: { one: 'deleted file', said: 'These files were deleted.', button: 'Open the Portal' },
};

const OFTEN: Readonly<Record<DigestPace, string>> = {
  atOnce: 'at once',
  quarterHour: 'every quarter of an hour',
  daily: 'once a day',
  // Not sent.
  never: 'never',
};

/** The list in which it is found. */
function pageOf(topic: DigestTopic, isClient: boolean): string {
  if (topic === 'documents') return '/firm-documents';
  if (topic === 'deleted') return '/';
  return isClient ? '/client-reports' : '/cpa-dashboard';
}

const lineOf = (topic: DigestTopic, { name, clientName, kind, at }: ToldFile): readonly [string, string] => [
  name,
  [clientName, topic === 'deleted' ? momentWords(at) : kind].filter((part) => part !== null).join(', '),
];

export const digestMail = mailKind({
  name: 'digest',
  title: 'What is new',
  facts: z.strictObject({ topic: z.enum(DIGEST_TOPICS), after: z.int(), until: z.int() }),

  async outdated(mail, now) {
    const person = await personOf(mail, now);
    if (typeof person === 'string') return person;
    return (await choiceOf(now.db, person, mail.facts.topic)).pace === 'never' ? NOT_WANTED : null;
  },

  async contents({ facts: { topic, ...span }, userId }, { db, findPerson, readAs, sealer }) {
    const person = userId === null ? null : await findPerson(userId);
    if (person === null) return null;
    const { files, total } = await readNews(readAs(person), topic, span);
    if (total === 0) return null;
    return {
      files,
      total,
      pace: (await choiceOf(db, person, topic)).pace,
      page: pageOf(topic, isClientUser(person)),
      ending: await endingLink(sealer, topic, person.id),
    };
  },

  letter({ facts: { topic } }, { product, link }, { files, total, pace, page, ending }) {
    const heading = counted(total, WORDS[topic].one);
    return {
      subject: `${product}: ${heading}`,
      heading,
      paragraphs: [WORDS[topic].said],
      items: files.map((file) => lineOf(topic, file)),
      ...(total > NAMED_MAX ? { more: `And ${total - NAMED_MAX} more.` } : {}),
      button: { label: WORDS[topic].button, href: link(page) },
      after: [
        `You hear of ${digestTopicWords(topic)} by mail ${OFTEN[pace]}. Account Settings in the portal change that.`,
      ],
      ending: {
        label: `No more mails about ${digestTopicWords(topic)}`,
        href: link(`/end-mails#${ending}`),
        oneClick: link(`/api/digests/end?token=${ending}`),
      },
    };
  },
});
